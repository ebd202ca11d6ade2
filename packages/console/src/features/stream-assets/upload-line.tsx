import { Button, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import type { UploadRow } from './send-file.ts'
import classes from './stream-assets.module.css'

type Props = { row: UploadRow; mayResume: boolean; onPause: () => void; onResume: () => void }

/** One file that is sent: how far it is, and why it cannot be taken. */
export function UploadLine({ row, mayResume, onPause, onResume }: Props) {
  const { t } = useTranslation(['stream-assets', 'errors'])
  const format = useFormat()
  return (
    <>
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
        <span role="status">{row.code === null ? t(`upload_${row.state}`) : t(`errors:errorMessage.${row.code}`)}</span>
        {row.state === 'going' && (
          <Button size="compact-xs" variant="default" onClick={onPause}>
            {t('pause')}
          </Button>
        )}
        {(row.state === 'paused' || (row.state === 'failed' && mayResume)) && (
          <Button size="compact-xs" variant="default" onClick={onResume}>
            {t('resume')}
          </Button>
        )}
      </span>
    </>
  )
}
