import { account } from '@fairway/contract'
import type { Profile } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { accountRead } from '../../shell/access/session.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { ConfirmIdentity, type Proof } from './confirm-identity.tsx'
import classes from './screen.module.css'

/** Turns the second step off. */
export function MfaOffDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation(['account', 'shell'])
  const queryClient = useQueryClient()
  const [proof, setProof] = useState<Proof>({})
  const off = useChange(account.routes.disableTotp, {
    subject: null,
    onDone: async () => {
      onClose()
      await Promise.all(
        [account.routes.profile.path, accountRead.queryKey[0]].map((path) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      )
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('mfa.offTitle')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button color="red" loading={off.isPending} onClick={() => off.mutate(proof)}>
            {t('mfa.offVerb')}
          </Button>
        </>
      }
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          off.mutate(proof)
        }}
      >
        <Notice tone="warn">{t('mfa.offWarning')}</Notice>
        <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={off.error} />
      </form>
    </Dialog>
  )
}
