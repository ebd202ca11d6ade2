import { type ApiTier, type RoleId, teammates } from '@fairway/contract'
import { API_TIERS, LEVELS, RESOURCES, type Level, type Resource, levelsOf, roleIdsOf } from '@fairway/domain'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { useRoleWords } from './role-words.ts'
import classes from './roles-field.module.css'

type RolesFieldProps = { value: readonly RoleId[]; onChange: (roleIds: RoleId[]) => void; problem?: string | null }

/** A level of each resource and a tier of the API. What the caller may not give or take stays as it is, and says so. */
export function RolesField({ value, onChange, problem = null }: RolesFieldProps) {
  const { t } = useTranslation('teammates')
  const words = useRoleWords()
  const { data } = useRead(teammates.routes.roles, {})
  const assignable = new Set(data?.data.filter((role) => role.assignable).map(({ id }) => id))
  const { levels, apiTier } = levelsOf(value)
  const setLevel = (resource: Resource, level: Level) =>
    onChange(roleIdsOf({ levels: { ...levels, [resource]: level }, apiTier }))
  const setTier = (tier: ApiTier | null) => onChange(roleIdsOf({ levels, apiTier: tier }))
  const mayTier = (tier: ApiTier) => assignable.has(`api-tier-${tier}`)
  return (
    <div className={classes.roles}>
      <h3 className={classes.head}>{t('webRoles')}</h3>
      {RESOURCES.map((resource) => {
        const open = assignable.has(`${resource}-admin`)
        return (
          <RoleRow
            key={resource}
            name={words.resource(resource)}
            meaning={t(`meaningOf.${resource}.${levels[resource] ?? 'none'}`)}
            closed={data !== undefined && !open}
          >
            <Segmented
              full
              label={words.resource(resource)}
              value={levels[resource] ?? 'none'}
              onChange={(level) => setLevel(resource, level)}
              options={LEVELS.map((level) => ({ value: level, label: words.level(level), disabled: !open }))}
            />
          </RoleRow>
        )
      })}
      <h3 className={classes.head}>{t('apiRole')}</h3>
      <RoleRow
        name={t('apiResource')}
        meaning={t(`meaningOf.api.${apiTier ?? 'none'}`)}
        closed={data !== undefined && !mayTier(1)}
      >
        <Segmented
          full
          label={t('apiResource')}
          value={String(apiTier ?? 'none')}
          onChange={(tier) => setTier(API_TIERS.find((one) => String(one) === tier) ?? null)}
          options={[
            { value: 'none', label: words.level('none'), disabled: apiTier !== null && !mayTier(apiTier) },
            ...API_TIERS.map((tier) => ({
              value: String(tier),
              label: words.tier(tier),
              disabled: !mayTier(tier) || (apiTier !== null && !mayTier(apiTier)),
            })),
          ]}
        />
      </RoleRow>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

type RoleRowProps = { name: string; meaning: string; closed: boolean; children: React.ReactNode }

function RoleRow({ name, meaning, closed, children }: RoleRowProps) {
  const { t } = useTranslation('teammates')
  const id = useId()
  return (
    <div className={classes.row} role="group" aria-labelledby={id}>
      <p className={classes.name} id={id}>
        {name}
      </p>
      {children}
      <p className={classes.meaning}>{closed ? t('notYours') : meaning}</p>
    </div>
  )
}
