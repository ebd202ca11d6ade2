import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Scope, useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { useTutorial } from '../account/use-tutorial.ts'
import classes from './first-steps.module.css'

const STEPS = [
  { key: 'records', to: '/$site/{-$domain}/dns/dns-records', isDone: ({ site }: Scope) => site.recordCount > 0 },
  {
    key: 'nameservers',
    to: '/$site/{-$domain}/dns/dns-records',
    isDone: ({ site }: Scope) => site.dnsState === 'verified',
  },
  { key: 'domain', to: '/$site/{-$domain}/dns/dns-records', isDone: ({ domains }: Scope) => domains.length > 0 },
  {
    key: 'cdns',
    to: '/$site/{-$domain}/multi-cdn/cdn-management',
    isDone: ({ domains }: Scope) => domains.some(({ cdnIds }) => cdnIds.length > 1),
  },
] as const

/** Are there first steps to show? Not once all are done, nor to who has had enough of them. */
export function useFirstSteps(): boolean {
  const scope = useScope()
  return useTutorial().shown === true && STEPS.some(({ isDone }) => !isDone(scope))
}

/** What a new site needs, with what is there already. */
export function FirstSteps() {
  const { t } = useTranslation('overview')
  const scope = useScope()
  const { show } = useTutorial()
  const done = STEPS.filter(({ isDone }) => isDone(scope))
  const next = STEPS.find(({ isDone }) => !isDone(scope))
  return (
    <Card
      title={t('first.title')}
      hint={t('first.done', { done: done.length, count: STEPS.length })}
      end={
        <Button variant="subtle" size="compact-sm" onClick={() => show(false)}>
          {t('first.hide')}
        </Button>
      }
      flush
    >
      <ol className={classes.steps}>
        {STEPS.map((step, at) => {
          const isDone = done.includes(step)
          return (
            <li key={step.key} className={classes.step} data-done={isDone || undefined}>
              <span className={classes.mark} aria-hidden>
                {isDone ? <IconCheck size={13} stroke={2.4} /> : at + 1}
              </span>
              <span className={classes.name}>
                {t(`first.${step.key}.name`)}
                {isDone && <span className="sr-only"> {t('first.isDone')}</span>}
              </span>
              <span className={classes.text}>{t(`first.${step.key}.text`)}</span>
              {step === next && (
                <Link
                  className={`link ${classes.way}`}
                  to={step.to}
                  params={{ site: scope.site.domainName, domain: undefined }}
                >
                  {t(`first.${step.key}.way`)}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
