import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconDoorExit, IconEye, IconFlask, IconRefresh, IconWifiOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './banners.module.css'
import { useFormat } from '../../i18n/format.ts'
import { useKeepOpen } from '../../features/account/use-keep-open.ts'
import { configRead, isNewVersion } from '../config.ts'
import { useAccount } from '../access/session.ts'
import { useSignOut } from '../bar/use-sign-out.ts'

/** What is true for every screen and stays until it is not: offline, a newer version, somebody looking on, sandbox. */
export function Banners() {
  const { t } = useTranslation('shell')
  const { online } = useNetwork()
  const { sandboxMode, impostor, email, organizationName } = useAccount()
  const version = useQuery(configRead).data?.version
  const signOut = useSignOut()
  return (
    <section aria-label={t('notices')} aria-live="polite">
      {!online && (
        <Banner tone="warn" icon={IconWifiOff}>
          {t('offline')}
        </Banner>
      )}
      {isNewVersion(version) && (
        <Banner
          tone="info"
          icon={IconRefresh}
          action={
            <Button size="compact-xs" variant="default" onClick={() => window.location.reload()}>
              {t('newVersion.verb')}
            </Button>
          }
        >
          {t('newVersion.text')}
        </Banner>
      )}
      {impostor !== null && (
        <Banner
          tone="warn"
          icon={IconEye}
          action={
            <Button size="compact-xs" variant="default" onClick={signOut}>
              {t('impostor.end')}
            </Button>
          }
        >
          {t('impostor.text', { impostor, email, organization: organizationName })}
        </Banner>
      )}
      <ClosingBanner />
      {sandboxMode && (
        <Banner
          tone="info"
          icon={IconFlask}
          action={
            <Button size="compact-xs" variant="default" onClick={signOut}>
              {t('sandboxLeave')}
            </Button>
          }
        >
          {t('sandbox')}
        </Banner>
      )}
    </section>
  )
}

/** The organisation closes; its owner can keep it open. */
function ClosingBanner() {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const { closing, organizationName } = useAccount()
  const keep = useKeepOpen()
  if (closing === null) return null
  return (
    <Banner
      tone="warn"
      icon={IconDoorExit}
      action={
        closing.mayKeepOpen && (
          <Button size="compact-xs" variant="default" loading={keep.isPending} onClick={() => keep.mutate({})}>
            {t('closing.keep')}
          </Button>
        )
      }
    >
      {t('closing.text', { organization: organizationName, date: format.dateTime(Date.parse(closing.at)) })}
    </Banner>
  )
}

export function Banner({
  tone,
  icon: Icon,
  action,
  children,
}: {
  tone: 'warn' | 'info'
  icon: typeof IconEye
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={classes.banner} data-tone={tone}>
      <Icon className={classes.icon} size={16} stroke={1.65} aria-hidden />
      <p className={classes.text}>{children}</p>
      {action}
    </div>
  )
}
