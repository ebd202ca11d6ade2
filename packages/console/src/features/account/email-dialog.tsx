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
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { ConfirmIdentity, type Proof } from './confirm-identity.tsx'
import classes from './screen.module.css'

const Address = account.routes.sendMessage.in.pick({ email: true })

/** Another e-mail address: a code goes to it, and comes back from there. */
export function EmailDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation(['account', 'auth', 'errors', 'validation', 'shell'])
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const [proof, setProof] = useState<Proof>({})
  const [code, setCode] = useState('')
  const form = useZodForm(Address, { email: '' })
  const send = useChange(account.routes.sendMessage, { subject: null })
  const verify = useChange(account.routes.verifyMessage, {
    subject: null,
    onDone: async ({ email }) => {
      await Promise.all(
        [account.routes.profile.path, accountRead.queryKey[0]].map((path) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      )
      show('email', { message: t('email.changed', { email }) })
      onClose()
    },
  })
  const cancel = (
    <Button variant="default" onClick={onClose}>
      {t('shell:cancel')}
    </Button>
  )
  if (!send.isSuccess) {
    const submit = form.handleSubmit(({ email }) => send.mutate({ email, ...proof }))
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('email.title')}
        footer={
          <>
            {cancel}
            <Button loading={send.isPending} onClick={() => void submit()}>
              {t('email.send')}
            </Button>
          </>
        }
      >
        <form className={classes.form} noValidate onSubmit={submit}>
          <TextInput
            label={t('email.new')}
            type="email"
            autoComplete="email"
            error={form.problem('email')}
            {...form.register('email')}
            data-autofocus
          />
          <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={send.error} />
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </form>
      </Dialog>
    )
  }
  const field = verify.error instanceof ApiError ? verify.error.fields[0]?.message : undefined
  const isCode = MfaCode.safeParse(code).success
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('email.title')}
      footer={
        <>
          {cancel}
          <Button loading={verify.isPending} disabled={!isCode} onClick={() => verify.mutate({ code })}>
            {t('email.verb')}
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
        <p>{t('email.sent', { email: send.variables.email })}</p>
        <TextInput
          label={t('email.code')}
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
