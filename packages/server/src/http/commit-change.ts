import type { AnyRoute } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import type { UserActor } from './actor.ts'
import type { ChangeRecorder, ConsoleEvent } from './context.ts'
import { VOLATILE } from '../features/versions/recorded-row.ts'
import { isBoundAtEdge, refuseBeyondEdge } from './edge-room.ts'
import { countHistory } from './history-room.ts'
import { writeAudit } from './write-audit.ts'

/** Version, audit entry and outbox rows, in the verb's own transaction. */
export async function commitChange(
  tx: Tx,
  config: Config,
  route: AnyRoute,
  actor: UserActor,
  change: ChangeRecorder,
  domain: string | null,
): Promise<void> {
  // A number that was given out is a version, though no row of it changed: a site may be published without records.
  const isChange = change.changes.length > 0 || change.isNumbered
  if (!isChange && !route.audit) return
  const kinds = isChange ? (change.kinds ?? route.changes ?? []) : []
  if (kinds.some(isBoundAtEdge)) await refuseBeyondEdge(tx, config, actor.organizationId, change.changes)
  const versioned = kinds.length > 0 && change.siteId !== null && !change.siteRemoved
  const number = versioned ? await change.version() : null
  const changes = JSON.stringify(change.changes)
  if (!change.made.length) await countHistory(tx, actor.organizationId, changes.length)
  const title = change.title || route.audit || ''
  const source = change.source ?? actor.source
  if (versioned) {
    const values = [actor.organizationId, change.siteId, number, title, authorOf(actor), source, kinds, changes]
    const [written] = change.made.length
      ? await tx.query<{ bytes: number }>(WRITE_VERSION_WITH_MADE, [...values, change.made, [...VOLATILE]])
      : await tx.query<{ bytes: number }>(`${WRITE_VERSION} $8)`, values)
    if (written) await countHistory(tx, actor.organizationId, written.bytes)
  }
  const key = change.key ?? change.siteId
  if (kinds.length && key) await enqueue(tx, actor.organizationId, kinds, key, change.hasMore)
  if (change.siteId && isChange)
    await notifyConsole(tx, { organizationId: actor.organizationId, kind: 'version', siteId: change.siteId })
  if (!route.audit) return
  const entry = {
    action: route.audit,
    userId: actor.userId,
    userLabel: actor.label,
    impostor: actor.impostor,
    ip: actor.ip,
    source,
    siteId: change.siteId,
    domain,
    changes: change.changes,
  }
  await writeAudit(tx, {
    ...entry,
    organizationId: actor.organizationId,
    version: number,
    areOfVersion: number !== null,
  })
  if (change.concerns !== null && change.concerns !== actor.organizationId)
    await writeAudit(tx, { ...entry, organizationId: change.concerns, version: null })
}

const WRITE_VERSION =
  'INSERT INTO version (organization_id, site_id, number, title, author, source, kinds, changes) VALUES ($1, $2, $3, $4, $5, $6, $7,'
/** With changes that made records, whose rows are as `recorded` has them. */
const WRITE_VERSION_WITH_MADE = `${WRITE_VERSION} $8::jsonb || (
  SELECT jsonb_agg(jsonb_build_object('entity', 'dns-record', 'id', r.id, 'label', r.type || ' ' || r.name, 'before', NULL, 'after', to_jsonb(r) - $10::text[]) ORDER BY r.created_at)
  FROM dns_record r WHERE r.id = ANY ($9::uuid[])
)) RETURNING octet_length(changes::text) AS bytes`

/** Whom a version names: the person who looks on as somebody is the one who did it. */
const authorOf = ({ label, impostor }: UserActor): string => (impostor ? `${impostor} for ${label}` : label)

/** Tells the consoles of an organisation that something they may show has changed. */
export async function notifyConsole(tx: Tx, event: ConsoleEvent): Promise<void> {
  await tx.query(`SELECT pg_notify('console', $1)`, [JSON.stringify(event)])
}

/** Asks the worker to rebuild documents, or to wait for more; the notification leaves with the commit. */
export async function enqueue(
  tx: Tx,
  organizationId: string | null,
  kinds: readonly string[],
  key: string,
  hasMore = false,
): Promise<void> {
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key, has_more) SELECT $1::uuid, kind, CASE kind WHEN 'probe-targets' THEN $1::uuid::text ELSE $3::text END, $4 FROM unnest($2::text[]) AS kind`,
    [organizationId, kinds, key, hasMore],
  )
  await tx.query(`SELECT pg_notify('outbox', '')`)
}
