import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from './confirm.tsx'
import { type DiffRow, DiffView } from '../marks/diff-view.tsx'
import { Dialog } from './dialog.tsx'
import classes from './save-bar.module.css'

type SaveBarProps = {
  /** What differs from what is saved; the bar shows while there is any. */
  changes: readonly DiffRow[]
  busy?: boolean
  onSave: () => void
  onDiscard: () => void
}

/** Slides in while a settings page has unsaved changes, and asks before they are left behind. */
export function SaveBar({ changes, busy = false, onSave, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('shell')
  const [viewing, setViewing] = useState(false)
  const isDirty = changes.length > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !busy && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <>
      {isDirty && (
        <div className={classes.bar} role="region" aria-label={t('save.label')}>
          <span className={classes.count} role="status">
            {t('save.count', { count: changes.length })}
          </span>
          <Button variant="subtle" size="xs" onClick={() => setViewing(true)}>
            {t('save.view')}
          </Button>
          <span className={classes.buttons}>
            <Button variant="default" onClick={onDiscard}>
              {t('save.discard')}
            </Button>
            <Button loading={busy} onClick={onSave}>
              {t('save.save')}
            </Button>
          </span>
        </div>
      )}
      <Dialog opened={viewing && isDirty} onClose={() => setViewing(false)} title={t('save.changes')} size={560}>
        <DiffView rows={changes} />
      </Dialog>
      <Confirm
        opened={blocker.status === 'blocked'}
        onClose={() => blocker.reset?.()}
        title={t('save.leaveTitle')}
        verb={t('save.leave')}
        danger
        onConfirm={() => blocker.proceed?.()}
      >
        {t('save.leaveText', { count: changes.length })}
      </Confirm>
    </>
  )
}
