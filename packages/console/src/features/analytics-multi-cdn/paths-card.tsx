import { analyticsMultiCdn } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { ShareTable } from '../../ui/data-table/flush-table.tsx'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import type { TrafficPlace } from './traffic-place.ts'

const SHOWN = 25

/** The most requested paths; one leads to its single requests. */
export function PathsCard({
  place: { site, domain, seconds, until },
  isNarrowed,
  isLive,
  onPath,
}: {
  place: TrafficPlace
  isNarrowed: boolean
  isLive: boolean
  onPath: (path: string) => void
}) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const query = useRead(
    analyticsMultiCdn.routes.paths,
    {
      ...(site === undefined ? {} : { site }),
      ...(domain === undefined ? {} : { domain }),
      ...(until === undefined ? {} : { until }),
      seconds,
      limit: SHOWN,
    },
    isLive ? { everyMs: LIVE_MS } : {},
  )
  const rows = query.data?.data
  const total = rows?.reduce((sum, { requests }) => sum + requests, 0) ?? 0
  return (
    <Card title={t('paths.title')} hint={t(isNarrowed ? 'paths.notNarrowed' : 'paths.hint')} flush>
      {!rows &&
        (query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton height={260} radius="sm" />
        ))}
      {rows && (
        <ShareTable
          label={t('paths.title')}
          what={t('paths.path')}
          columns={[t('metric.requests'), t('metric.traffic'), t('metric.hitRatio')]}
          rows={rows.map(({ path, requests, bytes, hits }) => ({
            key: path,
            name: path === '' ? t('paths.rest') : path,
            series: path === '' ? 6 : 1,
            share: total === 0 ? 0 : (requests / total) * 100,
            cells: [
              format.number(requests),
              format.bytes(bytes),
              requests === 0 ? '—' : format.percent(Math.round((hits / requests) * 1000) / 10),
            ],
            ...(path === '' ? {} : { narrow: { title: t('paths.show', { path }), onClick: () => onPath(path) } }),
          }))}
        />
      )}
    </Card>
  )
}
