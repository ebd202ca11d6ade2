import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import classes from './upload.module.css'

type UploadProps = {
  /** What to do, for example *Drop a zone file here, or paste its text*. */
  text: ReactNode
  verb: string
  /** As the `accept` of an input. */
  accept: string
  onFile: (file: File) => void
  busy?: boolean
}

/** A place to drop a file on, with a button for those who do not drag. */
export function Upload({ text, verb, accept, onFile, busy = false }: UploadProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  return (
    <div
      className={classes.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span className={classes.text}>{text}</span>
      <FileButton
        accept={accept}
        onChange={(file) => {
          if (file) onFile(file)
        }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} stroke={1.65} />} loading={busy}>
            {verb}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
