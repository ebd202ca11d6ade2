import type { OrganizationRow } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../ui/marks/status-pill.tsx'

const TONES = { active: 'ok', payment_failed: 'bad', locked: 'bad' } as const

export function OrganizationState({
  organization: { status, suspended, sandbox },
}: {
  organization: Pick<OrganizationRow, 'status' | 'suspended' | 'sandbox'>
}) {
  const { t } = useTranslation('organizations')
  if (suspended) return <Pill tone="bad">{t('states.suspended')}</Pill>
  return (
    <Pill tone={sandbox && status === 'active' ? 'neutral' : TONES[status]}>
      {t(sandbox && status === 'active' ? 'sandbox' : `states.${status}`)}
    </Pill>
  )
}
