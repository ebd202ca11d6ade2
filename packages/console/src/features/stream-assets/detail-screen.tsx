import { type StreamAsset, downloadPath, plainPlaylistUrl, streamAssets } from '@fairway/contract'
import { Button, Skeleton, Tabs } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ChaptersCard } from '../stream-chapters/chapters-card.tsx'
import { ChapterList } from '../stream-chapters/chapter-list.tsx'
import { CaptionsCard } from '../stream-captions/captions-card.tsx'
import { SignedNotice } from '../signed-urls/signed-notice.tsx'
import { ViewsSnippet } from '../stream-analytics/views-snippet.tsx'
import { ThumbnailCard } from '../stream-thumbnails/thumbnail-card.tsx'
import { AssetState } from './asset-state.tsx'
import { FilesPanel } from './files-panel.tsx'
import { GoOnButton } from './go-on-button.tsx'
import { embedSnippets } from './snippets.ts'
import { NEW_VIDEOS, useUploads } from './uploads.ts'
import classes from './stream-assets.module.css'

const PeersPanel = lazy(async () => ({ default: (await import('../stream-peers/peers-panel.tsx')).PeersPanel }))
const Player = lazy(async () => ({ default: (await import('./player.tsx')).Player }))
const UploadLine = lazy(async () => ({ default: (await import('./upload-line.tsx')).UploadLine }))
const EditDrawer = onDemand(async () => (await import('./edit-drawer.tsx')).EditDrawer)
const SOON_MS = 2_000

/** A recording is a file when all of it is done, what was uploaded from the beginning. */
const hasFile = ({ state, recordedFrom }: StreamAsset): boolean =>
  state === 'ready' || (state !== 'uploading' && state !== 'failed' && recordedFrom === null)

/** Nothing of it changes by itself. */
const isSettled = ({ state, replacement, renditions }: StreamAsset): boolean =>
  (state === 'ready' || state === 'failed') &&
  (replacement === null || replacement.state === 'failed') &&
  renditions.every(({ file }) => file?.state !== 'making')

