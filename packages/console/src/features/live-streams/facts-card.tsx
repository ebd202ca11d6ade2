import type { LiveStream } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import classes from './live-streams.module.css'

/** What the stream is set to, and since when it runs. */
export function FactsCard({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live-streams')
  const format = useFormat()
  const duration = useDuration()
  const at = (time: string | null) => (time === null ? '—' : format.dateTime(Date.parse(time)))
  const { protocol, renditions } = stream
  const facts: [string, string][] = [
    [t('protocolTitle'), t(`protocol.${protocol}`)],
    [t('latencyTitle'), t(`latency.${stream.latency}`)],
    [t('facts.keyFrames'), `${format.number(stream.keyFrameSeconds)} s`],
    [t('rewind'), duration(stream.rewindSeconds)],
    [t('facts.qualities'), renditions.map(({ name }) => name).join(', ') || '—'],
    [t('recording.switch'), t(stream.isRecorded ? 'health.yes' : 'facts.no')],
    [t('facts.runningSince'), at(stream.runningSince)],
    [t('facts.askedAt'), at(stream.askedAt)],
    ...(protocol === 'rtmp' ? [[t('facts.keyMade'), at(stream.keyMadeAt)] satisfies [string, string]] : []),
    [t('created'), `${at(stream.createdAt)} · ${stream.createdBy}`],
  ]
  return (
    <Card title={t('facts.title')}>
      <div className={classes.page}>
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {stream.runningSince !== null && <p className={classes.quiet}>{t('facts.billed')}</p>}
      </div>
    </Card>
  )
}
