import type { Profile } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { GoogleButton } from '../auth/google-button.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useOpenDialog } from './use-open-dialog.ts'

const FEW_CODES = 3

/** The ways to sign in as this user. */
export function SecurityCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['account', 'errors', 'shell'])
  const format = useFormat()
  const { open } = useOpenDialog()
  const [failure, setFailure] = useState<unknown>(null)
  return (
    <Card title={t('security.title')} flush>
      {failure !== null && (
        <div className={classes.note}>
          <Notice tone="bad">{failureText(t, failure)}</Notice>
        </div>
      )}
      <ul className={classes.rows}>
        <SettingRow name={t('email.name')} text={profile.email}>
          <Button variant="default" onClick={() => open('email')}>
            {t('email.change')}
          </Button>
        </SettingRow>
        {profile.hasPassword && (
          <SettingRow
            name={t('password.name')}
            text={t('password.changedOn', { date: format.date(profile.passwordMtime) })}
          >
            <Button variant="default" onClick={() => open('password')}>
              {t('password.change')}
            </Button>
          </SettingRow>
        )}
        <SettingRow
          name={
            <>
              {t('mfa.name')}{' '}
              <Pill tone={profile.hasMfaEnabled ? 'ok' : 'neutral'}>
                {t(profile.hasMfaEnabled ? 'mfa.on' : 'mfa.off')}
              </Pill>
            </>
          }
          text={t(profile.hasMfaEnabled ? 'mfa.onText' : 'mfa.offText')}
        >
          {profile.hasMfaEnabled ? (
            <Button variant="default" onClick={() => open('mfa-off')}>
              {t('mfa.turnOff')}
            </Button>
          ) : (
            <Button variant="default" onClick={() => open('mfa')}>
              {t('mfa.setUp')}
            </Button>
          )}
        </SettingRow>
        {profile.hasMfaEnabled && (
          <SettingRow
            name={
              <>
                {t('recovery.name')}{' '}
                {profile.recoveryCodesLeft <= FEW_CODES && <Pill tone="warn">{t('recovery.few')}</Pill>}
              </>
            }
            text={t('recovery.left', { count: profile.recoveryCodesLeft })}
          >
            <Button variant="default" onClick={() => open('recovery')}>
              {t('recovery.renew')}
            </Button>
          </SettingRow>
        )}
        {(profile.googleOffered || profile.googleEmail !== null) && (
          <SettingRow
            name={t('google.name')}
            text={profile.googleEmail === null ? t('google.none') : t('google.as', { email: profile.googleEmail })}
          >
            {profile.googleEmail === null && <GoogleButton input={{ intent: 'connect' }} onFailure={setFailure} />}
          </SettingRow>
        )}
      </ul>
    </Card>
  )
}
