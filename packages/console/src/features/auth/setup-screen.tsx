import { auth } from '@fairway/contract'
import type { RouteInput } from '@fairway/contract'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { useEnter } from './use-enter.ts'

/** The first visitor of an empty installation makes the operator's account here. */
export function SetupScreen() {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const { enter } = useEnter()
  const { data: offers } = useRead(auth.routes.firstRun, {})
  const form = useZodForm(auth.routes.register.in, {
    email: '',
    password: '',
    firstName: '',
    lastName: '',
    organizationName: '',
    setupCode: undefined,
  })
  const { setValue } = form
  // The link that the start printed carries it, where no server on the way sees it.
  const carried = useLocation({ select: ({ hash }) => hash })
  useEffect(() => {
    if (carried !== '') setValue('setupCode', carried)
  }, [carried, setValue])
  const register = useMutation({
    mutationFn: (input: RouteInput<typeof auth.routes.register>) => api(auth.routes.register, input),
    onSuccess: () => enter(),
    onError: (error) => {
      form.takeFieldErrors(error)
    },
  })
  return (
    <AuthPage title={t('setup.title')} text={t('setup.text')}>
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => register.mutate(input))}>
        {register.isError && <Notice tone="bad">{failureText(t, register.error)}</Notice>}
        {offers?.code && (
          <TextInput
            label={t('setup.code')}
            description={t('setup.codeHelp')}
            autoComplete="off"
            spellCheck={false}
            error={form.problem('setupCode')}
            {...form.register('setupCode')}
          />
        )}
        <div className={classes.pair}>
          <TextInput
            label={t('firstName')}
            autoComplete="given-name"
            autoFocus
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
        <TextInput
          label={t('organization')}
          description={t('organizationHelp')}
          autoComplete="organization"
          error={form.problem('organizationName')}
          {...form.register('organizationName')}
        />
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          error={form.problem('email')}
          {...form.register('email')}
        />
        <PasswordInput
          label={t('password')}
          description={t('passwordHelp')}
          autoComplete="new-password"
          error={form.problem('password')}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register('password')}
        />
        <Button type="submit" fullWidth size="md" loading={register.isPending}>
          {t('setup.verb')}
        </Button>
      </form>
    </AuthPage>
  )
}
