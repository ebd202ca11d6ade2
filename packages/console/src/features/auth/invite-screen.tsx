import { Password, PersonName, auth } from '@fairway/contract'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { useSignIn } from './use-sign-in.ts'

const Fields = z
  .object({ firstName: PersonName, lastName: PersonName, password: Password, confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: 'validation.confirmPassword',
  })

/** An invited person sets up the account. */
export function InviteScreen() {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const { token = '' } = useSearch({ from: '/verify-invite-email' })
  const navigate = useNavigate()
  const { goOn } = useSignIn()
  const invite = useRead(auth.routes.tokenInfo, { purpose: 'invite', token })
  const form = useZodForm(Fields, { firstName: '', lastName: '', password: '', confirmPassword: '' })
  const accept = useMutation({
    mutationFn: ({ firstName, lastName, password }: z.input<typeof Fields>) =>
      api(auth.routes.acceptInvite, { token, firstName, lastName, password }),
    onSuccess: (answer) => goOn(answer),
    onError: (error) => {
      form.takeFieldErrors(error)
      void invite.refetch()
    },
  })
  const decline = useMutation({ mutationFn: () => api(auth.routes.declineInvite, { token }) })
  const state = invite.data?.state
  const organization = invite.data?.organizationName ?? ''
  if (decline.isSuccess)
    return <AuthPage title={t('invite.declined')} text={t('invite.declinedText', { organization })} />
  if (invite.isPending) return <AuthPage title={t('invite.title')} text={t('checkingLink')} />
  if (invite.isError || state === 'unknown' || state === 'used')
    return (
      <AuthPage
        title={t('link.dead')}
        text={state === 'used' ? t('invite.used') : t('link.unknown')}
        below={<Link to="/login">{t('backToSignIn')}</Link>}
      />
    )
  const isOpen = state === 'ok'
  if (isOpen && invite.data?.hasAccount)
    return (
      <AuthPage
        title={t('invite.text', { organization })}
        text={t('invite.hasAccount', { email: invite.data.email ?? '' })}
        below={<Link to="/login">{t('backToSignIn')}</Link>}
      >
        <div className={classes.form}>
          {decline.isError && <Notice tone="bad">{failureText(t, decline.error)}</Notice>}
          <p>{t('invite.tellText')}</p>
          <Button fullWidth size="md" loading={decline.isPending} onClick={() => decline.mutate()}>
            {t('invite.tell', { organization })}
          </Button>
        </div>
      </AuthPage>
    )
  return (
    <AuthPage title={t('invite.title')} text={t('invite.text', { organization })}>
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => accept.mutate(input))}>
        {accept.isError && isOpen && <Notice tone="bad">{failureText(t, accept.error)}</Notice>}
        <TextInput label={t('email')} type="email" autoComplete="username" value={invite.data?.email ?? ''} readOnly />
        <div className={classes.pair}>
          <TextInput
            label={t('firstName')}
            autoComplete="given-name"
            autoFocus={isOpen}
            error={form.problem('firstName')}
            {...form.register('firstName')}
          />
          <TextInput
            label={t('lastName')}
            autoComplete="family-name"
            error={form.problem('lastName')}
            {...form.register('lastName')}
          />
        </div>
        <PasswordInput
          label={t('password')}
          description={t('passwordHelp')}
          autoComplete="new-password"
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
        <Button type="submit" fullWidth size="md" loading={accept.isPending}>
          {t('invite.verb')}
        </Button>
        {decline.isError && <Notice tone="bad">{failureText(t, decline.error)}</Notice>}
        <Button variant="subtle" fullWidth loading={decline.isPending} onClick={() => decline.mutate()}>
          {t('invite.decline')}
        </Button>
      </form>
      <Dialog
        opened={state === 'expired'}
        onClose={() => void navigate({ to: '/login' })}
        title={t('invite.expired')}
        footer={
          <Button onClick={() => void navigate({ to: '/login' })} data-autofocus>
            {t('backToSignIn')}
          </Button>
        }
      >
        {t('invite.expiredText', { organization })}
      </Dialog>
    </AuthPage>
  )
}
