import { type Teammate, account, teammates } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { ConfirmIdentity, type Proof } from '../account/confirm-identity.tsx'
import { nameOf } from './person-name.ts'

type OwnDialogProps = { person: Teammate; onClose: () => void }

/** Hands the organisation over to this person. */
export function OwnerDialog({ person, onClose }: OwnDialogProps) {
  const { t } = useTranslation(['teammates', 'shell'])
  const show = useSnackbar()
  const profile = useRead(account.routes.profile, {}).data
  const [proof, setProof] = useState<Proof>({})
  const { id } = person
  const name = nameOf(person)
  const transfer = useChange(teammates.routes.transferOwnership, {
    subject: null,
    onDone: () => {
      onClose()
      show(`person ${id}`, { message: t('own.done', { name }) })
    },
  })
  const submit = () => transfer.mutate({ id, ...proof })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('own.title', { name })}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button color="red" loading={transfer.isPending} disabled={!profile} onClick={submit}>
            {t('own.verb')}
          </Button>
        </>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Notice tone="warn">{t('own.text', { name })}</Notice>
        {profile && <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={transfer.error} />}
      </form>
    </Dialog>
  )
}

/** Removes the caller's own account, whose address has to be typed. */
export function LeaveDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation('teammates')
  const profile = useRead(account.routes.profile, {}).data
  const [proof, setProof] = useState<Proof>({})
  const leave = useChange(teammates.routes.leave, { subject: null, onDone: () => location.assign('/login') })
  return (
    <ConfirmByName
      opened
      onClose={onClose}
      title={t('leave.title')}
      name={email}
      verb={t('leave.verb')}
      busy={leave.isPending}
      onConfirm={() => leave.mutate({ email, ...proof })}
      fields={profile && <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={leave.error} />}
    >
      <p>{t('leave.text')}</p>
    </ConfirmByName>
  )
}