/** One video: it plays here from where viewers get it, and how it gets into a page. */
export function StreamAssetScreen() {
  const { t } = useTranslation(['stream-assets', 'errors'])
  const { vid = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const show = useSnackbar()
  const [isRemoving, setRemoving] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const mayEdit = useCanCall(streamAssets.routes.remove)
  const { data, error, refetch } = useRead(
    streamAssets.routes.get,
    { id: vid },
    { everyMs: (asset) => (asset && isSettled(asset) ? false : SOON_MS) },
  )
  const remove = useChange(streamAssets.routes.remove, {
    onDone: () => {
      show('stream-assets', { message: t('removed', { name: data?.name }) })
      void navigate({ to: '/stream/assets' })
    },
  })
  const manifest = data?.manifestUrl ?? null
  const sent = useUploads(NEW_VIDEOS).find(({ uploadUrl }) => uploadUrl !== null && uploadUrl === data?.uploadUrl)
  const onMoved = () => void refetch()
  return (
    <>
      <PageHeader
        title={data?.name ?? t('video')}
        meaning={t('meaning')}
        actions={
          <>
            <LinkButton to="/stream/assets" variant="default" leftSection={<IconArrowLeft size={16} stroke={1.65} />}>
              {t('back')}
            </LinkButton>
            {data && hasFile(data) && (
              <Button component="a" variant="default" href={downloadPath(data.id)} download>
                {t('download')}
              </Button>
            )}
            {data && mayEdit && (
              <Button variant="default" onClick={() => setEditing(true)}>
                {t('edit')}
              </Button>
            )}
            {data && mayEdit && (
              <Button variant="default" color="red" onClick={() => setRemoving(true)}>
                {t('remove')}
              </Button>
            )}
          </>
        }
      />
      <Gate route={streamAssets.routes.get} meaning={t('meaning')}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={520} radius="lg" />}
        {data && (
          <Tabs defaultValue="preview" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="preview">{t('tab.preview')}</Tabs.Tab>
              <Tabs.Tab value="files">{t('tab.files')}</Tabs.Tab>
              <Tabs.Tab value="thumbnail">{t('tab.thumbnail')}</Tabs.Tab>
              <Tabs.Tab value="captions">{t('tab.captions')}</Tabs.Tab>
              <Tabs.Tab value="chapters">{t('tab.chapters')}</Tabs.Tab>
              <Tabs.Tab value="peers">{t('tab.peers')}</Tabs.Tab>
              <Tabs.Tab value="code">{t('tab.code')}</Tabs.Tab>
              <Tabs.Tab value="embed">{t('tab.embed')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="preview" pt="md">
              <Card title={t('tab.preview')} end={<AssetState asset={data} />}>
                <div className={classes.page}>
                  {sent && (
                    <div className={classes.row}>
                      <Suspense>
                        <UploadLine row={sent} />
                      </Suspense>
                    </div>
                  )}
                  {!sent && data.uploadUrl !== null && mayEdit && (
                    <div className={classes.line}>
                      <span className={classes.quiet}>{t('goOnHint')}</span>
                      <GoOnButton of={NEW_VIDEOS} {...data} onMoved={onMoved} />
                    </div>
                  )}
                  {data.reasonCode !== null && (
                    <Notice tone="bad">
                      {t(`errors:errorMessage.${data.reasonCode}`)} {data.reason}
                    </Notice>
                  )}
                  {data.category !== '' && (
                    <p className={classes.quiet}>
                      {t('category')}:{' '}
                      <Link to="/stream/assets" search={{ category: data.category }}>
                        {data.category}
                      </Link>
                    </p>
                  )}
                  {data.recordedFrom && (
                    <p className={classes.quiet}>
                      <Link to="/stream/live-streams/detail/$sid/{-$type}" params={{ sid: data.recordedFrom.id }}>
                        {t('recordedFrom', { name: data.recordedFrom.name })}
                      </Link>
                    </p>
                  )}
                  {data.preview === null ? (
                    <p className={classes.quiet}>{t('notPlayable')}</p>
                  ) : (
                    <Suspense fallback={<div className={classes.video} />}>
                      <Player
                        key={data.replacedAt}
                        src={plainPlaylistUrl(data.preview.manifestUrl)}
                        poster={data.preview.posterUrl ?? undefined}
                        label={data.name}
                        beside={(place) => <ChapterList asset={data.id} {...place} />}
                      />
                    </Suspense>
                  )}
                </div>
              </Card>
            </Tabs.Panel>
            <Tabs.Panel value="files" pt="md">
              <FilesPanel asset={data} hasFile={hasFile(data)} onMoved={onMoved} />
            </Tabs.Panel>
            <Tabs.Panel value="thumbnail" pt="md">
              <ThumbnailCard asset={data.id} isPlayable={data.isPlayable} source={data.source} />
            </Tabs.Panel>
            <Tabs.Panel value="captions" pt="md">
              <CaptionsCard
                asset={data.id}
                isPlayable={data.isPlayable}
                seconds={data.source === null ? null : data.source.seconds}
              />
            </Tabs.Panel>
            <Tabs.Panel value="chapters" pt="md">
              <ChaptersCard asset={data.id} isPlayable={data.isPlayable} seconds={data.source?.seconds ?? null} />
            </Tabs.Panel>
            <Tabs.Panel value="peers" pt="md">
              <Suspense fallback={<Skeleton height={320} radius="lg" />}>
                <PeersPanel source={data.id} manifestUrl={manifest} isLive={false} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="code" pt="md">
              <div className={classes.page}>
                <Card title={t('manifest')}>
                  {manifest === null ? (
                    <p className={classes.quiet}>{t('notPlayable')}</p>
                  ) : (
                    <div className={classes.page}>
                      {data.isSigned && <SignedNotice />}
                      <CodeSnippet label={t('manifest')} code={manifest} />
                    </div>
                  )}
                </Card>
                {data.dashUrl !== null && (
                  <Card title={t('dash')}>
                    <CodeSnippet label={t('dash')} code={data.dashUrl} />
                  </Card>
                )}
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="embed" pt="md">
              <div className={classes.page}>
                {data.isSigned && <SignedNotice />}
                {manifest === null ? (
                  <p className={classes.quiet}>{t('notPlayable')}</p>
                ) : (
                  <>
                    <p className={classes.quiet}>{t('embedHint')}</p>
                    {embedSnippets({ ...data, manifestUrl: manifest, isLive: false }).map(({ key, code }) => (
                      <Card key={key} title={t(`snippet.${key}`)}>
                        <CodeSnippet label={t(`snippet.${key}`)} code={code} />
                      </Card>
                    ))}
                    <ViewsSnippet source={data.id} manifestUrl={manifest} isLive={false} />
                  </>
                )}
              </div>
            </Tabs.Panel>
          </Tabs>
        )}
      </Gate>
      {data && isEditing && <EditDrawer opened asset={data} onClose={() => setEditing(false)} onMoved={onMoved} />}
      {data && (
        <Confirm
          opened={isRemoving}
          onClose={() => setRemoving(false)}
          title={t('removeAsk', { name: data.name })}
          verb={t('remove')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id: data.id })}
        >
          {t('removeText')}
        </Confirm>
      )}
    </>
  )
}
