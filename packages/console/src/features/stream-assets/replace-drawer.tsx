import { type StreamAsset, isTooLarge, streamAssets } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Upload as Sending } from 'tus-js-client'
import { ApiError } from '../../api/api-error.ts'
import { change } from '../../api/use-change.ts'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { Upload } from '../../ui/forms/upload.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { ACCEPT, type UploadRow, sendFile } from './send-file.ts'
import { UploadLine } from './upload-line.tsx'
import classes from './stream-assets.module.css'

type Props = { opened: boolean; asset: StreamAsset; onClose: () => void; onMoved: () => void }

/** Another file for a video; it is sent as a first one is, and the old one plays meanwhile. */
export function ReplaceDrawer({ opened, asset, onClose, onMoved }: Props) {
  const { t } = useTranslation('stream-assets')
  const queryClient = useQueryClient()
  const [atOnce, setAtOnce] = useState(false)
  const [row, setRow] = useState<UploadRow | null>(null)
  const [sending, setSending] = useState<Sending | null>(null)
  const note = (change: Partial<UploadRow>) => setRow((before) => before && { ...before, ...change })
  const begin = async (file: File) => {
    setRow({ name: file.name, size: file.size, loaded: 0, state: 'waiting', code: null })
    if (isTooLarge(file.size)) return note({ state: 'failed', code: 30009 })
    try {
      const { uploadUrl } = await change(queryClient, streamAssets.routes.replace, {
        id: asset.id,
        name: file.name,
        size: file.size,
        atOnce,
      })
      onMoved()
      const upload = sendFile(file, uploadUrl, { note, onDone: onMoved })
      setSending(upload)
      note({ state: 'going' })
      upload.start()
    } catch (error) {
      note({ state: 'failed', code: error instanceof ApiError ? error.code : null })
    }
  }
  const isSending = sending !== null
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('replaceTitle', { name: asset.name })}
      keepOpen={row !== null && row.state !== 'done'}
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
        {!isSending && (
          <Upload text={t('dropOne')} verb={t('chooseOne')} accept={ACCEPT} onFile={(file) => void begin(file)} />
        )}
        {row && (
          <div className={classes.row}>
            <UploadLine
              row={row}
              mayResume={isSending}
              onPause={() => {
                void sending?.abort()
                note({ state: 'paused' })
              }}
              onResume={() => {
                sending?.start()
                note({ state: 'going' })
              }}
            />
          </div>
        )}
        {row?.state === 'done' && <Notice tone="info">{t('replaceSent')}</Notice>}
      </div>
    </SideDrawer>
  )
}
