import { type StreamPeers, streamPeers } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { ViewsSnippet } from '../stream-analytics/views-snippet.tsx'
import { PeerFiguresCard } from './figures-card.tsx'
import classes from './stream-peers.module.css'

const EVERY_MS = 10_000
const TONE: Record<StreamPeers['state'], Tone> = { off: 'neutral', on: 'ok', resting: 'info', stopped: 'warn' }

/** Whether viewers pass segments to each other, what that does, and the page that does it. */
export function PeersPanel({
  source,
  manifestUrl,
  isLive,
}: {
  source: string
  manifestUrl: string | null
  isLive: boolean
}) {
  const { t } = useTranslation('stream-peers')
  const format = useFormat()
  const show = useSnackbar()
  const [asks, setAsks] = useState<'on' | 'signed' | null>(null)
  const mayEdit = useCanCall(streamPeers.routes.set)
  const { data, error, refetch } = useRead(streamPeers.routes.get, { source }, { everyMs: () => EVERY_MS })
  const change = useChange(streamPeers.routes.set, {
    onDone: ({ isOn }) => {
      setAsks(null)
      show('stream-peers', { message: t(isOn ? 'switchedOn' : 'switchedOff') })
      void refetch()
    },
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} radius="lg" />
  const { state, stop, isOn, withSigned } = data
  const set = (input: { isOn: boolean; withSigned: boolean }) => change.mutate({ source, ...input })
  const percent = (value: number | null) => (value === null ? '—' : format.percent(value))
  return (
    <div className={classes.page}>
      <Card title={t('title')} end={<Pill tone={TONE[state]}>{t(`state.${state}`)}</Pill>}>
        <div className={classes.page}>
          {stop && (
            <Notice tone="warn" title={t('stopped.title')}>
              {t('stopped.text', {
                time: format.dateTime(Date.parse(stop.at)),
                peers: percent(stop.peers.rebufferPercent),
                control: percent(stop.control.rebufferPercent),
                views: format.number(stop.peers.views),
                without: format.number(stop.control.views),
              })}
            </Notice>
          )}
          {state === 'resting' && (
            <Notice tone="info" title={t('resting.title')}>
              {t('resting.text')}
            </Notice>
          )}
          <SwitchRow
            label={t('switch')}
            text={t('switchText', { percent: data.controlPercent })}
            checked={isOn}
            disabled={!mayEdit || change.isPending}
            onChange={(on) => (on ? setAsks('on') : set({ isOn: false, withSigned }))}
          />
          <SwitchRow
            label={t('withSigned')}
            text={t('withSignedText')}
            checked={withSigned}
            disabled={!mayEdit || change.isPending}
            onChange={(on) => (on ? setAsks('signed') : set({ isOn, withSigned: false }))}
          />
        </div>
      </Card>
      {(isOn || stop) && <PeerFiguresCard source={source} leastViews={data.leastViews} />}
      {manifestUrl === null ? (
        <Card title={t('snippet')}>
          <p className={classes.quiet}>{t('notPlayable')}</p>
        </Card>
      ) : (
        <>
          <ViewsSnippet source={source} manifestUrl={manifestUrl} isLive={isLive} peers={data} />
          <Card title={t('policy')} hint={t('policyHint')}>
            <CodeSnippet label={t('policy')} code={policyOf(data, manifestUrl)} />
          </Card>
        </>
      )}
      <Confirm
        opened={asks === 'on'}
        onClose={() => setAsks(null)}
        title={t('onAsk')}
        verb={t('turnOn')}
        busy={change.isPending}
        onConfirm={() => set({ isOn: true, withSigned })}
      >
        {t('onText')}
      </Confirm>
      <Confirm
        opened={asks === 'signed'}
        onClose={() => setAsks(null)}
        title={t('signedAsk')}
        verb={t('allow')}
        danger
        busy={change.isPending}
        onConfirm={() => set({ isOn, withSigned: true })}
      >
        {t('signedText')}
      </Confirm>
    </div>
  )
}

/** What a page with a content security policy has to allow. */
function policyOf({ script }: StreamPeers, manifestUrl: string): string {
  const { origin } = new URL(script)
  return `script-src ${origin}; connect-src ${origin} ${origin.replace(/^http/, 'ws')} ${new URL(manifestUrl).origin}`
}
