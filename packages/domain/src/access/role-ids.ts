import { ROLE_IDS, type RoleId } from '@fairway/contract'
import type { ApiTier } from '@fairway/contract'
import { API_TIERS, LEVELS, type Level, RESOURCES, type Resource, type Role } from './roles.ts'

type LevelsAndTier = { levels: Partial<Record<Resource, Level>>; apiTier: ApiTier | null }

/** What role ids mean; of two levels of one resource the higher one counts. Ids that are none are nothing. */
export function roleOf(ids: readonly string[], isOwner = false): Role {
  return isOwner ? { owner: true } : levelsOf(ids)
}

export function levelsOf(ids: readonly string[]): LevelsAndTier {
  const levels: Partial<Record<Resource, Level>> = {}
  for (const resource of RESOURCES) {
    const level = LEVELS.findLast((one) => ids.includes(`${resource}-${one}`))
    if (level) levels[resource] = level
  }
  return { levels, apiTier: API_TIERS.findLast((tier) => ids.includes(`api-tier-${tier}`)) ?? null }
}

/** The role ids of levels and a tier, in the order of the catalogue. */
export function roleIdsOf({ levels, apiTier }: LevelsAndTier): RoleId[] {
  const chosen = new Set<string>(RESOURCES.map((resource) => `${resource}-${levels[resource] ?? 'none'}`))
  if (apiTier !== null) chosen.add(`api-tier-${apiTier}`)
  return ROLE_IDS.filter((id) => chosen.has(id))
}
