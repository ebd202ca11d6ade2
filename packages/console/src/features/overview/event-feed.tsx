import type { HealthEvent, Overview } from '@fairway/contract'
import { IconArrowsExchange, IconBolt, IconPlugConnectedX, IconServerOff } from '@tabler/icons-react'
import { useRef } from 'react'
import { notificationWords } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../i18n/i18n.ts'
import { useDuration } from '../../i18n/duration.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { feedOf } from './live-model.ts'
import classes from './event-feed.module.css'

const ICONS = {
  'cdn-down': IconBolt,
  'cdn-up': IconBolt,
  change: IconArrowsExchange,
  'node-away': IconServerOff,
  'node-back': IconServerOff,
  'origin-down': IconPlugConnectedX,
} as const

type EventFeedProps = { events: readonly HealthEvent[]; cdns: Overview['cdns'] }

/** What happened, newest on top; a new line slides in. */
export function EventFeed({ events, cdns }: EventFeedProps) {
  const { t } = useTranslation('overview')
  // What was there when the page opened does not slide.
  const known = useRef(new Set(events.map(({ id }) => id)))
  const feed = feedOf(events)
  return (
    <Card title={t('events')} hint={t('eventsHint')}>
      {feed.length === 0 ? (
        <p className={classes.none}>{t('noEvents')}</p>
      ) : (
        <ol className={classes.feed} tabIndex={0} aria-label={t('events')} aria-live="polite" aria-relevant="additions">
          {feed.map((event) => (
            <EventLine key={event.id} event={event} cdns={cdns} isNew={!known.current.has(event.id)} />
          ))}
        </ol>
      )}
    </Card>
  )
}

function EventLine({ event, cdns, isNew }: { event: HealthEvent; cdns: Overview['cdns']; isNew: boolean }) {
  const { t } = useTranslation('overview')
  const duration = useDuration()
  const { kind, cdnId, title, detail, startedAt, endedAt } = event
  const Icon = ICONS[kind]
  const isOutage = kind === 'cdn-down' || kind === 'node-away' || kind === 'origin-down'
  const name =
    cdns.find((cdn) => cdn.cdnId === cdnId)?.name ?? (typeof detail['name'] === 'string' ? detail['name'] : title)
  const cause = causeOf(event, name)
  const lastedSeconds =
    endedAt === null ? null : Math.max(1, Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000))
  return (
    <li
      className={classes.event}
      data-kind={kind}
      data-open={(isOutage && endedAt === null) || undefined}
      data-new={isNew || undefined}
    >
      <Icon className={classes.icon} size={16} stroke={1.8} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{kind === 'change' ? title : t(`event.${kind}`, { name })}</p>
        {cause !== undefined && (
          <p className={classes.detail} title={cause}>
            {cause}
          </p>
        )}
      </div>
      {isOutage &&
        (lastedSeconds === null ? (
          <Pill tone="bad" busy>
            {t('ongoing')}
          </Pill>
        ) : (
          <span className={`${classes.lasted} num`}>{t('lasted', { length: duration(lastedSeconds) })}</span>
        ))}
      <span className={`${classes.when} num`}>
        <Age at={startedAt} />
      </span>
    </li>
  )
}

/** How it is known, in the words of the letter that told it. */
function causeOf({ kind, detail }: HealthEvent, name: string): string | undefined {
  if (kind === 'origin-down') return notificationWords(currentLocale(), kind, { ...detail, host: name }).cause
  const evidence = detail['evidence']
  return typeof evidence === 'string'
    ? notificationWords(currentLocale(), 'cdn-down', { cdn: name, evidence }).cause
    : undefined
}
