import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconEye, IconFlask, IconRefresh, IconWifiOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { Banner } from './banner.tsx'
import { configRead, isNewVersion } from '../config.ts'
import { useAccount } from '../access/session.ts'
import { useSignOut } from '../bar/use-sign-out.ts'

const ClosingBanner = lazy(async () => ({ default: (await import('./closing-banner.tsx')).ClosingBanner }))

/** What is true for every screen and stays until it is not: offline, a newer version, somebody looking on, sandbox. */
export function Banners() {
  const { t } = useTranslation('shell')
  const { online } = useNetwork()
  const { sandboxMode, impostor, email, organizationName, closing } = useAccount()
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
      {closing !== null && (
        <Suspense fallback={null}>
          <ClosingBanner closing={closing} organization={organizationName} />
        </Suspense>
      )}
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
