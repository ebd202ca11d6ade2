import { notifications } from '@fairway/contract'
import type { Notification } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import classes from './bell-panel.module.css'
import { LevelPill } from './level-pill.tsx'
import { NewsLink } from './news-link.tsx'
import { useNewsWords } from './news-words.ts'
import { useMarkRead } from './use-news.ts'

const SHOWN = 6

/** The newest few, and the way to all of them. */
export function BellPanel({ unread, onClose }: { unread: number; onClose: () => void }) {
  const { t } = useTranslation('notifications')
  const { data, error, refetch } = useRead(notifications.routes.list, { page_size: SHOWN })
  const markRead = useMarkRead()
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('bell')}</h2>
        {unread > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={() => markRead('all')}>
            {t('markAllRead')}
          </Button>
        )}
      </div>
      <div className={classes.body}>
        {error && !data && (
          <div className={classes.problem}>
            <ErrorState error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {!data && !error && (
          <div className={classes.problem}>
            <Skeleton height={140} radius="md" />
          </div>
        )}
        {data?.data.length === 0 && <p className={classes.none}>{t('nothing')}</p>}
        {data && data.data.length > 0 && (
          <ul className={classes.list}>
            {data.data.map((news) => (
              <Line key={news.id} news={news} onClose={onClose} />
            ))}
          </ul>
        )}
      </div>
      <div className={classes.foot}>
        <Link to="/account/information-center" className={classes.all} onClick={onClose}>
          {t('seeAll')}
        </Link>
      </div>
    </>
  )
}

function Line({ news, onClose }: { news: Notification; onClose: () => void }) {
  const { t } = useTranslation('notifications')
  const { title, cause } = useNewsWords()(news)
  const markRead = useMarkRead()
  const follow = () => {
    if (!news.read) markRead({ id: news.id, read: true })
    onClose()
  }
  return (
    <li className={classes.line} data-unread={!news.read || undefined}>
      <NewsLink href={news.link ?? '/account/information-center'} className={classes.link} onFollow={follow}>
        <span className={classes.dot} aria-hidden />
        <span className={classes.words}>
          {!news.read && <span className="sr-only">{t('unread')}</span>}
          <span className={classes.what}>{title}</span>
          {cause !== null && cause !== '' && <span className={classes.cause}>{cause}</span>}
          <span className={classes.when}>
            <LevelPill news={news} />
            <Age at={news.createdAt} />
          </span>
        </span>
      </NewsLink>
    </li>
  )
}
