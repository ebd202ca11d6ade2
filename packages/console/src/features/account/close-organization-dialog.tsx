import { type Profile, account } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { accountRead } from '../../shell/access/session.ts'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { ConfirmIdentity, type Proof } from './confirm-identity.tsx'

type CloseOrganizationDialogProps = { profile: Profile; name: string; onClose: () => void }

/** Has the organisation closed, whose name has to be typed. */
export function CloseOrganizationDialog({ profile, name, onClose }: CloseOrganizationDialogProps) {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const [proof, setProof] = useState<Proof>({})
  const close = useChange(account.routes.close, {
    subject: null,
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: accountRead.queryKey })
      onClose()
    },
  })
  return (
    <ConfirmByName
      opened
      onClose={onClose}
      title={t('leaving.dialogTitle', { name })}
      name={name}
      verb={t('leaving.dialogVerb')}
      busy={close.isPending}
      onConfirm={() => close.mutate({ confirmName: name, ...proof })}
      fields={<ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={close.error} />}
    >
      <p>{t('leaving.dialogText')}</p>
    </ConfirmByName>
  )
}
