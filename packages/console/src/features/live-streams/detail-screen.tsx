import { liveStreams, plainPlaylistUrl } from '@fairway/contract'
import { Button, Skeleton, Tabs } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { SignedNotice } from '../signed-urls/signed-notice.tsx'
import { ViewsSnippet } from '../stream-analytics/views-snippet.tsx'
import { UnsteeredNotice } from '../signed-urls/unsteered-notice.tsx'
import { HealthCard } from './health-card.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { TranscoderPill } from './live-state.tsx'
import { ffmpegSnippet, playerSnippet } from './snippets.ts'
import classes from './live-streams.module.css'

const RecordingsPanel = lazy(async () => ({ default: (await import('./recordings-panel.tsx')).RecordingsPanel }))
const BalancerPanel = lazy(async () => ({
  default: (await import('../stream-balancers/balancer-panel.tsx')).BalancerPanel,
}))
const PeersPanel = lazy(async () => ({ default: (await import('../stream-peers/peers-panel.tsx')).PeersPanel }))
const Player = lazy(async () => ({ default: (await import('../stream-assets/player.tsx')).Player }))
const SOON_MS = 2_000

/** One stream: its picture, what arrives, how to send to it and how to show it. */
export function LiveStreamScreen() {
  const { t } = useTranslation('live-streams')
  const { sid = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const show = useSnackbar()
  const [asks, setAsks] = useState<'remove' | 'key' | 'off' | null>(null)
  const [key, setKey] = useState<string | null>(null)
  const mayEdit = useCanCall(liveStreams.routes.remove)
  const { data, error, refetch } = useRead(liveStreams.routes.get, { id: sid }, { everyMs: () => SOON_MS })
  const switchIt = useChange(liveStreams.routes.setTranscoder, {
    onDone: () => {
      setAsks(null)
      void refetch()
    },
  })
  const rotate = useChange(liveStreams.routes.rotateKey, {
    onDone: (made) => {
      setAsks(null)
      setKey(made.key)
    },
  })
  const remove = useChange(liveStreams.routes.remove, {
    onDone: () => {
      show('live-streams', { message: t('removed', { name: data?.name }) })
      void navigate({ to: '/stream/live-streams' })
    },
  })
  const status = data?.transcoderStatus
  const isOn = status === 3
  return (
    <>
      <PageHeader
        title={data?.name ?? t('stream')}
        meaning={t('meaning')}
        actions={
          <>
            <LinkButton
              to="/stream/live-streams"
              variant="default"
              leftSection={<IconArrowLeft size={16} stroke={1.65} />}
            >
              {t('back')}
            </LinkButton>
            {data && mayEdit && (
              <>
                <Button variant="default" color="red" onClick={() => setAsks('remove')}>
                  {t('remove')}
                </Button>
                <Button
                  {...(isOn ? { variant: 'default' } : {})}
                  disabled={status !== 1 && status !== 3}
                  loading={switchIt.isPending}
                  onClick={() => (isOn ? setAsks('off') : switchIt.mutate({ id: data.id, on: true }))}
                >
                  {t(isOn ? 'turnOff' : 'turnOn')}
                </Button>
              </>
            )}
          </>
        }
      />
      <Gate route={liveStreams.routes.get} meaning={t('meaning')}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={520} radius="lg" />}
        {data && (
          <Tabs defaultValue="preview" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="preview">{t('tab.preview')}</Tabs.Tab>
              <Tabs.Tab value="recordings">{t('tab.recordings')}</Tabs.Tab>
              <Tabs.Tab value="balancer">{t('tab.balancer')}</Tabs.Tab>
              <Tabs.Tab value="peers">{t('tab.peers')}</Tabs.Tab>
              <Tabs.Tab value="install">{t('tab.install')}</Tabs.Tab>
              <Tabs.Tab value="code">{t('tab.code')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="preview" pt="md">
              <div className={classes.page}>
                <Card title={t('tab.preview')} end={<TranscoderPill status={data.transcoderStatus} />}>
                  {data.previewUrl === null ? (
                    <p className={classes.quiet}>{t(data.protocol === 'hls' ? 'notFetched' : 'notPlayable')}</p>
                  ) : (
                    <Suspense fallback={<div className={classes.screen} />}>
                      <Player src={plainPlaylistUrl(data.previewUrl)} poster={undefined} label={data.name} isLive />
                    </Suspense>
                  )}
                </Card>
                <HealthCard stream={data} />
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="recordings" pt="md">
              <Suspense fallback={<Skeleton height={260} radius="lg" />}>
                <RecordingsPanel stream={data} onChange={() => void refetch()} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="balancer" pt="md">
              <UnsteeredNotice />
              <Suspense fallback={<Skeleton height={320} radius="lg" />}>
                <BalancerPanel source={data.id} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="peers" pt="md">
              <Suspense fallback={<Skeleton height={320} radius="lg" />}>
                <PeersPanel source={data.id} manifestUrl={data.outputUrl} isLive />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="install" pt="md">
              {data.originUrl !== null && (
                <Card title={t('originUrl')}>
                  <div className={classes.page}>
                    <CodeSnippet label={t('originUrl')} code={data.originUrl} />
                    <p className={classes.quiet}>{t('originShown')}</p>
                  </div>
                </Card>
              )}
              {data.protocol === 'rtmp' && (
                <div className={classes.page}>
                  <Card
                    title={t('install.where')}
                    end={
                      mayEdit && (
                        <Button size="xs" variant="default" onClick={() => setAsks('key')}>
                          {t('newKey')}
                        </Button>
                      )
                    }
                  >
                    <div className={classes.page}>
                      <CodeSnippet label={t('install.url')} code={data.inputUrl} />
                      <p className={classes.quiet}>{t('install.key')}</p>
                    </div>
                  </Card>
                  <Card title="OBS Studio">
                    <ol className={classes.steps}>
                      <li>{t('install.obs1', { url: data.inputUrl })}</li>
                      <li>{t('install.obs2')}</li>
                      <li>{t('install.obs3', { seconds: Math.min(data.keyFrameSeconds, 2) })}</li>
                    </ol>
                  </Card>
                  <Card title="ffmpeg">
                    <CodeSnippet label="ffmpeg" code={ffmpegSnippet(data.inputUrl, data.keyFrameSeconds)} />
                  </Card>
                </div>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="code" pt="md">
              <div className={classes.page}>
                {data.outputUrl === null ? (
                  <p className={classes.quiet}>{t('notPlayable')}</p>
                ) : (
                  <>
                    {data.isSigned && <SignedNotice />}
                    <Card title={t('output')}>
                      <CodeSnippet label={t('output')} code={data.outputUrl} />
                    </Card>
                    <Card title={t('page')}>
                      <CodeSnippet label={t('page')} code={playerSnippet(data.outputUrl)} />
                    </Card>
                    <ViewsSnippet source={data.id} manifestUrl={data.outputUrl} isLive />
                  </>
                )}
              </div>
            </Tabs.Panel>
          </Tabs>
        )}
      </Gate>
      {data && (
        <>
          <ConfirmByName
            opened={asks === 'remove'}
            onClose={() => setAsks(null)}
            title={t('removeAsk', { name: data.name })}
            name={data.name}
            verb={t('remove')}
            busy={remove.isPending}
            onConfirm={() => remove.mutate({ id: data.id })}
          >
            {t('removeText')}
          </ConfirmByName>
          <Confirm
            opened={asks === 'off'}
            onClose={() => setAsks(null)}
            title={t('offAsk', { name: data.name })}
            verb={t('turnOff')}
            danger
            busy={switchIt.isPending}
            onConfirm={() => switchIt.mutate({ id: data.id, on: false })}
          >
            {t('offText')}
          </Confirm>
          <Confirm
            opened={asks === 'key'}
            onClose={() => setAsks(null)}
            title={t('newKeyAsk')}
            verb={t('newKey')}
            danger
            busy={rotate.isPending}
            onConfirm={() => rotate.mutate({ id: data.id })}
          >
            {t('newKeyText')}
          </Confirm>
        </>
      )}
      <KeyDialog streamKey={key} onClose={() => setKey(null)} />
    </>
  )
}
