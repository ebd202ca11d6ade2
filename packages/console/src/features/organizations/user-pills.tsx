import type { UserRow } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../ui/marks/status-pill.tsx'

/** What is special about a user. */
export function UserPills({ user: { suspended, isOperator, administersPartner, emailVerified } }: { user: UserRow }) {
  const { t } = useTranslation('organizations')
  return (
    <>
      {suspended && <Pill tone="bad">{t('states.suspended')}</Pill>}
      {!emailVerified && <Pill tone="warn">{t('unverified')}</Pill>}
      {isOperator && <Pill tone="review">{t('operator')}</Pill>}
      {administersPartner && <Pill tone="info">{t('administrator')}</Pill>}
    </>
  )
}
