import type { DataFeeds, FeedCdn, FeedName } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './screen.module.css'

const SENDERS: Partial<Record<FeedName, 'senders.nodes' | 'senders.feeds'>> = {
  probes: 'senders.nodes',
  'outside-feeds': 'senders.feeds',
}

/** What every feed says of each CDN, beside each other, and where they do not say the same. */
export function AgreementCard({ data }: { data: DataFeeds }) {
  const { t } = useTranslation('data-feeds')
  const format = useFormat()
  const words = usePlaceWords()
  const { lookOf } = useCdnLooks()
  const feeds = data.feeds.filter(({ cdns }) => cdns.length > 0)
  const cdnIds = [...new Set(feeds.flatMap(({ cdns }) => cdns.map(({ cdnId }) => cdnId)))].sort(
    (a, b) => lookOf(a).series - lookOf(b).series,
  )
  const figures = (cdn: FeedCdn | undefined) =>
    cdn === undefined
      ? '—'
      : [
          cdn.availability === null ? null : format.percent(cdn.availability),
          cdn.latencyMs === null ? null : format.milliseconds(cdn.latencyMs),
        ]
          .filter((one) => one !== null)
          .join(' · ') || '—'
  return (
    <Card title={t('agreement.title')} hint={t('agreement.hint')} flush>
      {(data.differences.length > 0 || data.disagreements.length > 0) && (
        <div className={classes.notices}>
          {data.differences.map(({ cdnId, between, points }) => {
            const [lower, higher] = points > 0 ? between : between.toReversed()
            return (
              <Notice key={`${cdnId} ${lower} ${higher}`} tone="warn">
                {t('apart', {
                  cdn: lookOf(cdnId).name,
                  one: t(`feed.${higher}`),
                  other: t(`feed.${lower}`),
                  points: format.number(Math.round(Math.abs(points) * 10) / 10),
                })}
              </Notice>
            )
          })}
          {data.disagreements.map(({ cdnId, place, availability, others }) => (
            <Notice key={`${cdnId} ${place}`} tone="warn">
              {t('contradicts', {
                cdn: lookOf(cdnId).name,
                place: words.level(place),
                here: format.percent(availability),
                others: format.percent(others),
              })}
            </Notice>
          ))}
        </div>
      )}
      {cdnIds.length === 0 ? (
        <p className={classes.none}>{t('agreement.none')}</p>
      ) : (
        <FlushTable
          label={t('agreement.title')}
          head={[
            { key: 'cdn', text: t('column.cdn') },
            ...feeds.map(({ feed }) => ({ key: feed, text: t(`feed.${feed}`), number: true as const })),
          ]}
        >
          {cdnIds.map((cdnId) => (
            <tr key={cdnId}>
              <th scope="row">
                <CdnName name={lookOf(cdnId).name} series={lookOf(cdnId).series} />
              </th>
              {feeds.map(({ feed, cdns }) => {
                const cdn = cdns.find((one) => one.cdnId === cdnId)
                return (
                  <td
                    key={feed}
                    className="num"
                    data-number
                    title={
                      cdn &&
                      t(SENDERS[feed] ?? 'senders.networks', {
                        count: cdn.senders,
                        number: format.number(cdn.senders),
                        samples: format.number(cdn.samples),
                      })
                    }
                  >
                    {figures(cdn)}
                  </td>
                )
              })}
            </tr>
          ))}
        </FlushTable>
      )}
    </Card>
  )
}
