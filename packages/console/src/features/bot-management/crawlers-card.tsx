import { analyticsOriginShield } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'

const DAY = 86_400
const STANDINGS = ['verified', 'unverified', 'false'] as const

/** Who called itself a crawler in the last day, and what looking its address up has said. */
export function CrawlersCard({ place }: { place: Place }) {
  const { t } = useTranslation('bot-management')
  const format = useFormat()
  const { data, error, refetch } = useRead(analyticsOriginShield.routes.crawlers, { ...place, seconds: DAY })
  const rows = data?.data
  return (
    <Card title={t('crawlers.title')} hint={t('crawlers.hint')} flush>
      {!rows && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={120} />)}
      {rows?.length === 0 && <EmptyTeach title={t('crawlers.empty')} text={t('crawlers.emptyText')} />}
      {rows && rows.length > 0 && (
        <FlushTable
          label={t('crawlers.title')}
          head={[
            { key: 'name', text: t('crawlers.name') },
            ...STANDINGS.map((key) => ({ key, text: t(`crawlers.${key}`), number: true as const })),
          ]}
        >
          {rows.map((row) => (
            <tr key={row.agent}>
              <th scope="row">{row.name}</th>
              {STANDINGS.map((key) => (
                <td key={key} data-number>
                  {format.number(row[key])}
                </td>
              ))}
            </tr>
          ))}
        </FlushTable>
      )}
    </Card>
  )
}
