import { DecisionId, type DecisionTrace, IpAddress, SessionId, streamBalancers } from '@fairway/contract'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { WhySteps } from '../why/why-steps.tsx'
import classes from './stream-balancers.module.css'

type Question = { decision: string } | { session: string } | { client: string }

function questionOf(text: string): Question | null {
  if (DecisionId.safeParse(text).success) return { decision: text }
  if (SessionId.safeParse(text).success) return { session: text }
  return IpAddress.safeParse(text).success ? { client: text } : null
}

/** Why a viewer got a CDN: by the decision or session that the player was given, or by an address. */
export function WhyCard({ source }: { source: string }) {
  const { t } = useTranslation('stream-balancers')
  const [typed, setTyped] = useState('')
  const [question, setQuestion] = useState<Question | null>(null)
  const [isWrong, setWrong] = useState(false)
  return (
    <Card title={t('why.title')} hint={t('why.hint')}>
      <div className={classes.page}>
        <form
          className={classes.ask}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const next = questionOf(typed.trim())
            setWrong(next === null)
            setQuestion(next)
          }}
        >
          <TextInput
            className={classes.asked}
            label={t('why.field')}
            value={typed}
            error={isWrong ? t('why.wrong') : null}
            maxLength={64}
            spellCheck={false}
            autoComplete="off"
            classNames={{ input: classes.mono }}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" variant="default">
            {t('why.ask')}
          </Button>
        </form>
        {question && <WhyAnswer source={source} question={question} />}
      </div>
    </Card>
  )
}

function WhyAnswer({ source, question }: { source: string; question: Question }) {
  const { t } = useTranslation('stream-balancers')
  const format = useFormat()
  const words = usePlaceWords()
  const { lookOf } = useCdnLooks()
  const { data, error, refetch, isPlaceholderData } = useRead(streamBalancers.routes.why, { source, ...question })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || isPlaceholderData) return <Skeleton height={220} radius="md" />
  const { visitor, priority, decision, decisionId, session, said, by } = data
  return (
    <div className={classes.page} role="status">
      {by === 'api' && <Notice tone="warn">{t('why.byApi')}</Notice>}
      <p className={classes.quiet}>
        {words.location(visitor.location)} ·{' '}
        <code>
          {visitor.address}/{visitor.prefixLength}
        </code>
      </p>
      <ol className={classes.order} aria-label={t('why.order')}>
        {priority.map((pathway, index) => (
          <li key={pathway}>
            <CdnName {...lookOf(pathway)} strong={index === 0} />
          </li>
        ))}
      </ol>
      <p className={classes.quiet}>
        {[
          ...(decisionId === null ? [t('why.address')] : [t('why.decision', { id: decisionId })]),
          ...(session === null ? [] : [t('why.session', { id: session })]),
          t('why.decidedAt', { time: format.time(data.decidedAt), node: data.node }),
          ...(said.pathway === null ? [] : [t('why.saidPathway', { name: lookOf(said.pathway).name })]),
          ...(said.throughput === null
            ? []
            : [t('why.saidThroughput', { mbps: format.number(Math.round(said.throughput / 100_000) / 10) })]),
        ].join(' · ')}
      </p>
      <WhySteps trace={useNamedSteps(decision.trace)} />
    </div>
  )
}

/** The strategies of a balancer are made by us, and so named in the language of the page. */
function useNamedSteps(trace: DecisionTrace): DecisionTrace {
  const { t } = useTranslation('stream-balancers')
  const nameOf = (id: string | null, name: string) =>
    id === 'measured' || id === 'weights' ? t(`strategy.${id}`) : name
  return { ...trace, steps: trace.steps.map((step) => ({ ...step, name: nameOf(step.strategyId, step.name) })) }
}
