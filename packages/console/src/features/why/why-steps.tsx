import type { DecisionTrace } from '@fairway/contract'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { type NumberedStep, stepGroups, stepTone } from './step-groups.ts'
import { WhyCandidate } from './why-candidate.tsx'
import classes from './why-steps.module.css'

/** The strategies in the order they were read, each with what came of it. */
export function WhySteps({ trace }: { trace: DecisionTrace }) {
  const { t } = useTranslation('why-panel')
  const { read, notReached } = stepGroups(trace.steps)
  return (
    <section aria-labelledby="why-steps">
      <h3 className={classes.heading} id="why-steps">
        {t('steps')}
      </h3>
      <ol className={classes.steps}>
        {read.map((numbered) => (
          <Step key={numbered.step.strategyId ?? 'last-resort'} {...numbered} />
        ))}
      </ol>
      {notReached.length > 0 && (
        <details className={classes.rest}>
          <summary>
            <IconChevronDown size={14} stroke={1.8} aria-hidden className={classes.chevron} />
            {t('notReached', { count: notReached.length })}
          </summary>
          <ul>
            {notReached.map(({ step, position }) => (
              <li key={step.strategyId}>
                <span className="num">{position}</span> {step.name}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Step({ step, position }: NumberedStep) {
  const { t } = useTranslation(['why-panel', 'why', 'routing-strategies'])
  const tone = stepTone(step)
  return (
    <li className={classes.step} data-tone={tone}>
      <span className={`${classes.marker} num`} aria-hidden="true">
        {position ?? '–'}
      </span>
      <div className={classes.stepBody}>
        <div className={classes.stepHead}>
          <h4 className={classes.stepName}>
            {position !== null && <span className="sr-only">{t('stepNumber', { number: position })} </span>}
            {step.strategyId === null ? t('lastResort') : step.name}
          </h4>
          {step.method !== null && tone !== 'quiet' && (
            <span className={classes.method}>{t(`routing-strategies:method.${step.method}.name`)}</span>
          )}
          {step.mixedLevels && (
            <Pill tone="warn" title={t('mixedText')}>
              {t('mixed')}
            </Pill>
          )}
        </div>
        <p className={classes.reason}>{t(`why:step.${step.reason}`)}</p>
        {step.candidates.length > 0 && (
          <ul className={classes.candidates}>
            {step.candidates.map((candidate) => (
              <WhyCandidate key={candidate.cdnId} candidate={candidate} />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
