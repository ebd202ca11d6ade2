import { Button, Checkbox } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Copy } from '../../ui/marks/copy.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './screen.module.css'

/** Ten one-time codes, shown this once; the dialog closes when they are said to be kept. */
export function RecoveryCodes({
  codes,
  title,
  onClose,
}: {
  codes: readonly string[]
  title: string
  onClose: () => void
}) {
  const { t } = useTranslation(['account', 'shell'])
  const [kept, setKept] = useState(false)
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      opened
      onClose={() => {
        if (kept) onClose()
      }}
      title={title}
      size={520}
      footer={
        <Button disabled={!kept} onClick={onClose}>
          {t('recovery.done')}
        </Button>
      }
    >
      <div className={classes.form}>
        <Notice tone="warn">{t('recovery.once')}</Notice>
        <ul className={classes.codes} aria-label={t('recovery.name')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={classes.rowActions}>
          <Copy value={text} name={t('recovery.name')} />
          <Button
            component="a"
            variant="default"
            size="xs"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="recovery-codes.txt"
            leftSection={<IconDownload size={15} stroke={1.65} />}
          >
            {t('recovery.download')}
          </Button>
        </div>
        <Checkbox
          label={t('recovery.kept')}
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  )
}
