import type { Profile } from '@fairway/contract'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { validationText } from '../../i18n/validation.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import classes from './screen.module.css'

export type Proof = { password?: string; code?: string }

type ConfirmIdentityProps = {
  profile: Pick<Profile, 'hasPassword' | 'hasMfaEnabled' | 'email'>
  value: Proof
  onChange: (proof: Proof) => void
  error: unknown
}

/** Before the ways to sign in change: the password, or a code of the app. Nothing for who has neither. */
export function ConfirmIdentity({ profile, value, onChange, error }: ConfirmIdentityProps) {
  const { t } = useTranslation(['account', 'auth', 'errors', 'validation', 'shell'])
  const [withCode, setWithCode] = useState(!profile.hasPassword)
  const fields = error instanceof ApiError ? error.fields : []
  const problem = (path: string) => validationText(t, fields.find((field) => field.path === path)?.message)
  const isOther = error !== null && !fields.some(({ path }) => path === 'password' || path === 'code')
  return (
    <>
      {isOther && <Notice tone="bad">{failureText(t, error)}</Notice>}
      {(profile.hasPassword || profile.hasMfaEnabled) && (
        <div className={classes.form}>
          {withCode ? (
            <TextInput
              label={t('confirm.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              value={value.code ?? ''}
              onChange={(event) => onChange({ code: event.currentTarget.value })}
              error={problem('code')}
              data-autofocus
            />
          ) : (
            <PasswordInput
              label={t('confirm.password')}
              autoComplete="current-password"
              value={value.password ?? ''}
              onChange={(event) => onChange({ password: event.currentTarget.value })}
              error={problem('password')}
              visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
              data-autofocus
            />
          )}
          {profile.hasPassword && profile.hasMfaEnabled && (
            <div>
              <Button
                variant="subtle"
                size="compact-xs"
                onClick={() => {
                  onChange({})
                  setWithCode(!withCode)
                }}
              >
                {t(withCode ? 'confirm.usePassword' : 'confirm.useCode')}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  )
}
