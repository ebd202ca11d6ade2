import { analyticsOriginShield, SHIELD_DIMENSIONS, type ShieldDimension } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Breakdown } from '../../ui/charts/breakdown.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, spanOf } from '../../ui/charts/time-series-model.ts'
import { ShareTable } from '../../ui/data-table/flush-table.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { chartCsv, downloadText } from '../analytics-dem/csv.ts'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import type { TabProps } from './tab-props.ts'
import { useShieldWords } from './use-shield-words.ts'

const OTHER_SERIES = 6
/** Dimensions that the page can be narrowed by. */
const NARROWING = ['part', 'action', 'rule', 'country'] as const
const isNarrowing = (by: ShieldDimension): by is (typeof NARROWING)[number] => NARROWING.some((known) => known === by)

type Props = TabProps & {
  measure: 'requests' | 'traffic'
  /** Only these parts; all where it is absent. */ parts?: readonly string[]
}

/** What web security did, told apart by what the reader chooses, with the shares below. */
export function BreakdownCard({
  place,
  filter,
  isLive,
  fileName,
  by = 'action',
  measure,
  parts,
  onBy,
  onNarrow,
  onZoom,
}: Props) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const { nameOf } = useShieldWords()
  const scope = { ...place, ...filter, ...(filter.part === undefined && parts ? { part: parts.join(',') } : {}) }
  const query = useRead(analyticsOriginShield.routes.breakdown, { ...scope, by }, isLive ? { everyMs: LIVE_MS } : {})
  const report = query.data
  const intervalMs = (report?.intervalSeconds ?? 60) * 1000
  const write = measure === 'traffic' ? format.bytes : format.number
  const short = measure === 'traffic' ? format.bytes : format.compact
  const lines = useMemo(
    () =>
      (report?.series ?? []).map(({ value, name, other, points }, index): ChartLine => {
        const own = points.map((point) => ({
          at: point.at,
          value: measure === 'traffic' ? point.bytes : point.requests,
          samples: point.requests,
        }))
        return {
          key: other ? 'other' : `=${value}`,
          name: other ? t('other') : nameOf(by, value, name),
          series: other ? OTHER_SERIES : index + 1,
          points: own.filter(({ at }) => at + intervalMs <= Date.now()),
          total: short(own.reduce((sum, point) => sum + point.value, 0)),
        }
      }),
    [report, by, measure, intervalMs, nameOf, short, t],
  )
  const options = SHIELD_DIMENSIONS.filter((one) => one !== 'domain' || place.domain === undefined).map((value) => ({
    value,
    label: t(`by.${value}`),
  }))
  const bytes = (report?.shares ?? []).reduce((sum, share) => sum + share.bytes, 0)
  const whole = measure === 'traffic' ? bytes : (report?.total ?? 0)
  return (
    <Card
      title={t('apart')}
      flush
      end={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} stroke={1.65} />}
          disabled={!report?.total}
          onClick={() => downloadText(`${fileName}-${by}.csv`, chartCsv(lines, measure, by), 'text/csv')}
        >
          {t('export')}
        </Button>
      }
    >
      <Breakdown
        choice={
          <Segmented
            label={t('byLabel')}
            value={by}
            onChange={(next) => onBy(next === 'action' ? undefined : next)}
            options={options}
          />
        }
        stale={query.isPlaceholderData}
        instead={
          report ? (
            report.total === 0 ? (
              <EmptyTeach title={t('quiet.title')} text={t('quiet.text')} />
            ) : undefined
          ) : query.error ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Skeleton height={380} radius="sm" />
          )
        }
        chart={
          <TimeSeries
            name={t('chartOf', { by: t(`by.${by}`) })}
            lines={lines}
            span={spanOf(lines, intervalMs)}
            intervalMs={intervalMs}
            look="areas"
            scale="zero"
            formatValue={write}
            formatAxis={short}
            height={220}
            onZoom={onZoom}
          />
        }
        table={
          report && (
            <ShareTable
              label={t('shares')}
              what={t(`by.${by}`)}
              columns={[t('share'), t('events'), t('bytes')]}
              rows={report.shares.map(({ value, name, requests, bytes: sent }, index) => {
                const share = whole === 0 ? 0 : ((measure === 'traffic' ? sent : requests) / whole) * 100
                const words = nameOf(by, value, name)
                return {
                  key: value,
                  name: words,
                  share,
                  series: index < OTHER_SERIES ? index + 1 : OTHER_SERIES,
                  cells: [format.percent(Math.round(share * 10) / 10), format.number(requests), format.bytes(sent)],
                  ...(isNarrowing(by)
                    ? {
                        narrow: { title: t('narrow', { value: words }), onClick: () => onNarrow({ [by]: value }) },
                      }
                    : {}),
                }
              })}
            />
          )
        }
      />
    </Card>
  )
}
