import { type RouteOutput, type RouteParsed, account } from '@fairway/contract'
import { closesAt, closingProblem } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { confirmIdentity } from '../account/confirm-identity.ts'
import { endIncident, notify } from '../notifications/notify.ts'
import { lockPeople } from '../teammates/store.ts'
import { holdsOperator } from './store.ts'

type Routes = typeof account.routes
type Held = { name: string; closing_at: Date | null; closed_at: Date | null }

const INCIDENT = 'organization-closing'

/** The owner has the organisation closed; nothing changes before the day, on which `closeDue` does it. */
export async function closeOrganization(
  context: Context,
  { confirmName, ...proof }: RouteParsed<Routes['close']>,
): Promise<RouteOutput<Routes['close']>> {
  const { tx, actor, change, now } = context
  const { name, closing_at: before } = await heldByOwner(context)
  if (before) throw new Failure(7409)
  if (confirmName.trim() !== name)
    throw new Failure(400, { fields: [{ path: 'confirmName', message: 'validation.matchInputString' }] })
  await confirmIdentity(context, proof)
  await beyondTenant(tx, async () => {
    const problem = await problemOf(tx, actor.organizationId)
    if (problem !== null) throw new Failure(problem)
  })
  const at = closesAt(now)
  await write(tx, actor.organizationId, { at, by: actor.label })
  record(change, { id: actor.organizationId, name, before, after: at })
  await notify(tx, {
    organizationId: actor.organizationId,
    event: 'organization-closing',
    fields: { organization: name, on: at.toISOString().slice(0, 10), by: actor.label },
    incident: INCIDENT,
  })
  return { closesAt: at.toISOString() }
}

export async function keepOpen(context: Context): Promise<Record<string, never>> {
  const { tx, actor, change, now } = context
  const held = await heldByOwner(context)
  await takeBack(tx, actor.organizationId, held, now)
  record(change, { id: actor.organizationId, name: held.name, before: held.closing_at, after: null })
  return {}
}

/** Expects the lock of the organisation. @throws Failure 7409 where nothing closes, or it is closed already */
export async function takeBack(
  tx: Tx,
  organizationId: string,
  { closing_at, closed_at }: Omit<Held, 'name'>,
  now: Date,
): Promise<void> {
  if (!closing_at || closed_at) throw new Failure(7409)
  await write(tx, organizationId, { at: null, by: null })
  await endIncident(tx, organizationId, INCIDENT, { at: now })
}

/** An export changes nothing, but who has had everything is asked later: it is told like a change. */
export async function tellExport(context: Context): Promise<void> {
  const { tx, actor } = context
  const { name } = await heldByOwner(context)
  const { organizationId, userId, ip } = actor
  await notify(tx, { organizationId, userId, event: 'organization-exported', fields: { organization: name, ip } })
  await writeAudit(tx, {
    organizationId,
    action: 'organization.export',
    userId,
    userLabel: actor.label,
    source: actor.source,
    ip,
    changes: [{ entity: 'organization', id: organizationId, label: name, before: null, after: null }],
  })
}

/** Why it cannot be closed; asked again on the day. Needs the system's rights. */
export async function problemOf(tx: Tx, organizationId: string): Promise<1486 | 1487 | null> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM organization o WHERE o.id <> $1 AND o.closed_at IS NULL
       AND o.partner_id IN (SELECT administers_partner_id FROM app_user WHERE organization_id = $1)`,
    [organizationId],
  )
  return closingProblem({ holdsOperator: await holdsOperator(tx, organizationId), lookedAfter: row?.count ?? 0 })
}

/** @throws Failure 1482 for anybody but the owner */
async function heldByOwner({ tx, actor }: Context): Promise<Held> {
  await lockPeople(tx, actor.organizationId)
  const [row] = await tx.query<Held & { is_owner: boolean }>(
    'SELECT o.name, o.closing_at, o.closed_at, u.is_owner FROM organization o JOIN app_user u ON u.organization_id = o.id WHERE u.id = $1',
    [actor.userId],
  )
  if (!row?.is_owner) throw new Failure(1482)
  return row
}

const write = (tx: Tx, organizationId: string, { at, by }: { at: Date | null; by: string | null }) =>
  beyondTenant(tx, () =>
    tx.query(
      'UPDATE organization SET closing_at = $2, closing_by = $3, closing_problem = NULL WHERE id = $1 AND closed_at IS NULL',
      [organizationId, at, by],
    ),
  )

type Told = { id: string; name: string; before: Date | null; after: Date | null }

const record = (change: Context['change'], { id, name, before, after }: Told) =>
  change.record({
    entity: 'organization',
    id,
    label: name,
    before: { closes_at: before?.toISOString() ?? null },
    after: { closes_at: after?.toISOString() ?? null },
  })
