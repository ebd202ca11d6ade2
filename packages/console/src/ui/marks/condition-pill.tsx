import type { Condition, ConditionState } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { useDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import type { Tone } from './states.ts'
import { Pill } from './status-pill.tsx'

export const TONE_OF_CONDITION: Record<ConditionState, Tone> = {
  loading: 'neutral',
  unknown: 'neutral',
  operational: 'ok',
  degraded: 'warn',
  down: 'bad',
  'coming-back': 'info',
}

/** Why it is so, in a sentence: the condition and the clock of what is coming back among them. */
export function useConditionReason(): (condition: Condition) => string {
  const { t } = useTranslation('condition')
  const format = useFormat()
  const duration = useDuration()
  return (condition) => {
    switch (condition.state) {
      case 'unknown':
      case 'down':
        return t(`reason.${condition.why}`)
      case 'degraded':
        return t('reason.degraded', {
          now: format.percent(condition.availability),
          threshold: format.percent(condition.threshold),
        })
      case 'coming-back': {
        const window = duration((condition.until - condition.since) / 1000)
        return condition.availability === null
          ? t('reason.coming-back-unmeasured', { window })
          : t('reason.coming-back', {
              window,
              threshold: format.percent(condition.threshold),
              now: format.percent(condition.availability),
              time: format.time(condition.until),
            })
      }
      default:
        return t(`reason.${condition.state}`)
    }
  }
}

/** The condition of one thing in a word, with its clock; why it is so on hover. */
export function ConditionPill({ condition }: { condition: Condition }) {
  const { t } = useTranslation('condition')
  const format = useFormat()
  const reason = useConditionReason()(condition)
  const word =
    condition.state === 'down' && condition.since !== null
      ? t('downSince', { time: format.time(condition.since) })
      : condition.state === 'coming-back'
        ? t('backSince', { time: format.time(condition.since) })
        : t(`state.${condition.state}`)
  return (
    <Pill tone={TONE_OF_CONDITION[condition.state]} busy={condition.state === 'coming-back'} title={reason}>
      {word}
    </Pill>
  )
}
