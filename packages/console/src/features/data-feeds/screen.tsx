import { dataFeeds, type DataFeeds, type FeedName } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { Age } from '../../ui/marks/age.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { AgreementCard } from './agreement-card.tsx'
import { ErrorReportsCard } from './error-reports-card.tsx'
import { FeedsCard } from './feeds-card.tsx'
import { OutsideFeedsCard } from './outside-feeds-card.tsx'
import classes from './screen.module.css'

const MovesDrawer = lazy(async () => ({ default: (await import('./moves-drawer.tsx')).MovesDrawer }))

const REFRESH_MS = 10_000

/** Which sources the decisions of a domain are made by, how they agree, and who would move without one. */
export function DataFeedsScreen() {
  const { t } = useTranslation('data-feeds')
  const { site, domain } = useScope()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={dataFeeds.routes.list} meaning={t('meaning')}>
        {domain ? (
          <DataFeedsOf place={{ site: site.id, domain: domain.id }} />
        ) : (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/dem/data-feeds" />
        )}
      </Gate>
    </>
  )
}

function DataFeedsOf({ place }: { place: { site: string; domain: string } }) {
  const { without, outside } = useSearch({ from: '/shell/$site/{-$domain}/dem/data-feeds' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/dem/data-feeds' })
  const { data, error, refetch } = useRead(dataFeeds.routes.list, place, { everyMs: REFRESH_MS })
  const choose = (feed: string | undefined) => void navigate({ search: { outside: feed }, replace: true })
  const tryWithout = (feed: FeedName | undefined) => void navigate({ search: { without: feed }, replace: true })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={520} radius="lg" />
  return (
    <div className={classes.root}>
      <Figures data={data} />
      <FeedsCard feeds={data.feeds} windowSeconds={data.windowSeconds} onWithout={tryWithout} />
      <AgreementCard data={data} />
      <OutsideFeedsCard
        place={place}
        cdnId={data.errorReporting.cdns[0]?.cdnId ?? 'cdn'}
        chosen={outside}
        onChoose={choose}
      />
      <ErrorReportsCard reporting={data.errorReporting} />
      <Suspense fallback={null}>
        {without && <MovesDrawer place={place} feed={without} onClose={() => tryWithout(undefined)} />}
      </Suspense>
    </div>
  )
}

function Figures({ data }: { data: DataFeeds }) {
  const { t } = useTranslation('data-feeds')
  const format = useFormat()
  const deciding = data.feeds.filter(({ decides, switchedOff }) => decides && !switchedOff)
  const newest = deciding
    .flatMap(({ newestAt }) => newestAt ?? [])
    .toSorted()
    .at(-1)
  const measured = data.places - data.unmeasured
  return (
    <StatRow
      label={t('title')}
      stats={[
        {
          label: t('stat.measured'),
          value: data.places === 0 ? '—' : format.percent((100 * measured) / data.places),
          note: t('stat.places', { number: format.number(measured), all: format.number(data.places) }),
        },
        {
          label: t('stat.samples'),
          value: format.compact(deciding.reduce((sum, { samples }) => sum + samples, 0)),
          note: t('window', { minutes: format.number(data.windowSeconds / 60) }),
        },
        { label: t('stat.newest'), value: newest === undefined ? '—' : <Age at={newest} /> },
        {
          label: t('stat.apart'),
          value: format.number(data.differences.length + data.disagreements.length),
          note: t('stat.apartNote'),
        },
      ]}
    />
  )
}
