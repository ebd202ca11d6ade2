import { type PeerGroup, streamPeers } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import classes from './stream-peers.module.css'

const EVERY_MS = 10_000

/** What comes from peers, and how it plays with and without them. */
export function PeerFiguresCard({ source, leastViews }: { source: string; leastViews: number }) {
  const { t } = useTranslation('stream-peers')
  const format = useFormat()
  const { data, error, refetch } = useRead(streamPeers.routes.figures, { source }, { everyMs: () => EVERY_MS })
  const percent = (value: number | null) => (value === null ? '—' : format.percent(value))
  if (error && !data)
    return (
      <Card title={t('figures.title')}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (!data) return <Skeleton height={260} radius="lg" />
  const groups: [string, PeerGroup][] = [
    [t('figures.with'), data.peers],
    [t('figures.without'), data.control],
  ]
  return (
    <Card title={t('figures.title')} hint={t('figures.since', { time: format.dateTime(Date.parse(data.since)) })} flush>
      <div className={classes.figures}>
        <StatRow
          label={t('figures.title')}
          stats={[
            { label: t('figures.sharing'), value: format.number(data.sharing) },
            {
              label: t('figures.share'),
              value: percent(data.peerPercent),
              note: <DataQuality samples={data.peers.views} />,
            },
            { label: t('figures.saved'), value: data.peers.views === 0 ? '—' : format.bytes(data.peerBytes) },
            { label: t('figures.refused'), value: data.peers.views === 0 ? '—' : format.number(data.refusedPieces) },
          ]}
        />
      </div>
      <FlushTable
        label={t('figures.compared')}
        head={[
          { key: 'group', text: t('figures.group') },
          { key: 'views', text: t('figures.views'), number: true },
          { key: 'stalled', text: t('figures.stalled'), number: true },
          { key: 'waited', text: t('figures.waited'), number: true },
        ]}
      >
        {groups.map(([name, group]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-number>{format.number(group.views)}</td>
            <td data-number>{group.views === 0 ? '—' : format.number(group.stalledViews)}</td>
            <td data-number>{percent(group.rebufferPercent)}</td>
          </tr>
        ))}
      </FlushTable>
      <p className={classes.verdict}>{t(`verdict.${data.verdict}`, { number: format.number(leastViews) })}</p>
    </Card>
  )
}
