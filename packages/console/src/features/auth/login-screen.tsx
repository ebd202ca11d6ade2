import { auth } from '@fairway/contract'
import type { RouteInput } from '@fairway/contract'
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { isSignedOut } from '../../api/query-client.ts'
import { useRead } from '../../api/queries.ts'
import { usePartner } from '../../shell/partner.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { GoogleButton } from './google-button.tsx'
import { OldPassword } from './old-password.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SandboxButton } from './sandbox-button.tsx'
import { useSignIn } from './use-sign-in.ts'

/** Signs in and goes on to where the visitor wanted to be. */
export function LoginScreen() {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const { next, notice } = useSearch({ from: '/login' })
  const partner = usePartner()
  const { data: offers } = useRead(auth.routes.firstRun, {})
  const { goOn, oldPassword } = useSignIn()
  const [otherFailure, setOtherFailure] = useState<unknown>(null)
  const form = useZodForm(auth.routes.login.in, { email: '', password: '', remember: false })
  const login = useMutation({
    mutationFn: (input: RouteInput<typeof auth.routes.login>) => api(auth.routes.login, input),
    onMutate: () => setOtherFailure(null),
    onSuccess: (answer, { email }) => goOn(answer, { next, email }),
  })
  const otherWay = {
    onFailure: (error: unknown) => {
      login.reset()
      setOtherFailure(error)
    },
  }
  const failure = login.error ?? otherFailure
  const remember = form.watch('remember') ?? false
  if (oldPassword) return <OldPassword {...oldPassword} />
  return (
    <AuthPage
      title={t('login.title')}
      below={
        partner?.supportSignup === true && (
          <>
            {t('login.noAccount')} <Link to="/signup">{t('login.signUp')}</Link>
          </>
        )
      }
    >
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => login.mutate(input))}>
        {notice !== undefined && failure === null && <Notice tone="info">{t(`login.notice.${notice}`)}</Notice>}
        {failure !== null && (
          <Notice tone="bad">
            {login.isError && isSignedOut(login.error) ? t('login.wrong') : failureText(t, failure)}
          </Notice>
        )}
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username webauthn"
          autoFocus
          error={form.problem('email')}
          {...form.register('email')}
        />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          error={form.problem('password')}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register('password')}
        />
        <div className={classes.between}>
          <Checkbox label={t('login.remember')} {...form.register('remember')} />
          <Link to="/forgot-password" className={classes.link}>
            {t('login.forgot')}
          </Link>
        </div>
        <Button type="submit" fullWidth size="md" loading={login.isPending}>
          {t('login.verb')}
        </Button>
      </form>
      <div className={classes.others}>
        <span className={classes.or}>{t('or')}</span>
        <PasskeyButton remember={remember} onDone={(answer) => void goOn(answer, { next })} {...otherWay} />
        {offers?.google === true && <GoogleButton input={{ intent: 'login', remember }} next={next} {...otherWay} />}
        {offers?.sandbox === true && <SandboxButton onDone={(answer) => void goOn(answer, { next })} {...otherWay} />}
      </div>
    </AuthPage>
  )
}
