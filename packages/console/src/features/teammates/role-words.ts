import type { RoleId } from '@fairway/contract'
import { type Level, RESOURCES, type Resource, levelsOf } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'

/** What somebody may do, in words: the levels that are not none, in the order of the roles dialog. */
export function useRoleWords() {
  const { t } = useTranslation('teammates')
  const format = useFormat()
  return {
    resource: (resource: Resource) => t(`resource.${resource}`),
    level: (level: Level) => t(`level.${level}`),
    tier: (tier: number | null) => (tier === null ? t('level.none') : t('tier', { tier })),
    /** Ids as a record has them, tier of the API included. */
    ofIds: (ids: readonly unknown[]): string =>
      format.list(
        words(
          ids.filter((id) => typeof id === 'string'),
          true,
        ),
      ),
    /** Each as `DEM: Editor`. */
    list: (roleIds: readonly RoleId[]): string[] => words(roleIds, false),
  }
  function words(ids: readonly string[], withTier: boolean): string[] {
    const { levels, apiTier } = levelsOf(ids)
    const named = RESOURCES.flatMap((resource) => {
      const level = levels[resource]
      return level === undefined || level === 'none'
        ? []
        : [t('roleOf', { resource: t(`short.${resource}`), level: t(`level.${level}`) })]
    })
    return withTier && apiTier !== null
      ? [...named, t('roleOf', { resource: 'API', level: t('tier', { tier: apiTier }) })]
      : named
  }
}
