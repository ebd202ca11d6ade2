import { READY_ROLE_NAMES, ROLE_IDS, type EntityChange, type RoleId, type Teammate, teammates } from '@fairway/contract'
import {
  POSSIBLE,
  READY_ROLES,
  type Person,
  actOnProblem,
  assignProblem,
  lastAdminProblem,
  mayAssign,
  permissionsOf,
  roleOf,
} from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { clearSessionCookies } from '../../http/session-cookies.ts'
import { confirmIdentity } from '../account/confirm-identity.ts'
import { erasePerson } from './erase-person.ts'
import { createInvitation, repeatInvitation } from './invitations.ts'
import { isAbove, suspendPerson } from '../organizations/suspend.ts'
import { makeOwner } from './owner.ts'
import { personOf, presentPerson, rankIn } from './present.ts'
import {
  type PersonRow,
  activePeopleBut,
  endAccess,
  findPerson,
  invitationsBy,
  listPeople,
  lockPeople,
  writeRoles,
} from './store.ts'
import { whoCan } from './who-can.ts'

const ORDER = {
  name: `lower(first_name || ' ' || last_name)`,
  email: 'email',
  lastLogin: 'login_at',
  status: 'status',
  activated: 'activated',
  created_at: 'created_at',
}

export const teammatesSlice = slice(teammates, {
  async list({ tx, actor }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listPeople(tx, {
      search: query.search ?? null,
      status: query.status ?? null,
      order: `${orderBy(query.ordering, ORDER)} NULLS LAST`,
      limit,
      offset,
    })
    const caller = await callerOf(tx, actor.userId)
    return { data: rows.map((row) => presentPerson(row, caller, actor)), meta: meta(total) }
  },

  async get(context, { id }) {
    return present(context, await personRow(context.tx, id))
  },

  async invite(context, { email, roleIds }) {
    const { tx, actor, services, change } = context
    await lockPeople(tx, actor.organizationId)
    refuse(assignProblem(await callerOf(tx, actor.userId), [], roleIds))
    const row = await personRow(tx, await createInvitation(tx, services, actor, email, roleIds))
    change.record(changeOf(null, row))
    return present(context, row)
  },

  async reinvite(context, { id }) {
    const { tx, actor, services, change } = context
    await lockPeople(tx, actor.organizationId)
    const before = await personRow(tx, id)
    if (!POSSIBLE[before.status].invite) throw new Failure(1484)
    refuse(assignProblem(await callerOf(tx, actor.userId), [], before.role_ids))
    await repeatInvitation(tx, services, actor, id)
    const after = await personRow(tx, id)
    change.record(changeOf(before, after))
    return present(context, after)
  },

  async remove({ tx, actor, change }, { id }) {
    const row = await reachable(tx, actor, id)
    // Removed and invited anew, they would be back.
    if (isAbove(row, rankIn(actor))) throw new Failure(1461)
    if (row.status === 'active') refuse(lastAdminProblem(await activePeopleBut(tx, id), null))
    // Who was only invited has nothing here yet.
    if (row.sent_at !== null) await tx.query('DELETE FROM invitation WHERE id = $1', [id])
    else await erasePerson(tx, { id, email: row.email, organizationId: actor.organizationId })
    change.record(changeOf(row, null))
    return { id }
  },

  async deactivate(context, { id }) {
    const { tx } = context
    const row = await reachable(tx, context.actor, id)
    if (!POSSIBLE[row.status].suspend) throw new Failure(1484)
    refuse(lastAdminProblem(await activePeopleBut(tx, id), null))
    await suspendPerson(tx, { user: id, suspended: true, by: 'organization' })
    await endAccess(tx, id)
    return changed(context, row)
  },

  async reactivate(context, { id }) {
    const row = await reachable(context.tx, context.actor, id)
    if (!POSSIBLE[row.status].reactivate) throw new Failure(1484)
    await suspendPerson(context.tx, { user: id, suspended: false, by: rankIn(context.actor) })
    return changed(context, row)
  },

  async transferOwnership(context, { id, ...proof }) {
    const { tx, actor } = context
    await lockPeople(tx, actor.organizationId)
    const row = await personRow(tx, id)
    if (!(await callerOf(tx, actor.userId)).isOwner) throw new Failure(1482)
    await confirmIdentity(context, proof)
    await makeOwner(tx, actor.organizationId, id)
    return changed(context, row)
  },

  async leave(context, { email, ...proof }) {
    const { tx, actor, services, reply, change } = context
    await lockPeople(tx, actor.organizationId)
    const row = await personRow(tx, actor.userId)
    if (email.toLowerCase() !== row.email)
      throw new Failure(400, { fields: [{ path: 'email', message: 'validation.invalid' }] })
    if (row.is_owner) throw new Failure(1488)
    if (row.is_operator) throw new Failure(403, { internal: 'nobody takes the operator role from themselves' })
    refuse(lastAdminProblem(await activePeopleBut(tx, row.id), null))
    await confirmIdentity(context, proof)
    await erasePerson(tx, { id: row.id, email: row.email, organizationId: actor.organizationId })
    clearSessionCookies(reply, services.config)
    change.record(changeOf(row, null))
    return {}
  },

  async rolesOf({ tx }, { id }) {
    const row = await personRow(tx, id)
    return { roleIds: row.role_ids, isOwner: row.is_owner }
  },

  async setRoles(context, { id, roleIds }) {
    const { tx, actor } = context
    await lockPeople(tx, actor.organizationId)
    const row = await personRow(tx, id)
    if (row.is_owner) throw new Failure(1480)
    const caller = await callerOf(tx, actor.userId)
    refuse(assignProblem(caller, row.role_ids, roleIds))
    if (row.status === 'active') refuse(lastAdminProblem(await activePeopleBut(tx, id), { ...personOf(row), roleIds }))
    const inOrder = ROLE_IDS.filter((one) => roleIds.includes(one))
    // Whoever could give all of it vouches for it from then on: it ends when they may not any more.
    const vouches = assignProblem(caller, [], inOrder) === null
    await tx.query(
      'UPDATE invitation SET role_ids = $2, inviter = coalesce($3, inviter), inviter_id = coalesce($4, inviter_id) WHERE id = $1',
      [id, inOrder, vouches ? actor.label : null, vouches ? actor.userId : null],
    )
    await writeRoles(tx, id, inOrder)
    await endInvitations(context, { ...personOf(row), roleIds: inOrder })
    return changed(context, row)
  },

  async roles({ tx, actor }) {
    const caller = await callerOf(tx, actor.userId)
    const assignable = (id: RoleId) => !actor.sandbox && mayAssign(caller, id)
    return {
      data: ROLE_IDS.map((id) => ({ id, assignable: assignable(id) })),
      ready: READY_ROLE_NAMES.map((id) => ({
        id,
        roleIds: [...READY_ROLES[id]],
        assignable: READY_ROLES[id].every(assignable),
      })),
    }
  },

  whoCan: ({ tx, actor }, { feature }) => whoCan(tx, actor, feature),
})

