import type { RoleId, TeammateStatus } from '@fairway/contract'
import { levelsOf } from './role-ids.ts'
import { API_TIERS, LEVELS, RESOURCES, type Resource } from './roles.ts'

/** Somebody of an organisation, as the rules about people see them. */
export type Person = { id: string; isOwner: boolean; roleIds: readonly string[] }

/**
 * 1480: the owner stays. 1481: nobody would be left to look after the people. 1482: above the caller's own rights.
 * 1483: not about oneself. 1484: the person is not in the state for it.
 */
export type PeopleProblem = 1480 | 1481 | 1482 | 1483 | 1484

const administers = (person: Person, resource: Resource): boolean =>
  person.isOwner || levelsOf(person.roleIds).levels[resource] === 'admin'

/**
 * Whether the caller may give this role and take it away: whoever administers the resource may; a tier of the API,
 * whoever administers sites and has that tier.
 */
export function mayAssign(caller: Person, id: RoleId): boolean {
  const tier = API_TIERS.find((one) => id === `api-tier-${one}`)
  if (tier !== undefined)
    return caller.isOwner || (administers(caller, 'site') && (levelsOf(caller.roleIds).apiTier ?? 0) >= tier)
  return RESOURCES.some((resource) => id.startsWith(`${resource}-`) && administers(caller, resource))
}

/**
 * Why the caller may not make these of those roles, or null. Only what changes counts; `before` is empty for somebody
 * new.
 */
export function assignProblem(caller: Person, before: readonly RoleId[], after: readonly RoleId[]): 1482 | null {
  const changed = [...before.filter((id) => !after.includes(id)), ...after.filter((id) => !before.includes(id))]
  return changed.every((id) => mayAssign(caller, id)) ? null : 1482
}

/**
 * Why the caller may not suspend, bring back or remove this person, or null. Somebody who may be more than the caller
 * in looking after people is out of reach.
 */
export function actOnProblem(caller: Person, target: Person): 1480 | 1482 | 1483 | null {
  if (target.isOwner) return 1480
  if (target.id === caller.id) return 1483
  if (caller.isOwner) return null
  const rank = (person: Person) => LEVELS.indexOf(levelsOf(person.roleIds).levels.teammate ?? 'none')
  return rank(target) > rank(caller) ? 1482 : null
}

/**
 * 1481 when, with this person gone or changed, no active owner or admin of teammates is left; `others` are the active
 * people besides.
 */
export function lastAdminProblem(others: readonly Person[], changed: Person | null): 1481 | null {
  return [...others, ...(changed ? [changed] : [])].some((person) => administers(person, 'teammate')) ? null : 1481
}

/** What may be done with somebody in this state, rights aside. */
export const POSSIBLE: Readonly<Record<TeammateStatus, { suspend: boolean; reactivate: boolean; invite: boolean }>> = {
  invited: { suspend: false, reactivate: false, invite: true },
  expired: { suspend: false, reactivate: false, invite: true },
  declined: { suspend: false, reactivate: false, invite: false },
  active: { suspend: true, reactivate: false, invite: false },
  suspended: { suspend: false, reactivate: true, invite: false },
}
