import { analyticsDem } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { asShares } from '../../ui/charts/time-series-model.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useChartLines } from '../analytics-dem/use-chart-lines.ts'
import { useMarks } from '../analytics-dem/use-marks.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'

const WINDOW_SECONDS = 3600
const REFRESH_MS = 15_000

/** How the domain's answers were divided in the last hour, with the failovers in it. */
export function RecentShares({ place }: { place: Place }) {
  const { t } = useTranslation('cdn-management')
  const canSee = useCanCall(analyticsDem.routes.decisions)
  const { data, error, refetch } = useRead(
    analyticsDem.routes.decisions,
    { ...place, seconds: WINDOW_SECONDS },
    { enabled: canSee, everyMs: REFRESH_MS },
  )
  const format = useFormat()
  const { lines, span, intervalMs } = useChartLines(
    data && { intervalSeconds: data.intervalSeconds, series: data.answers },
  )
  const marks = useMarks(data?.marks)
  const shares = useMemo(() => asShares(lines), [lines])
  if (!canSee) return null
  return (
    <Card title={t('recent.title')} hint={t('recent.hint')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={220} radius="md" />}
      {data && (
        <TimeSeries
          name={t('recent.title')}
          lines={shares}
          span={span}
          intervalMs={intervalMs}
          marks={marks}
          look="areas"
          scale="percent"
          height={220}
          formatValue={(value) => format.percent(Math.round(value * 10) / 10)}
        />
      )}
    </Card>
  )
}
