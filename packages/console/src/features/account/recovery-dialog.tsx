import { account } from '@fairway/contract'
import type { Profile } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { ConfirmIdentity, type Proof } from './confirm-identity.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from './screen.module.css'

/** New recovery codes in place of the old ones. */
export function RecoveryDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation(['account', 'shell'])
  const queryClient = useQueryClient()
  const [proof, setProof] = useState<Proof>({})
  const renew = useChange(account.routes.renewRecoveryCodes, {
    subject: null,
    onDone: () => queryClient.invalidateQueries({ queryKey: [account.routes.profile.path] }),
  })
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} title={t('recovery.new')} onClose={onClose} />
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('recovery.title')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={renew.isPending} onClick={() => renew.mutate(proof)}>
            {t('recovery.verb')}
          </Button>
        </>
      }
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          renew.mutate(proof)
        }}
      >
        <p>{t('recovery.text')}</p>
        <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={renew.error} />
      </form>
    </Dialog>
  )
}
