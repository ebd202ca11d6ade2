import { auth } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { currentLocale } from '../../i18n/i18n.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'

const Fields = auth.routes.forgotPassword.in.pick({ email: true })

/** Asks for the link to a new password; says the same whether there is such an account or not. */
export function ForgotPasswordScreen() {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const form = useZodForm(Fields, { email: '' })
  const ask = useMutation({
    mutationFn: ({ email }: { email: string }) => api(auth.routes.forgotPassword, { email, locale: currentLocale() }),
  })
  const back = <Link to="/login">{t('backToSignIn')}</Link>
  if (ask.isSuccess)
    return (
      <AuthPage title={t('forgot.sent')} text={t('forgot.sentText', { email: ask.variables.email })} below={back} />
    )
  return (
    <AuthPage title={t('forgot.title')} text={t('forgot.text')} below={back}>
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => ask.mutate(input))}>
        {ask.isError && <Notice tone="bad">{failureText(t, ask.error)}</Notice>}
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          autoFocus
          error={form.problem('email')}
          {...form.register('email')}
        />
        <Button type="submit" fullWidth size="md" loading={ask.isPending}>
          {t('forgot.verb')}
        </Button>
      </form>
    </AuthPage>
  )
}
