import { NOTIFICATION_LEVELS, NOTIFICATION_TYPES, notifications } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconChecks, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { NewsItem } from './news-item.tsx'
import classes from './news-list.module.css'
import type { InformationSearch } from './search.ts'
import { useMarkRead, useUnreadCount } from './use-news.ts'

const PAGE_SIZE = 25
const STATES = ['all', 'unread', 'read', 'open'] as const

type NewsListProps = { search: InformationSearch; onChange: (change: Partial<InformationSearch>) => void }

/** Everything that happened, newest first. */
export function NewsList({ search: { type, level, state, page = 1 }, onChange }: NewsListProps) {
  const { t } = useTranslation('notifications')
  const { data, error, isPlaceholderData, refetch } = useRead(notifications.routes.list, {
    page,
    page_size: PAGE_SIZE,
    ...(type ? { type } : {}),
    ...(level ? { level } : {}),
    ...(state ? { state } : {}),
  })
  const unread = useUnreadCount()
  const markRead = useMarkRead()
  const isFiltered = type !== undefined || level !== undefined || state !== undefined
  const clear = () => onChange({ type: undefined, level: undefined, state: undefined, page: undefined })
  return (
    <>
      <div className={classes.bar}>
        <Segmented
          label={t('show')}
          value={state ?? 'all'}
          onChange={(next) => onChange({ state: next === 'all' ? undefined : next, page: undefined })}
          options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
        <Facet
          label={t('filter.type')}
          single
          chosen={type ? [type] : []}
          onChange={([next]) => onChange({ type: next, page: undefined })}
          options={NOTIFICATION_TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
        />
        <Facet
          label={t('filter.level')}
          single
          chosen={level ? [level] : []}
          onChange={([next]) => onChange({ level: next, page: undefined })}
          options={NOTIFICATION_LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
        />
        <Button
          className={classes.all}
          variant="default"
          size="xs"
          leftSection={<IconChecks size={16} stroke={1.65} />}
          disabled={unread === 0}
          onClick={() => markRead('all')}
        >
          {t('markAllRead')}
        </Button>
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} radius="lg" />}
      {data && (
        <Card flush>
          {data.data.length === 0 ? (
            <EmptyTeach
              title={t(isFiltered ? 'nothingFound' : 'nothing')}
              text={t(isFiltered ? 'nothingFoundText' : 'nothingText')}
              {...(isFiltered
                ? {
                    action: (
                      <Button variant="default" size="xs" onClick={clear}>
                        {t('clear')}
                      </Button>
                    ),
                  }
                : {})}
            />
          ) : (
            <ul
              className={classes.list}
              aria-label={t('tab.notifications')}
              aria-busy={isPlaceholderData}
              data-stale={isPlaceholderData || undefined}
            >
              {data.data.map((news) => (
                <NewsItem key={news.id} news={news} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {data && data.meta.total > PAGE_SIZE && (
        <Pager page={page} total={data.meta.total} onPage={(next) => onChange({ page: next > 1 ? next : undefined })} />
      )}
    </>
  )
}

function Pager({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const { t } = useTranslation('notifications')
  const format = useFormat()
  const last = Math.ceil(total / PAGE_SIZE)
  return (
    <nav className={classes.pager} aria-label={t('pages')}>
      <span className={classes.count} role="status">
        {t('range', {
          from: format.number((page - 1) * PAGE_SIZE + 1),
          to: format.number(Math.min(total, page * PAGE_SIZE)),
          total: format.number(total),
        })}
      </span>
      <Button
        variant="default"
        size="xs"
        disabled={page <= 1}
        leftSection={<IconChevronLeft size={15} stroke={1.8} />}
        onClick={() => onPage(page - 1)}
      >
        {t('newer')}
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={page >= last}
        rightSection={<IconChevronRight size={15} stroke={1.8} />}
        onClick={() => onPage(page + 1)}
      >
        {t('older')}
      </Button>
    </nav>
  )
}
