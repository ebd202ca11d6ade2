import { type RoleId, teammates } from '@fairway/contract'
import { readyRoleOf } from '@fairway/domain'
import { Skeleton } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import classes from './ready-roles.module.css'

type ReadyRolesProps = { value: readonly RoleId[]; onChange: (roleIds: RoleId[]) => void }

/** Roles for usual work, one click each; what is in them is shown and changed below. */
export function ReadyRoles({ value, onChange }: ReadyRolesProps) {
  const { t } = useTranslation('teammates')
  const id = useId()
  const { data, isPending } = useRead(teammates.routes.roles, {})
  const offered = data?.ready.filter(({ assignable }) => assignable) ?? []
  const chosen = readyRoleOf(value)
  if (isPending) return <Skeleton className={classes.coming} />
  if (offered.length === 0) return null
  return (
    <div className={classes.ready} role="group" aria-labelledby={id}>
      <p className={classes.head} id={id}>
        {t('ready.title')}
      </p>
      <div className={classes.choices}>
        {offered.map((role) => (
          <button
            key={role.id}
            type="button"
            className={classes.choice}
            aria-pressed={chosen === role.id}
            onClick={() => onChange(chosen === role.id ? [] : [...role.roleIds])}
          >
            <span className={classes.name}>{t(`ready.${role.id}.name`)}</span>
            <span className={classes.text}>{t(`ready.${role.id}.text`)}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
