import { Password, account } from '@fairway/contract'
import { Button, PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { forgetUser } from '../../shell/bar/end-session.ts'
import { noteSignedOut } from '../../shell/access/signed-in-sign.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './screen.module.css'

const Fields = z
  .object({
    currentPassword: z.string().min(1, 'validation.required'),
    password: Password,
    confirmPassword: z.string(),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: 'validation.confirmPassword',
  })
const FIELDS = ['currentPassword', 'password', 'confirmPassword'] as const
const AUTOCOMPLETE = {
  currentPassword: 'current-password',
  password: 'new-password',
  confirmPassword: 'new-password',
} as const

/** A new password; every session ends with it, so one signs in again. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'auth', 'errors', 'shell'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useZodForm(Fields, { currentPassword: '', password: '', confirmPassword: '' })
  const change = useChange(account.routes.password, {
    subject: null,
    onDone: async () => {
      noteSignedOut()
      await navigate({ to: '/login', search: { notice: 'password' } })
      forgetUser(queryClient)
    },
  })
  const submit = form.handleSubmit(({ currentPassword, password }) =>
    change.mutate(
      { currentPassword, password },
      {
        onError: (error) => {
          form.takeFieldErrors(error)
        },
      },
    ),
  )
  const label = {
    currentPassword: t('password.current'),
    password: t('auth:newPassword'),
    confirmPassword: t('auth:confirmPassword'),
  }
  const isAtField = change.error !== null && 'fields' in change.error && change.error.fields.length > 0
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('password.title')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={change.isPending} onClick={() => void submit()}>
            {t('password.verb')}
          </Button>
        </>
      }
    >
      <form className={classes.form} noValidate onSubmit={submit}>
        {change.isError && !isAtField && <Notice tone="bad">{failureText(t, change.error)}</Notice>}
        <Notice tone="info">{t('password.ends')}</Notice>
        {FIELDS.map((name, index) => (
          <PasswordInput
            key={name}
            label={label[name]}
            {...(name === 'password' ? { description: t('auth:passwordHelp') } : {})}
            autoComplete={AUTOCOMPLETE[name]}
            {...(index === 0 ? { 'data-autofocus': true } : {})}
            error={form.problem(name)}
            visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
            {...form.register(name)}
          />
        ))}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
