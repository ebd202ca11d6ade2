import type { SecurityAction } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'

const TONES: Record<SecurityAction, Tone> = {
  pass: 'neutral',
  block: 'bad',
  'rate-limit': 'warn',
  redirect: 'bad',
  challenge: 'review',
  simulate: 'neutral',
}

/** What became of a request. */
export function ActionPill({ action }: { action: SecurityAction }) {
  const { t } = useTranslation('analytics-origin-shield')
  return <Pill tone={TONES[action]}>{t(`action.${action}`)}</Pill>
}
