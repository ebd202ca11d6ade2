import { analyticsMultiCdn } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { DateRange } from '../../ui/filters/date-range.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { customRange, rangeInput } from '../../ui/filters/range-search.ts'
import { LiveSwitch } from '../analytics-dem/live-switch.tsx'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import { useMarks } from '../analytics-dem/use-marks.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { MetricCharts } from './metric-charts.tsx'
import { METRICS, wholeIntervals, wholeUntil } from './metrics.ts'
import { PathsCard } from './paths-card.tsx'
import type { TrafficSearch } from './search.ts'
import classes from './screen.module.css'
import { TrafficChips } from './traffic-chips.tsx'
import { TrafficFigures } from './traffic-figures.tsx'
import { VendorNote } from './vendor-note.tsx'

const RequestsDrawer = onDemand(async () => (await import('./requests-drawer.tsx')).RequestsDrawer)
const DEFAULT_RANGE = '24h'
const DEFAULT_METRICS = METRICS.filter((metric) => metric !== 'byteHitRatio' && metric !== 'clientErrors')

type Change = (change: Partial<TrafficSearch>) => void

/** Traffic of one site, or of one of its domains. */
export function SiteTrafficScreen() {
  const { site, domain } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/analytics/multi-cdn' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/analytics/multi-cdn' })
  return (
    <Traffic
      scope={{ site: site.id, ...(domain ? { domain: domain.id } : {}) }}
      fileName={`${domain?.name ?? site.domainName}-traffic`}
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  )
}

/** Traffic of all sites of the organisation. */
export function AllTrafficScreen() {
  const search = useSearch({ from: '/shell/analytics/multi-cdn' })
  const navigate = useNavigate({ from: '/analytics/multi-cdn' })
  return (
    <Traffic
      scope={{}}
      fileName="traffic"
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  )
}

function Traffic({
  scope,
  fileName,
  search,
  onSearch,
}: {
  scope: { site?: string; domain?: string }
  fileName: string
  search: TrafficSearch
  onSearch: Change
}) {
  const { t } = useTranslation('analytics-multi-cdn')
  const {
    range = DEFAULT_RANGE,
    live = false,
    metrics = DEFAULT_METRICS,
    compare = false,
    by = 'cdn',
    measure = 'requests',
    at,
    path,
    cdn,
    status,
    cache,
    country,
  } = search
  const window = rangeInput(range)
  const isLive = live && window.until === undefined
  const filter = {
    ...(cdn === undefined ? {} : { cdn }),
    ...(status === undefined ? {} : { status }),
    ...(cache === undefined ? {} : { cache }),
    ...(country === undefined ? {} : { country }),
  }
  const place = { ...scope, ...window, ...filter }
  const query = useRead(analyticsMultiCdn.routes.report, place, isLive ? { everyMs: LIVE_MS } : {})
  const report = useMemo(() => query.data && wholeIntervals(query.data, Date.now()), [query.data])
  const until = useMemo(() => (query.data ? wholeUntil(query.data, Date.now()) : 0), [query.data])
  const marks = useMarks(report?.marks)
  const zoom = ({ from, to }: { from: number; to: number }) =>
    onSearch({ range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000), live: undefined })
  const point = (moment: number) => onSearch({ at: Math.floor(moment / 1000) })
  const intervalMs = (query.data?.intervalSeconds ?? 60) * 1000
  const first = query.data?.points[0]?.at ?? 0
  const span =
    at === undefined
      ? { from: first, to: (query.data?.points.at(-1)?.at ?? first) + intervalMs }
      : { from: at * 1000, to: at * 1000 + intervalMs }
  const isNarrowed = Object.keys(filter).length > 0
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t(scope.site === undefined ? 'meaningAll' : 'meaning')}
        actions={
          <>
            {scope.site !== undefined && (
              <LinkButton to="/analytics/multi-cdn" variant="default">
                {t('allSites')}
              </LinkButton>
            )}
            <DateRange
              value={range}
              onChange={(next) => onSearch({ range: next === DEFAULT_RANGE ? undefined : next })}
            />
            <LiveSwitch
              on={isLive}
              disabled={window.until !== undefined}
              onChange={(on) => onSearch({ live: on || undefined })}
            />
          </>
        }
      />
      <Gate route={analyticsMultiCdn.routes.report} meaning={t('meaning')}>
        <div className={classes.root}>
          <TrafficChips filter={filter} onRemove={(key) => onSearch({ [key]: undefined })} />
          {!report &&
            (query.error ? (
              <ErrorState error={query.error} onRetry={() => void query.refetch()} />
            ) : (
              <div className={classes.root} aria-busy="true">
                <Skeleton height={116} radius="lg" />
                <Skeleton height={460} radius="lg" />
              </div>
            ))}
          {report && <VendorNote report={report} />}
          {report && report.totals.requests === 0 && (
            <Card>
              <EmptyTeach title={t('empty.title')} text={t(isNarrowed ? 'empty.textNarrowed' : 'empty.text')} />
            </Card>
          )}
          {report && report.totals.requests > 0 && (
            <div className={classes.root} data-dimmed={query.isPlaceholderData || undefined}>
              <TrafficFigures report={report} />
              <MetricCharts
                report={report}
                fileName={fileName}
                chosen={metrics}
                compare={compare}
                onChosen={(next) => onSearch({ metrics: next })}
                onCompare={(on) => onSearch({ compare: on || undefined })}
                onZoom={zoom}
                onPoint={point}
              />
              <BreakdownCard
                place={place}
                isLive={isLive}
                fileName={fileName}
                by={by}
                measure={measure}
                until={until}
                marks={marks}
                onBy={(next) => onSearch({ by: next === 'cdn' ? undefined : next })}
                onMeasure={(next) => onSearch({ measure: next === 'requests' ? undefined : next })}
                onNarrow={(key, value) => onSearch({ [key]: value })}
                onZoom={zoom}
                onPoint={point}
              />
              <PathsCard
                place={place}
                isNarrowed={isNarrowed}
                isLive={isLive}
                onPath={(chosen) => onSearch({ path: chosen })}
              />
            </div>
          )}
        </div>
        <RequestsDrawer
          opened={(at !== undefined || path !== undefined) && query.data !== undefined}
          onClose={() => onSearch({ at: undefined, path: undefined })}
          place={place}
          span={span}
          path={path}
        />
      </Gate>
    </>
  )
}
