import { auth } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { currentLocale } from '../../i18n/i18n.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { useSignIn } from './use-sign-in.ts'

const ALREADY_VERIFIED = 1465
const Fields = auth.routes.sendEmail.in.pick({ email: true })

/** *Look into your mailbox*, and where the link of that letter leads. */
export function VerifyEmailScreen() {
  const { token } = useSearch({ from: '/verify-email' })
  return token === undefined ? <SeeLetter /> : <Verifying token={token} />
}

function Verifying({ token }: { token: string }) {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const { goOn } = useSignIn()
  const verify = useMutation({
    mutationFn: () => api(auth.routes.verifyEmail, { token }),
    onSuccess: (answer) => goOn(answer),
  })
  const asked = useRef(false)
  useEffect(() => {
    // A link is good once: React's second run of an effect must not use it up.
    if (asked.current) return
    asked.current = true
    verify.mutate()
  }, [verify])
  if (!verify.isError) return <AuthPage title={t('verify.checking')} text={t('checkingLink')} />
  if (verify.error instanceof ApiError && verify.error.code === ALREADY_VERIFIED)
    return (
      <AuthPage
        title={t('verify.already')}
        text={failureText(t, verify.error)}
        below={<Link to="/login">{t('backToSignIn')}</Link>}
      />
    )
  const state =
    verify.error instanceof ApiError
      ? verify.error.fields[0]?.message.replace('validation.token', '').toLowerCase()
      : undefined
  return (
    <SeeLetter
      problem={
        state === 'used' || state === 'expired'
          ? t(`link.${state}`)
          : state === undefined
            ? failureText(t, verify.error)
            : t('link.unknown')
      }
    />
  )
}

function SeeLetter({ problem }: { problem?: string }) {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const { email } = useSearch({ from: '/verify-email' })
  const form = useZodForm(Fields, { email: email ?? '' })
  const send = useMutation({
    mutationFn: (input: { email: string }) => api(auth.routes.sendEmail, { ...input, locale: currentLocale() }),
  })
  const asks = problem !== undefined || email === undefined
  return (
    <AuthPage
      title={t(problem === undefined ? 'verify.title' : 'link.dead')}
      text={problem ?? (email === undefined ? t('verify.text') : t('verify.textTo', { email }))}
      below={<Link to="/login">{t('backToSignIn')}</Link>}
    >
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => send.mutate(input))}>
        {send.isError && <Notice tone="bad">{failureText(t, send.error)}</Notice>}
        {send.isSuccess && <Notice tone="info">{t('verify.sent')}</Notice>}
        {asks && (
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            error={form.problem('email')}
            {...form.register('email')}
          />
        )}
        <Button type="submit" variant={asks ? 'filled' : 'default'} fullWidth size="md" loading={send.isPending}>
          {t('verify.again')}
        </Button>
      </form>
    </AuthPage>
  )
}
