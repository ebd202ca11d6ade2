import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './layer.module.css'

type DialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  /** 440 by default; a confirmation may take 560. */
  size?: number
  /** Its height from the start, where what it shows is still on its way: it would grow under the reader's eyes. */
  tall?: boolean
  /** Buttons: secondary first, the primary one last. */
  footer?: ReactNode
  children?: ReactNode
}

/** A small layer in the middle. Its head is a `div`: a second `<header>` would be a second banner. */
export function Dialog({ opened, onClose, title, size = 440, tall = false, footer, children }: DialogProps) {
  const { t } = useTranslation('shell')
  return (
    <Modal.Root opened={opened} onClose={onClose} size={size} centered>
      <Modal.Overlay className={classes.overlay} />
      <Modal.Content classNames={{ content: classes.dialog }}>
        <div className={classes.head}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <Modal.CloseButton className={classes.close} aria-label={t('close')} />
        </div>
        <Modal.Body className={classes.dialogBody} data-tall={tall || undefined}>
          {children}
        </Modal.Body>
        {footer !== undefined && (
          <div className={classes.foot}>
            <div className={classes.buttons}>{footer}</div>
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}
