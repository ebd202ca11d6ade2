import type { Notification } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'

const TONES: Record<Notification['level'], Tone> = { critical: 'bad', warning: 'warn', notice: 'info', info: 'neutral' }

/** How urgent it was, or that it is over. */
export function LevelPill({ news: { level, endedAt, isIncident } }: { news: Notification }) {
  const { t } = useTranslation('notifications')
  return isIncident && endedAt !== null ? (
    <Pill tone="ok">{t('over')}</Pill>
  ) : (
    <Pill tone={TONES[level]}>{t(`level.${level}`)}</Pill>
  )
}