async function callerOf(tx: Tx, userId: string): Promise<Person> {
  const rows = await tx.query<{ id: string; is_owner: boolean; role_ids: RoleId[] }>(
    'SELECT id, is_owner, role_ids FROM app_user WHERE id = $1',
    [userId],
  )
  if (!rows[0]) throw new Error('the signed-in user has no row')
  return personOf(rows[0])
}

async function personRow(tx: Tx, id: string): Promise<PersonRow> {
  const row = await findPerson(tx, id)
  if (!row) throw new Failure(404)
  return row
}

/** Somebody whom the caller may suspend, bring back or remove; nobody else's change comes between. */
async function reachable(tx: Tx, actor: Context['actor'], id: string): Promise<PersonRow> {
  await lockPeople(tx, actor.organizationId)
  const row = await personRow(tx, id)
  if (row.is_operator && !actor.isOperator)
    throw new Failure(403, { internal: "operators are not their organisation's to lock out" })
  refuse(actOnProblem(await callerOf(tx, actor.userId), personOf(row)))
  return row
}

/** Those that somebody has sent and could not send with the roles they have now: they may lead to themselves. */
async function endInvitations({ tx, change }: Context, inviter: Person): Promise<void> {
  const mayInvite = permissionsOf(roleOf(inviter.roleIds)).has('AddUser')
  for (const { id, role_ids: given } of await invitationsBy(tx, inviter.id)) {
    if (mayInvite && assignProblem(inviter, [], given) === null) continue
    const row = await personRow(tx, id)
    await tx.query('DELETE FROM invitation WHERE id = $1', [id])
    change.record(changeOf(row, null))
  }
}

function refuse(problem: 1480 | 1481 | 1482 | 1483 | null): void {
  if (problem !== null) throw new Failure(problem)
}

async function present({ tx, actor }: Context, row: PersonRow): Promise<Teammate> {
  return presentPerson(row, await callerOf(tx, actor.userId), actor)
}

async function changed(context: Context, before: PersonRow): Promise<Teammate> {
  const after = await personRow(context.tx, before.id)
  context.change.record(changeOf(before, after))
  return present(context, after)
}

function changeOf(before: PersonRow | null, after: PersonRow | null): EntityChange {
  const kept = (row: PersonRow | null) =>
    row && {
      email: row.email,
      status: row.status,
      roles: row.role_ids,
      owner: row.is_owner,
      invitation_expires_at: row.expires_at?.toISOString() ?? null,
    }
  return {
    entity: 'teammate',
    id: (after ?? before)?.id ?? '',
    label: (after ?? before)?.email ?? '',
    before: kept(before),
    after: kept(after),
  }
}
