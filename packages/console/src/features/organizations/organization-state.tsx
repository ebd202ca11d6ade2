import type { OrganizationRow } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../ui/marks/status-pill.tsx'

const TONES = { active: 'ok', payment_failed: 'bad', locked: 'bad' } as const

export function OrganizationState({
  organization: { status, suspended, sandbox, closesAt, closedAt },
}: {
  organization: Pick<OrganizationRow, 'status' | 'suspended' | 'sandbox' | 'closesAt' | 'closedAt'>
}) {
  const { t } = useTranslation('organizations')
  if (closedAt !== null) return <Pill tone="neutral">{t('states.closed')}</Pill>
  if (closesAt !== null) return <Pill tone="warn">{t('states.closing')}</Pill>
  if (suspended) return <Pill tone="bad">{t('states.suspended')}</Pill>
  return (
    <Pill tone={sandbox && status === 'active' ? 'neutral' : TONES[status]}>
      {t(sandbox && status === 'active' ? 'sandbox' : `states.${status}`)}
    </Pill>
  )
}
