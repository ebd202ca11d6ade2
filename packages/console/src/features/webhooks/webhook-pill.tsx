import type { Webhook } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../ui/marks/status-pill.tsx'

/** On, off, or why it was switched off or does not get through. */
export function WebhookPill({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  if (!enabled)
    return (
      <Pill tone={disabledReason === null ? 'neutral' : 'bad'}>
        {t(disabledReason === null ? 'off' : `offBecause.${disabledReason}`)}
      </Pill>
    )
  return failingSince === null ? <Pill tone="ok">{t('on')}</Pill> : <Pill tone="warn">{t('failing')}</Pill>
}
