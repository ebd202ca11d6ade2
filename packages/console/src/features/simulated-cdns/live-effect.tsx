import { analyticsDem, overview } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import type { MapCountry } from '../../ui/charts/map-model.ts'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { asShares } from '../../ui/charts/time-series-model.ts'
import { WorldMap } from '../../ui/charts/world-map.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useChartLines } from '../analytics-dem/use-chart-lines.ts'
import { useMarks } from '../analytics-dem/use-marks.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { EventFeed } from '../overview/event-feed.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './live-effect.module.css'

const REFRESH_MS = 2000
const WINDOW_SECONDS = 600

type Answers = readonly { country: string; shares: readonly { cdnId: string; percent: number }[] }[]
type LiveEffectProps = { place: Place; answers: Answers | undefined; error: ApiError | null }

/**
 * What the faults do: the answer for each country now, the shares of all answers over the last minutes, and what
 * happened.
 */
export function LiveEffect({ place, answers, error }: LiveEffectProps) {
  const { t } = useTranslation('simulated-cdns')
  const format = useFormat()
  const { lookOf, all } = useCdnLooks()
  const counted = useRead(analyticsDem.routes.decisions, { ...place, seconds: WINDOW_SECONDS }, { everyMs: REFRESH_MS })
  const home = useRead(overview.routes.get, { site: place.site }, { everyMs: REFRESH_MS }).data
  const { lines, span, intervalMs } = useChartLines(
    counted.data && { intervalSeconds: counted.data.intervalSeconds, series: counted.data.answers },
  )
  const marks = useMarks(counted.data?.marks)
  const shares = useMemo(() => asShares(lines), [lines])
  const countries = useMemo(
    () =>
      (answers ?? []).map(({ country, shares: own }): MapCountry => ({
        country,
        shares: own.map(({ cdnId, percent }) => ({ key: cdnId, ...lookOf(cdnId), value: percent })),
      })),
    [answers, lookOf],
  )
  const legend = all
    .filter(({ id }) => countries.some((row) => row.shares.some(({ key }) => key === id)))
    .map(({ id, name, series }) => ({ key: id, name, series }))
  return (
    <>
      <div className={classes.columns}>
        <Card title={t('map')} hint={t('mapHint')}>
          {error && !answers && <ErrorState error={error} />}
          {!answers && !error && <Skeleton height={260} radius="md" />}
          {answers && (
            <WorldMap
              name={t('map')}
              countries={countries}
              legend={legend}
              formatValue={(value) => format.percent(Math.round(value))}
              strengthBy="none"
              describe={(country) =>
                (countries.find((row) => row.country === country)?.shares ?? []).map(
                  ({ key, name, series, value }) => ({ key, name, series, text: format.percent(Math.round(value)) }),
                )
              }
            />
          )}
        </Card>
        <Card title={t('shares')} hint={t('sharesHint')}>
          {counted.error && !counted.data && (
            <ErrorState error={counted.error} onRetry={() => void counted.refetch()} />
          )}
          {!counted.data && !counted.error && <Skeleton height={260} radius="md" />}
          {counted.data && (
            <TimeSeries
              name={t('shares')}
              lines={shares}
              span={span}
              intervalMs={intervalMs}
              marks={marks}
              look="areas"
              scale="percent"
              height={260}
              formatValue={(value) => format.percent(Math.round(value * 10) / 10)}
            />
          )}
        </Card>
      </div>
      {home && <EventFeed events={home.events} cdns={home.cdns} />}
    </>
  )
}
