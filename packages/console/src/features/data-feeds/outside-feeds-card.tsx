import { outsideFeeds, type OutsideFeed, type SeenFeed } from '@fairway/contract'
import { Button, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Skeleton } from '@mantine/core'
import { FeedKeyDialog } from './feed-key-dialog.tsx'
import { NewOutsideFeed } from './new-outside-feed.tsx'
import { OutsideFeedDrawer } from './outside-feed-drawer.tsx'
import classes from './screen.module.css'

const REFRESH_MS = 10_000
const TONES = {
  off: 'neutral',
  silent: 'neutral',
  stopped: 'bad',
  contradicts: 'bad',
  jumped: 'warn',
  feeding: 'ok',
} as const

type OutsideFeedsCardProps = {
  place: { site: string; domain: string }
  /** A CDN of the domain, for the code to post with. */
  cdnId: string
  chosen: string | undefined
  onChoose: (feed: string | undefined) => void
}

/** Feeds that the organisation posts itself: what each says, and whether it counts. */
export function OutsideFeedsCard({ place, cdnId, chosen, onChoose }: OutsideFeedsCardProps) {
  const { t } = useTranslation('outside-feeds')
  const { data, error, refetch } = useRead(outsideFeeds.routes.list, {}, { everyMs: REFRESH_MS })
  const mayAdd = useCanCall(outsideFeeds.routes.create)
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ feed: OutsideFeed; key: string } | null>(null)
  const isFull = data !== undefined && data.data.length >= data.limit
  const feed = data?.data.find(({ id }) => id === chosen)
  const add = mayAdd && data && (
    <Button size="xs" variant="default" disabled={isFull} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Card
      title={t('title')}
      hint={isFull ? t('full', { count: data.limit, number: data.limit }) : t('hint')}
      end={add}
      flush
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={120} />
      ) : data.data.length === 0 ? (
        <EmptyTeach
          title={t('empty.title')}
          text={t('empty.text')}
          steps={[t('empty.add'), t('empty.post'), t('empty.see')]}
        />
      ) : (
        <Feeds feeds={data.data} onChoose={onChoose} />
      )}
      <NewOutsideFeed
        opened={adding}
        onClose={() => setAdding(false)}
        onCreated={({ data: created, key }) => {
          setAdding(false)
          setMade({ feed: created, key })
        }}
      />
      {feed && (
        <OutsideFeedDrawer
          key={feed.id}
          place={place}
          feed={feed}
          cdnId={cdnId}
          onClose={() => onChoose(undefined)}
          onKey={(key) => setMade({ feed, key })}
        />
      )}
      <FeedKeyDialog made={made} cdnId={cdnId} onClose={() => setMade(null)} />
    </Card>
  )
}

function Feeds({ feeds, onChoose }: { feeds: readonly OutsideFeed[]; onChoose: (feed: string) => void }) {
  const { t } = useTranslation(['outside-feeds', 'data-feeds'])
  const format = useFormat()
  return (
    <FlushTable
      label={t('title')}
      head={[
        { key: 'feed', text: t('data-feeds:column.feed') },
        { key: 'state', text: t('data-feeds:column.state') },
        { key: 'samples', text: t('data-feeds:column.samples'), number: true, wide: true },
        { key: 'age', text: t('data-feeds:column.newest'), wide: true },
        { key: 'agreement', text: t('agreement'), number: true, wide: true },
        { key: 'weight', text: t('weight'), number: true, wide: true },
      ]}
    >
      {feeds.map(({ id, name, weightPercent, enabled, seen }) => (
        <tr key={id}>
          <th scope="row">
            <UnstyledButton className={classes.open} onClick={() => onChoose(id)}>
              {name}
            </UnstyledButton>
          </th>
          <td>
            <OutsideStatePill enabled={enabled} seen={seen} />
          </td>
          <td className="num" data-number data-wide>
            {seen === null || seen.entries === 0 ? '—' : format.compact(seen.samples)}
          </td>
          <td data-wide>{!seen?.newestAt ? '—' : <Age at={new Date(seen.newestAt).toISOString()} />}</td>
          <td className="num" data-number data-wide>
            {seen === null || seen.compared === 0
              ? '—'
              : t('agreeing', { number: format.number(seen.agreeing), all: format.number(seen.compared) })}
          </td>
          <td className="num" data-number data-wide>
            {format.percent(weightPercent)}
          </td>
        </tr>
      ))}
    </FlushTable>
  )
}

/** What becomes of a feed now; unknown while the collector does not answer. */
export function OutsideStatePill({ enabled, seen }: { enabled: boolean; seen: SeenFeed | null }) {
  const { t } = useTranslation('outside-feeds')
  const state = enabled ? seen?.state : 'off'
  return state === undefined ? (
    <Pill tone="neutral">{t('unknown')}</Pill>
  ) : (
    <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>
  )
}
