import type { Teammate } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { LabelTag } from '../../ui/marks/type-tag.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { nameOf } from './person-name.ts'
import classes from './person-cells.module.css'
import { useRoleWords } from './role-words.ts'

export function NameCell({ person }: { person: Teammate }) {
  const { t } = useTranslation('teammates')
  const isNamed = person.firstName !== ''
  return (
    <span className={classes.name}>
      <span className={isNamed ? classes.strong : classes.quiet} title={nameOf(person)}>
        {isNamed ? nameOf(person) : t('notNamed')}
      </span>
      {person.isOwner && <LabelTag>{t('owner')}</LabelTag>}
      {person.isSelf && <LabelTag>{t('you')}</LabelTag>}
    </span>
  )
}

export const EmailCell = ({ person }: { person: Teammate }) => (
  <span className={classes.email} title={person.email}>
    {person.email}
  </span>
)

const STATE = {
  invited: 'invite-pending',
  expired: 'expired',
  declined: 'declined',
  active: 'active',
  suspended: 'suspended',
} as const

export function StatusCell({ person }: { person: Teammate }) {
  const { t } = useTranslation('teammates')
  const format = useFormat()
  const until = person.invitationExpiresAt
  if (person.declinedWhy !== null)
    return (
      <span title={t(`declinedWhy.${person.declinedWhy}`)}>
        <StatusPill state="declined" />
        {person.declinedWhy === 'has-account' && <span className={classes.why}>{t('declinedWhy.has-account')}</span>}
      </span>
    )
  const endText = (isOver: boolean, time: string) => (isOver ? t('ranOut', { time }) : t('runsOut', { time }))
  return (
    <span title={until === null ? undefined : endText(person.status === 'expired', format.exact(Date.parse(until)))}>
      <StatusPill state={STATE[person.status]} />
    </span>
  )
}

export function RolesCell({ person }: { person: Teammate }) {
  const { t } = useTranslation('teammates')
  const words = useRoleWords()
  if (person.isOwner) return <span>{t('everything')}</span>
  const list = words.list(person.roleIds)
  const text = list.length === 0 ? t('noRoles') : list.join(' · ')
  return (
    <span className={list.length === 0 ? classes.quiet : undefined} title={list.join('\n') || undefined}>
      {text}
    </span>
  )
}

export function ActivatedCell({ person }: { person: Teammate }) {
  const { t } = useTranslation('teammates')
  return <span className={person.activated ? undefined : classes.quiet}>{t(person.activated ? 'yes' : 'notYet')}</span>
}

export const TimeCell = ({ at }: { at: string | null }) =>
  at === null ? <span className={classes.quiet}>—</span> : <Age at={at} />
