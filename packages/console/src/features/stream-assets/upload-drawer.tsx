import { VIDEO_ENDINGS, isTooLarge, streamAssets } from '@fairway/contract'
import { Button, FileButton, Progress } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Upload } from 'tus-js-client'
import { change } from '../../api/use-change.ts'
import { ApiError } from '../../api/api-error.ts'
import { useFormat } from '../../i18n/format.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import classes from './stream-assets.module.css'

type Row = {
  name: string
  size: number
  loaded: number
  state: 'waiting' | 'going' | 'paused' | 'done' | 'failed'
  code: number | null
}
type Props = { opened: boolean; onClose: () => void; onMoved: () => void }

/** A piece arrives within half a minute on a line of 1 Mbit/s; what a cut line has brought over is kept. */
const PIECE_BYTES = 4 * 2 ** 20
const AGAIN_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000]
const ACCEPT = VIDEO_ENDINGS.map((ending) => `.${ending}`).join()

/** Many files at once; each goes on where it was cut off, can be paused, and says why it cannot be taken. */
export function UploadDrawer({ opened, onClose, onMoved }: Props) {
  const { t } = useTranslation(['stream-assets', 'errors'])
  const format = useFormat()
  const queryClient = useQueryClient()
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const running = useRef(new Map<string, Upload>())
  const note = (name: string, row: Partial<Row>) =>
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
      const upload = new Upload(file, {
        uploadUrl: new URL(uploadUrl, location.href).href,
        headers: { 'x-fairway-client': 'console' },
        chunkSize: PIECE_BYTES,
        retryDelays: AGAIN_MS,
        storeFingerprintForResuming: false,
        onProgress: (loaded) => note(file.name, { loaded }),
        onSuccess: () => {
          note(file.name, { state: 'done', loaded: file.size })
          running.current.delete(file.name)
          onMoved()
        },
        onError: () => note(file.name, { state: 'failed', code: null }),
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
    <SideDrawer opened={opened} onClose={onClose} title={t('upload')} keepOpen>
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
            <span className={classes.name}>{row.name}</span>
            <span className={classes.quiet}>
              {format.bytes(row.loaded)} / {format.bytes(row.size)} ·{' '}
              {format.percent(Math.floor((row.loaded / row.size) * 100))}
            </span>
            <Progress
              value={(row.loaded / row.size) * 100}
              color={row.state === 'failed' ? 'red' : row.state === 'done' ? 'teal' : 'blue'}
              aria-label={row.name}
            />
            <span className={classes.line}>
              <span role="status">
                {row.code === null ? t(`upload_${row.state}`) : t(`errors:errorMessage.${row.code}`)}
              </span>
              {row.state === 'going' && (
                <Button size="compact-xs" variant="default" onClick={() => pause(row.name)}>
                  {t('pause')}
                </Button>
              )}
              {(row.state === 'paused' || (row.state === 'failed' && running.current.has(row.name))) && (
                <Button size="compact-xs" variant="default" onClick={() => resume(row.name)}>
                  {t('resume')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </SideDrawer>
  )
}
