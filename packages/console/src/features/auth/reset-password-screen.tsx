import { auth } from '@fairway/contract'
import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { noteSignedOut } from '../../shell/access/signed-in-sign.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { NewPassword } from './new-password.ts'

/** Where the link of the letter leads: a new password, or word that the link does not work any more. */
export function ResetPasswordScreen() {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const { token = '' } = useSearch({ from: '/reset-password' })
  const navigate = useNavigate()
  const link = useRead(auth.routes.tokenInfo, { purpose: 'reset-password', token })
  const [removes, setRemoves] = useState(true)
  const form = useZodForm(NewPassword, { password: '', confirmPassword: '' })
  const reset = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      api(auth.routes.resetPassword, { token, password, keepOtherWays: !removes }),
    onSuccess: () => {
      noteSignedOut()
      return navigate({ to: '/login', search: { notice: 'password' } })
    },
    onError: (error) => {
      form.takeFieldErrors(error)
    },
  })
  if (link.isPending) return <AuthPage title={t('reset.title')} text={t('checkingLink')} />
  if (link.data?.state !== 'ok') {
    return (
      <AuthPage
        title={t('link.dead')}
        text={t(`link.${link.data?.state ?? 'unknown'}`)}
        below={<Link to="/login">{t('backToSignIn')}</Link>}
      >
        <div className={classes.form}>
          <LinkButton to="/forgot-password" fullWidth size="md">
            {t('reset.again')}
          </LinkButton>
        </div>
      </AuthPage>
    )
  }
  return (
    <AuthPage title={t('reset.title')} text={t('reset.text')}>
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => reset.mutate(input))}>
        {reset.isError && <Notice tone="bad">{failureText(t, reset.error)}</Notice>}
        <input
          type="email"
          className="sr-only"
          tabIndex={-1}
          aria-hidden
          autoComplete="username"
          value={link.data.email ?? ''}
          readOnly
        />
        <PasswordInput
          label={t('newPassword')}
          description={t('passwordHelp')}
          autoComplete="new-password"
          autoFocus
          error={form.problem('password')}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register('password')}
        />
        <PasswordInput
          label={t('confirmPassword')}
          autoComplete="new-password"
          error={form.problem('confirmPassword')}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register('confirmPassword')}
        />
        <Checkbox
          label={t('reset.removeOthers')}
          description={t('reset.removeOthersHelp')}
          checked={removes}
          onChange={(event) => setRemoves(event.currentTarget.checked)}
        />
        <Button type="submit" fullWidth size="md" loading={reset.isPending}>
          {t('reset.verb')}
        </Button>
      </form>
    </AuthPage>
  )
}
