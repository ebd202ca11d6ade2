import { streamAssets } from '@fairway/contract'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { change } from '../../api/use-change.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { ACCEPT } from './accepted.ts'
import { UploadLine } from './upload-line.tsx'
import { NEW_VIDEOS, uploads, useUploads } from './uploads.ts'
import classes from './stream-assets.module.css'

type Props = { opened: boolean; onClose: () => void; onMoved: () => void }

/** Many files at once; each goes on where it was cut off, can be paused, and says why it cannot be taken. */
export function UploadDrawer({ opened, onClose, onMoved }: Props) {
  const { t } = useTranslation('stream-assets')
  const queryClient = useQueryClient()
  const rows = useUploads(NEW_VIDEOS)
  const add = (files: readonly File[]) => {
    for (const file of files)
      uploads.begin(file, {
        of: NEW_VIDEOS,
        announce: (name) => change(queryClient, streamAssets.routes.create, { name, size: file.size }),
        onMoved,
      })
  }
  const close = () => {
    uploads.tidy(NEW_VIDEOS)
    onClose()
  }
  return (
    <SideDrawer opened={opened} onClose={close} title={t('upload')} keepOpen="quietly">
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
      {rows.length > 0 && <p className={classes.quiet}>{t('goesOnBehind')}</p>}
      <ul className={classes.rows} aria-label={t('files')}>
        {rows.map((row) => (
          <li key={row.key} className={classes.row}>
            <UploadLine row={row} />
          </li>
        ))}
      </ul>
    </SideDrawer>
  )
}
