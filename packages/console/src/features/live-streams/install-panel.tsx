import { type LiveStream, WHIP_PATH } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ffmpegSnippet, whipSnippet } from './snippets.ts'
import classes from './live-streams.module.css'

const GoLiveDialog = onDemand(async () => (await import('./go-live-dialog.tsx')).GoLiveDialog)
/** Farther apart, a break in the line is mended slowly. */
const MOST_KEY_FRAME_SECONDS = 2

/** How an encoder is set up, or where the stream is fetched from. */
export function InstallPanel({ stream, onNewKey }: { stream: LiveStream; onNewKey: (() => void) | null }) {
  const { t } = useTranslation('live-streams')
  if (stream.originUrl !== null)
    return (
      <Card title={t('originUrl')}>
        <div className={classes.page}>
          <CodeSnippet label={t('originUrl')} code={stream.originUrl} />
          <p className={classes.quiet}>{t('originShown')}</p>
        </div>
      </Card>
    )
  const whipUrl = new URL(WHIP_PATH, window.location.origin).href
  const seconds = Math.min(stream.keyFrameSeconds, MOST_KEY_FRAME_SECONDS)
  return (
    <div className={classes.page}>
      {onNewKey && stream.hasWhip && <GoLiveCard stream={stream} />}
      <Card
        title={t('install.where')}
        end={
          onNewKey && (
            <Button size="xs" variant="default" onClick={onNewKey}>
              {t('newKey')}
            </Button>
          )
        }
      >
        <div className={classes.page}>
          <CodeSnippet label={t('install.url')} code={stream.inputUrl} />
          <p className={classes.quiet}>{t('install.key')}</p>
          <div>
            <LinkButton size="xs" variant="default" to="/stream/live-streams/simulation" search={{ stream: stream.id }}>
              {t('install.tryIt')}
            </LinkButton>
          </div>
        </div>
      </Card>
      <Card title="OBS Studio">
        <ol className={classes.steps}>
          <li>{t('install.obs1', { url: stream.inputUrl })}</li>
          <li>{t('install.obs2')}</li>
          <li>{t('install.obs3', { seconds })}</li>
        </ol>
      </Card>
      {stream.hasWhip && (
        <Card title="WHIP (WebRTC)">
          <div className={classes.page}>
            <CodeSnippet label="WHIP" code={whipUrl} />
            <p className={classes.quiet}>{t('install.whip')}</p>
            <CodeSnippet label="GStreamer" code={whipSnippet(whipUrl)} />
          </div>
        </Card>
      )}
      <Card title={t('hardware.title')} hint={t('hardware.hint')} flush>
        <HardwareFields stream={stream} seconds={seconds} />
      </Card>
      <Card title="ffmpeg">
        <CodeSnippet label="ffmpeg" code={ffmpegSnippet(stream.inputUrl, stream.keyFrameSeconds)} />
      </Card>
    </div>
  )
}

/** Without an encoder: camera or screen of this browser. */
function GoLiveCard({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live-streams')
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={t('goLive.card')}>
      <div className={classes.field}>
        <p className={classes.quiet}>{t('goLive.text')}</p>
        <Button disabled={stream.transcoderStatus !== 3 && !isOpen} onClick={() => setOpen(true)}>
          {t('goLive.open')}
        </Button>
        {stream.transcoderStatus !== 3 && <p className={classes.quiet}>{t('goLive.off')}</p>}
      </div>
      <GoLiveDialog opened={isOpen} onClose={() => setOpen(false)} stream={stream} />
    </Card>
  )
}

/** What the menus of encoders ask for, under the names that most of them have. */
function HardwareFields({ stream, seconds }: { stream: LiveStream; seconds: number }) {
  const { t } = useTranslation('live-streams')
  const format = useFormat()
  const rows = [
    ['protocol', 'RTMP (push)'],
    ['url', stream.inputUrl],
    ['key', t('hardware.theKey')],
    ['video', 'H.264 (AVC), High, 4:2:0 8 bit'],
    ['frames', t('hardware.theFrames')],
    ['bitrate', `CBR, 1080p ${format.number(6_000)} · 720p ${format.number(3_000)} kbit/s`],
    ['keyFrames', t('hardware.theKeyFrames', { seconds, frames: seconds * 25, more: seconds * 30 })],
    ['bFrames', stream.latency === 'low' ? '0' : '0–2'],
    ['audio', 'AAC-LC, 48 kHz, stereo, 128 kbit/s'],
  ] as const
  return (
    <FlushTable
      label={t('hardware.title')}
      head={[
        { key: 'field', text: t('hardware.field') },
        { key: 'value', text: t('hardware.value') },
      ]}
    >
      {rows.map(([key, value]) => (
        <tr key={key}>
          <th scope="row">{t(`hardware.of.${key}`)}</th>
          <td>{value}</td>
        </tr>
      ))}
    </FlushTable>
  )
}
