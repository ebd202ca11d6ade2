import { accessControl } from '@fairway/contract'
import type { AccessEntry } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { ExpiryField } from './expiry-field.tsx'
import classes from './access-control.module.css'

type EntryDialogProps = { opened: boolean; onClose: () => void; place: Place; entry: AccessEntry | null }

/** Note and end of one entry. */
export function EntryDialog({ opened, onClose, place, entry }: EntryDialogProps) {
  const { t } = useTranslation(['access-control', 'shell'])
  const [note, setNote] = useState(entry?.note ?? '')
  const [expiresAt, setExpiresAt] = useState(entry?.expiresAt ?? null)
  const update = useChange(accessControl.routes.update, { subject: null, onDone: onClose })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={entry?.value ?? ''}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            loading={update.isPending}
            onClick={() => {
              if (entry) update.mutate({ ...place, id: entry.id, note, expiresAt })
            }}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {update.error && <FailureNotice title={t('notSaved')} error={update.error} />}
        <TextInput
          label={t('note')}
          value={note}
          maxLength={200}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ExpiryField value={expiresAt} onChange={setExpiresAt} />
      </div>
    </Dialog>
  )
}
