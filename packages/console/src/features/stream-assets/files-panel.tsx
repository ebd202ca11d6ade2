import { type Rendition, type StreamAsset, downloadPath, renditionFilePath, streamAssets } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { AssetState } from './asset-state.tsx'
import { GoOnButton } from './go-on-button.tsx'
import classes from './stream-assets.module.css'

const ReplaceDrawer = onDemand(async () => (await import('./replace-drawer.tsx')).ReplaceDrawer)
type Props = { asset: StreamAsset; hasFile: boolean; onMoved: () => void }

/** The file as it was sent, what takes its place, and each quality as a file of its own. */
export function FilesPanel({ asset, hasFile, onMoved }: Props) {
  return (
    <div className={classes.page}>
      <SourceCard asset={asset} hasFile={hasFile} onMoved={onMoved} />
      <RenditionsCard asset={asset} onMoved={onMoved} />
    </div>
  )
}

function SourceCard({ asset, hasFile, onMoved }: Props) {
  const { t } = useTranslation(['stream-assets', 'errors'])
  const format = useFormat()
  const show = useSnackbar()
  const [isReplacing, setReplacing] = useState(false)
  const [isDropping, setDropping] = useState(false)
  const mayEdit = useCanCall(streamAssets.routes.replace)
  const drop = useChange(streamAssets.routes.dropReplacement, {
    onDone: () => {
      setDropping(false)
      show('stream-assets', { message: t('dropped') })
      onMoved()
    },
  })
  const { replacement } = asset
  const hasFailed = replacement?.state === 'failed'
  const mayReplace = asset.isPlayable && asset.state !== 'processing' && (replacement === null || hasFailed)
  return (
    <Card
      title={t('file')}
      hint={t('fileHint')}
      end={
        <span className={classes.line}>
          {hasFile && (
            <Button component="a" size="xs" variant="default" href={downloadPath(asset.id)} download>
              {t('download')}
            </Button>
          )}
          {mayEdit && mayReplace && (
            <Button size="xs" onClick={() => setReplacing(true)}>
              {t('replace')}
            </Button>
          )}
        </span>
      }
    >
      <div className={classes.page}>
        <p className={classes.quiet}>
          {format.bytes(asset.size)}
          {asset.source &&
            ` · ${asset.source.width} × ${asset.source.height} · ${[asset.source.videoCodec, asset.source.audioCodec].filter(Boolean).join(', ')}`}
          {asset.replacedAt !== null && ` · ${t('replacedAt', { at: format.dateTime(Date.parse(asset.replacedAt)) })}`}
        </p>
        {replacement && (
          <Notice tone={hasFailed ? 'bad' : 'info'} title={replacement.name}>
            <span className={classes.row}>
              <span>
                {hasFailed && replacement.reasonCode !== null
                  ? `${t(`errors:errorMessage.${replacement.reasonCode}`)} ${replacement.reason}`
                  : t('replacing')}
              </span>
              <span className={classes.line}>
                <AssetState asset={replacement} />
                {mayEdit && <GoOnButton of={asset.id} {...replacement} onMoved={onMoved} />}
                {mayEdit && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    loading={drop.isPending}
                    onClick={() => (hasFailed ? drop.mutate({ id: asset.id }) : setDropping(true))}
                  >
                    {t(hasFailed ? 'dismiss' : 'stopReplacing')}
                  </Button>
                )}
              </span>
            </span>
          </Notice>
        )}
      </div>
      {/* Kept while its file is sent, whatever the page learns meanwhile. */}
      {mayEdit && (
        <ReplaceDrawer opened={isReplacing} asset={asset} onClose={() => setReplacing(false)} onMoved={onMoved} />
      )}
      <Confirm
        opened={isDropping}
        onClose={() => setDropping(false)}
        title={t('dropAsk')}
        verb={t('stopReplacing')}
        danger
        busy={drop.isPending}
        onConfirm={() => drop.mutate({ id: asset.id })}
      >
        {t('dropText')}
      </Confirm>
    </Card>
  )
}

function RenditionsCard({ asset, onMoved }: Omit<Props, 'hasFile'>) {
  const { t } = useTranslation('stream-assets')
  const format = useFormat()
  const mayMake = useCanCall(streamAssets.routes.makeFile)
  const make = useChange(streamAssets.routes.makeFile, { onDone: onMoved })
  const rate = ({ averageBitrate }: Rendition) =>
    averageBitrate === null ? t('notYet') : `${format.number(averageBitrate / 1e6)} Mbit/s`
  if (asset.renditions.length === 0)
    return (
      <Card title={t('renditions')}>
        <p className={classes.quiet}>{t('notPlayable')}</p>
      </Card>
    )
  return (
    <Card title={t('renditions')} hint={t('renditionsHint')} flush>
      <FlushTable
        label={t('renditions')}
        head={[
          { key: 'quality', text: t('quality') },
          { key: 'picture', text: t('picture'), wide: true },
          { key: 'rate', text: t('rate'), wide: true },
          { key: 'file', text: t('asFile') },
          { key: 'actions', text: '' },
        ]}
      >
        {asset.renditions.map((rendition) => (
          <tr key={rendition.name}>
            <th scope="row">{rendition.name}</th>
            <td data-wide className="num">
              {rendition.width} × {rendition.height}
            </td>
            <td data-wide className="num">
              {rate(rendition)}
            </td>
            <td>
              <FileState rendition={rendition} />
            </td>
            <td className={classes.rowEnd}>
              {rendition.file?.state === 'ready' && (
                <Button
                  component="a"
                  size="xs"
                  variant="default"
                  href={renditionFilePath(asset.id, rendition.name)}
                  download
                  aria-label={t('downloadNamed', { name: rendition.name })}
                >
                  {t('downloadFile')}
                </Button>
              )}
              {mayMake &&
                rendition.state === 'done' &&
                (rendition.file === null || rendition.file.state === 'failed') && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('makeNamed', { name: rendition.name })}
                    loading={make.isPending && make.variables.rendition === rendition.name}
                    onClick={() => make.mutate({ id: asset.id, rendition: rendition.name })}
                  >
                    {t('make')}
                  </Button>
                )}
            </td>
          </tr>
        ))}
      </FlushTable>
    </Card>
  )
}

function FileState({ rendition: { state, file } }: { rendition: Rendition }) {
  const { t } = useTranslation('stream-assets')
  const format = useFormat()
  if (state !== 'done') return <span className={classes.quiet}>{t('notYet')}</span>
  if (file === null) return <span className={classes.quiet}>{t('fileNone')}</span>
  if (file.state !== 'ready')
    return (
      <Pill tone={file.state === 'failed' ? 'bad' : 'info'} busy={file.state === 'making'}>
        {t(`fileState.${file.state}`)}
      </Pill>
    )
  return (
    <span>
      {file.size !== null && format.bytes(file.size)}{' '}
      {file.until !== null && (
        <span className={classes.quiet}>{t('fileUntil', { at: format.dateTime(Date.parse(file.until)) })}</span>
      )}
    </span>
  )
}
