import { isTooLarge, streamAssets } from '@fairway/contract'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Upload } from 'tus-js-client'
import { change } from '../../api/use-change.ts'
import { ApiError } from '../../api/api-error.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { ACCEPT, type UploadRow, sendFile } from './send-file.ts'
import { UploadLine } from './upload-line.tsx'
import classes from './stream-assets.module.css'

type Props = { opened: boolean; onClose: () => void; onMoved: () => void }

/** Many files at once; each goes on where it was cut off, can be paused, and says why it cannot be taken. */
export function UploadDrawer({ opened, onClose, onMoved }: Props) {
  const { t } = useTranslation('stream-assets')
  const queryClient = useQueryClient()
  const [rows, setRows] = useState<ReadonlyMap<string, UploadRow>>(new Map())
  const running = useRef(new Map<string, Upload>())
  const note = (name: string, row: Partial<UploadRow>) =>
    setRows((before) => {
      const old = before.get(name)
      return old ? new Map(before).set(name, { ...old, ...row }) : before
    })
  const add = (files: readonly File[]) => {
    for (const file of files) {
      setRows((before) =>
        new Map(before).set(file.name, { name: file.name, size: file.size, loaded: 0, state: 'waiting', code: null }),
      )
      if (isTooLarge(file.size)) note(file.name, { state: 'failed', code: 30009 })
      else void begin(file)
    }
  }
  const begin = async (file: File) => {
    try {
      const { uploadUrl } = await change(queryClient, streamAssets.routes.create, { name: file.name, size: file.size })
      onMoved()
      const upload = sendFile(file, uploadUrl, {
        note: (row) => note(file.name, row),
        onDone: () => {
          running.current.delete(file.name)
          onMoved()
        },
      })
      running.current.set(file.name, upload)
      note(file.name, { state: 'going' })
      upload.start()
    } catch (error) {
      note(file.name, { state: 'failed', code: error instanceof ApiError ? error.code : null })
    }
  }
  const pause = (name: string) => {
    void running.current.get(name)?.abort()
    note(name, { state: 'paused' })
  }
  const resume = (name: string) => {
    running.current.get(name)?.start()
    note(name, { state: 'going' })
  }
  return (
    <SideDrawer opened={opened} onClose={onClose} title={t('upload')} keepOpen="quietly">
      <div
        className={classes.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          add([...event.dataTransfer.files])
        }}
      >
        <span>{t('drop')}</span>
        <FileButton multiple accept={ACCEPT} onChange={add}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} stroke={1.65} />}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
      </div>
      <ul className={classes.rows} aria-label={t('files')}>
        {[...rows.values()].map((row) => (
          <li key={row.name} className={classes.row}>
            <UploadLine
              row={row}
              mayResume={running.current.has(row.name)}
              onPause={() => pause(row.name)}
              onResume={() => resume(row.name)}
            />
          </li>
        ))}
      </ul>
    </SideDrawer>
  )
}
