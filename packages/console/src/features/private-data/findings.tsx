import type { ObjectFinding } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './private-data.module.css'

const TONE: Record<ObjectFinding['state'], Tone> = { good: 'ok', fault: 'bad', advice: 'warn', unknown: 'neutral' }

/** What was seen of a test object, and what mends each fault. */
export function Findings({ findings }: { findings: readonly ObjectFinding[] }) {
  const { t } = useTranslation('private-data')
  return (
    <ul className={classes.list} aria-label={t('findings')}>
      {findings.map(({ check, state, seen }) => (
        <li key={check} className={classes.finding}>
          <div className={classes.line}>
            <span className={classes.strong}>{t(`check.${check}`)}</span>
            {seen !== '' && <code className={classes.seen}>{seen}</code>}
            <span className={classes.end}>
              <Pill tone={TONE[state]}>{t(`found.${state}`)}</Pill>
            </span>
          </div>
          {(state === 'fault' || state === 'advice') && <p className={classes.quiet}>{t(`mend.${check}`)}</p>}
        </li>
      ))}
    </ul>
  )
}
