import { BalancerInput, streamBalancers } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { ShareTable } from '../../ui/data-table/flush-table.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { SampleChips } from '../why/sample-chips.tsx'
import { type BalancerDraft, inputOf } from './draft.ts'
import classes from './stream-balancers.module.css'

const SETTLE_MS = 350
const EVERY_MS = 5_000

/** What 1,000 sessions would get from the draft, by the measurements of now. */
export function EffectCard({ source, draft }: { source: string; draft: BalancerDraft }) {
  const { t } = useTranslation('stream-balancers')
  const format = useFormat()
  const words = usePlaceWords()
  const { lookOf } = useCdnLooks()
  const [client, setClient] = useState<string>()
  const [settled] = useDebouncedValue(draft, SETTLE_MS)
  const { mode, entries } = inputOf(settled)
  const isComplete = BalancerInput.safeParse({ isOn: true, mode, entries }).success
  const { data, error, refetch } = useRead(
    streamBalancers.routes.simulate,
    { source, mode, entries, ...(client === undefined ? {} : { client }) },
    { enabled: isComplete, everyMs: EVERY_MS },
  )
  return (
    <Card title={t('effect.title')} hint={t('effect.hint')}>
      <div className={classes.page}>
        <p className={classes.quiet}>{t('effect.place')}</p>
        <SampleChips
          chosen={client}
          onChoose={(address) => setClient((before) => (before === address ? undefined : address))}
        />
        {!isComplete && <p className={classes.quiet}>{t('effect.incomplete')}</p>}
        {isComplete && error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {isComplete && !data && !error && <Skeleton height={120} radius="md" />}
        {isComplete && data && !error && (
          <>
            <ShareTable
              label={t('effect.title')}
              what={t('entry')}
              columns={[t('effect.sessions'), t('effect.share')]}
              rows={data.shares.map(({ pathway, sessions, percent }) => ({
                key: pathway,
                name: lookOf(pathway).name,
                series: lookOf(pathway).series,
                share: percent,
                cells: [format.number(sessions), format.percent(percent)],
              }))}
            />
            <p className={classes.quiet}>
              {data.visitor === null ? t('effect.anywhere') : words.location(data.visitor.location)}
              {' · '}
              {data.measuredAt === null
                ? t('effect.unmeasured')
                : t('effect.measuredAt', { time: format.time(data.measuredAt) })}
            </p>
          </>
        )}
      </div>
    </Card>
  )
}
