import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { Notice } from '../page/notice.tsx'

type ConfirmProps = {
  opened: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** What makes it serious, in a red box. */
  alert?: ReactNode
  /** Verb and noun: "Delete 18 records". */
  verb: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
}

/** Asks before what cannot be undone with one click. Where it can, prefer a snackbar with Undo. */
export function Confirm({
  opened,
  onClose,
  title,
  children,
  alert,
  verb,
  danger = false,
  busy = false,
  onConfirm,
}: ConfirmProps) {
  const { t } = useTranslation('shell')
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      size={560}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button {...(danger ? { color: 'red' } : {})} loading={busy} onClick={onConfirm} data-autofocus>
            {verb}
          </Button>
        </>
      }
    >
      {alert !== undefined && <Notice tone="bad">{alert}</Notice>}
      {children}
    </Dialog>
  )
}
