import { liveStreams } from '@fairway/contract'
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
import { LinkButton } from '../../ui/marks/links.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { UnsteeredNotice } from '../signed-urls/unsteered-notice.tsx'
import { CodePanel } from './code-panel.tsx'
import { FactsCard } from './facts-card.tsx'
import { HealthCard } from './health-card.tsx'
import { InstallPanel } from './install-panel.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { PreviewCard } from './preview-card.tsx'
import { TABS } from './search.ts'
import classes from './live-streams.module.css'

const RecordingsPanel = lazy(async () => ({ default: (await import('./recordings-panel.tsx')).RecordingsPanel }))
const BalancerPanel = lazy(async () => ({
  default: (await import('../stream-balancers/balancer-panel.tsx')).BalancerPanel,
}))
const PeersPanel = lazy(async () => ({ default: (await import('../stream-peers/peers-panel.tsx')).PeersPanel }))
const EditDrawer = onDemand(async () => (await import('./edit-drawer.tsx')).EditDrawer)
const SOON_MS = 2_000

/** One stream: its picture, what arrives, how to send to it and how to show it. */
export function LiveStreamScreen() {
  const { t } = useTranslation('live-streams')
  const { sid = '', type } = useParams({ strict: false })
  const tab = TABS.find((one) => one === type) ?? 'preview'
  const navigate = useNavigate()
  const show = useSnackbar()
  const [asks, setAsks] = useState<'remove' | 'key' | 'off' | 'edit' | null>(null)
  const [key, setKey] = useState<string | null>(null)
  const mayEdit = useCanCall(liveStreams.routes.remove)
  const mayRotate = useCanCall(liveStreams.routes.rotateKey)
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
      void refetch()
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
                <Button variant="default" onClick={() => setAsks('edit')}>
                  {t('edit.open')}
                </Button>
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
          <Tabs
            value={tab}
            onChange={(next) =>
              void navigate({
                to: '/stream/live-streams/detail/$sid/{-$type}',
                params: { sid, type: next === 'preview' || next === null ? undefined : next },
                replace: true,
              })
            }
            keepMounted={false}
          >
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
                <PreviewCard stream={data} />
                <HealthCard stream={data} />
                <FactsCard stream={data} />
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
              <InstallPanel stream={data} onNewKey={mayEdit && mayRotate ? () => setAsks('key') : null} />
            </Tabs.Panel>
            <Tabs.Panel value="code" pt="md">
              <CodePanel stream={data} />
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
      {data && asks === 'edit' && (
        <EditDrawer opened stream={data} onClose={() => setAsks(null)} onDone={() => void refetch()} />
      )}
      <KeyDialog streamKey={key} onClose={() => setKey(null)} />
    </>
  )
}
