import { MfaCode, account } from '@fairway/contract'
import type { Profile } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { accountRead } from '../../shell/access/session.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { ConfirmIdentity, type Proof } from './confirm-identity.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from './screen.module.css'

/** Three steps: it is still you, the app knows the secret, the recovery codes are kept. */
export function MfaSetupDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation(['account', 'errors', 'validation', 'shell'])
  const queryClient = useQueryClient()
  const [proof, setProof] = useState<Proof>({})
  const [code, setCode] = useState('')
  const begin = useChange(account.routes.enableTotp, { subject: null })
  const verify = useChange(account.routes.verifyTotp, {
    subject: null,
    onDone: () =>
      Promise.all(
        [account.routes.profile.path, accountRead.queryKey[0]].map((path) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      ),
  })
  const cancel = (
    <Button variant="default" onClick={onClose}>
      {t('shell:cancel')}
    </Button>
  )
  if (verify.data) return <RecoveryCodes codes={verify.data.recoveryCodes} title={t('mfa.done')} onClose={onClose} />
  if (!begin.data) {
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('mfa.setUpTitle')}
        footer={
          <>
            {cancel}
            <Button loading={begin.isPending} onClick={() => begin.mutate(proof)}>
              {t('mfa.continue')}
            </Button>
          </>
        }
      >
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            begin.mutate(proof)
          }}
        >
          <p>{t('mfa.setUpText')}</p>
          <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={begin.error} />
        </form>
      </Dialog>
    )
  }
  const { secret, qr } = begin.data
  const field = verify.error instanceof ApiError ? verify.error.fields[0]?.message : undefined
  const isCode = MfaCode.safeParse(code).success
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('mfa.setUpTitle')}
      size={520}
      footer={
        <>
          {cancel}
          <Button loading={verify.isPending} disabled={!isCode} onClick={() => verify.mutate({ code })}>
            {t('mfa.turnOn')}
          </Button>
        </>
      }
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isCode) verify.mutate({ code })
        }}
      >
        {verify.isError && field === undefined && <Notice tone="bad">{failureText(t, verify.error)}</Notice>}
        <div className={classes.qr}>
          <img src={`data:image/svg+xml;utf8,${encodeURIComponent(qr)}`} alt={t('mfa.qr')} width={152} height={152} />
          <div>
            <p>{t('mfa.scan')}</p>
            <p className={classes.secret}>
              {secret.match(/.{1,4}/g)?.join(' ')} <Copy value={secret} name={t('mfa.secret')} />
            </p>
          </div>
        </div>
        <TextInput
          label={t('mfa.firstCode')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={validationText(t, field)}
          data-autofocus
        />
      </form>
    </Dialog>
  )
}
