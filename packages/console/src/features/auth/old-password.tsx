import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import type { Entering } from './use-enter.ts'

/** Asked after signing in with a password that is older than three months. */
export function OldPassword({ since, later, change }: NonNullable<Entering['oldPassword']>) {
  const { t } = useTranslation('auth')
  const format = useFormat()
  return (
    <AuthPage title={t('oldPassword.title')} text={t('oldPassword.text', { date: format.date(since) })}>
      <div className={classes.form}>
        <Button fullWidth size="md" autoFocus onClick={change}>
          {t('oldPassword.change')}
        </Button>
        <Button fullWidth size="md" variant="default" onClick={later}>
          {t('oldPassword.later')}
        </Button>
      </div>
    </AuthPage>
  )
}
