import type { Notification } from '@fairway/contract'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconMail, IconMailOpened } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { LevelPill } from './level-pill.tsx'
import classes from './news-item.module.css'
import { NewsLink } from './news-link.tsx'
import { useNewsWords } from './news-words.ts'
import { useMarkRead } from './use-news.ts'

/** One notification: what, why, what was changed shortly before, and since when. */
export function NewsItem({ news }: { news: Notification }) {
  const { t } = useTranslation('notifications')
  const format = useFormat()
  const markRead = useMarkRead()
  const { title, text, cause } = useNewsWords()(news)
  const seen = () => {
    if (!news.read) markRead({ id: news.id, read: true })
  }
  const Mark = news.read ? IconMail : IconMailOpened
  const action = t(news.read ? 'markUnread' : 'markRead')
  const { change, endedAt } = news
  const evidence = news.fields['evidence']
  const raw = typeof evidence === 'string' ? evidence : null
  return (
    <li className={classes.item} data-unread={!news.read || undefined}>
      <span className={classes.dot} aria-hidden />
      <div className={classes.words}>
        <p className={classes.head}>
          {!news.read && <span className="sr-only">{t('unread')}</span>}
          {news.link === null ? (
            <span className={classes.title}>{title}</span>
          ) : (
            <NewsLink href={news.link} className={classes.title} onFollow={seen}>
              {title}
            </NewsLink>
          )}
          <LevelPill news={news} />
        </p>
        {text !== '' && <p className={classes.text}>{text}</p>}
        {(cause !== null || change !== null) && (
          <dl className={classes.facts}>
            {cause !== null && cause !== '' && (
              <>
                <dt>{t('cause')}</dt>
                <dd>
                  {cause}
                  {raw !== null && raw !== cause && (
                    <details>
                      <summary>{t('details')}</summary>
                      <code>{raw}</code>
                    </details>
                  )}
                </dd>
              </>
            )}
            {change !== null && (
              <>
                <dt>{t('changedBefore')}</dt>
                <dd>
                  <NewsLink href={`/${change.siteName}/dns/dns-records?history=true`} className={classes.link}>
                    {t('version', { number: change.version, title: change.title })}
                  </NewsLink>{' '}
                  <span className={classes.by}>
                    {t('changedBy', {
                      author: change.author,
                      site: change.siteName,
                      time: format.time(Date.parse(change.at)),
                    })}
                  </span>
                </dd>
              </>
            )}
          </dl>
        )}
        <p className={classes.foot}>
          <span>{t(`type.${news.type}`)}</span>
          {news.siteName !== null && <span>{news.siteName}</span>}
          <Age at={news.createdAt} />
          {endedAt !== null && (
            <span>
              {t('lasted', { time: lasted(Date.parse(endedAt) - Date.parse(news.createdAt), format.seconds) })}
            </span>
          )}
          {news.isIncident && endedAt === null && <span>{t('lasting')}</span>}
        </p>
      </div>
      <Tooltip label={action}>
        <ActionIcon
          className={classes.mark}
          aria-label={t(news.read ? 'markUnreadNamed' : 'markReadNamed', { title })}
          onClick={() => markRead({ id: news.id, read: !news.read })}
        >
          <Mark size={16} stroke={1.65} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}

/** In whole seconds, minutes or hours, whichever is fitting. */
function lasted(ms: number, words: (seconds: number) => string): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 120) return words(seconds)
  return words(seconds < 7200 ? Math.round(seconds / 60) * 60 : Math.round(seconds / 3600) * 3600)
}
