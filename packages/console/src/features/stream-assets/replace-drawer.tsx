import { type StreamAsset, streamAssets } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../api/use-change.ts'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { Upload } from '../../ui/forms/upload.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { ACCEPT } from './accepted.ts'
import { UploadLine } from './upload-line.tsx'
import { uploads, useUploads } from './uploads.ts'
import classes from './stream-assets.module.css'

type Props = { opened: boolean; asset: StreamAsset; onClose: () => void; onMoved: () => void }

/** Another file for a video; it is sent as a first one is, and the old one plays meanwhile. */
export function ReplaceDrawer({ opened, asset, onClose, onMoved }: Props) {
  const { t } = useTranslation('stream-assets')
  const queryClient = useQueryClient()
  const [atOnce, setAtOnce] = useState(false)
  const row = useUploads(asset.id).at(-1)
  const begin = (file: File) =>
    uploads.begin(file, {
      of: asset.id,
      announce: (name) =>
        change(queryClient, streamAssets.routes.replace, { id: asset.id, name, size: file.size, atOnce }),
      onMoved,
    })
  const isSending = row !== undefined && row.uploadUrl !== null
  const close = () => {
    uploads.tidy(asset.id)
    onClose()
  }
  return (
    <SideDrawer
      opened={opened}
      onClose={close}
      title={t('replaceTitle', { name: asset.name })}
      keepOpen={row !== undefined && row.state !== 'done'}
    >
      <div className={classes.page}>
        <p className={classes.quiet}>{t('replaceText')}</p>
        <SwitchRow
          label={t('atOnce')}
          text={t('atOnceText')}
          checked={atOnce}
          onChange={setAtOnce}
          disabled={isSending}
        />
        {!isSending && <Upload text={t('dropOne')} verb={t('chooseOne')} accept={ACCEPT} onFile={begin} />}
        {row && (
          <div className={classes.row}>
            <UploadLine row={row} />
          </div>
        )}
        {row?.state === 'done' && <Notice tone="info">{t('replaceSent')}</Notice>}
      </div>
    </SideDrawer>
  )
}
