import type { Teammate } from '@fairway/contract'
import { POSSIBLE, type Person, actOnProblem, assignProblem } from '@fairway/domain'
import type { UserActor } from '../../http/actor.ts'
import { type SuspendedBy, isAbove } from '../organizations/suspend.ts'
import type { PersonRow } from './store.ts'

/** As whom somebody lifts what holds a colleague. */
export const rankIn = ({ isOperator }: Pick<UserActor, 'isOperator'>): SuspendedBy =>
  isOperator ? 'house' : 'organization'

export const personOf = ({ id, is_owner, role_ids }: Pick<PersonRow, 'id' | 'is_owner' | 'role_ids'>): Person => ({
  id,
  isOwner: is_owner,
  roleIds: role_ids,
})

/** A person as the caller sees them, with what the caller may do about them. */
export function presentPerson(row: PersonRow, caller: Person, actor: UserActor): Teammate {
  const { permissions, sandbox, isOperator } = actor
  const reachable = !sandbox && (isOperator || !row.is_operator) && actOnProblem(caller, personOf(row)) === null
  // Whoever looks on as somebody gives nobody a way in that lasts.
  const gives = !sandbox && actor.impostor === null
  const possible = POSSIBLE[row.status]
  const edits = permissions.has('EditUser')
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    isOwner: row.is_owner,
    isSelf: row.id === caller.id,
    status: row.status,
    activated: row.activated,
    lastLoginAt: row.login_at?.toISOString() ?? null,
    invitedAt: row.sent_at?.toISOString() ?? null,
    invitationExpiresAt: row.expires_at?.toISOString() ?? null,
    declinedWhy: row.declined_why,
    roleIds: row.role_ids,
    apiKeys: { count: row.key_count, lastUsedAt: row.key_used_at?.toISOString() ?? null },
    may: {
      roles: edits && gives && !row.is_owner,
      suspend: edits && reachable && possible.suspend,
      reactivate: edits && gives && reachable && possible.reactivate && !isAbove(row, rankIn(actor)),
      remove: permissions.has('RemoveUser') && reachable && !isAbove(row, rankIn(actor)),
      invite:
        permissions.has('AddUser') && gives && possible.invite && assignProblem(caller, [], row.role_ids) === null,
      own: gives && edits && caller.isOwner && row.status === 'active' && row.activated && !row.is_owner,
      leave: gives && row.id === caller.id && !row.is_owner && !row.is_operator,
    },
  }
}
