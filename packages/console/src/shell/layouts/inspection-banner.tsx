import { LIMITS, webSecurity } from '@fairway/contract'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { useScope } from '../scope/scope.ts'
import { Banner } from './banner.tsx'

const LOOK_MS = 30_000

/** On every screen of a domain whose requests go uninspected, for as long as they do. */
export function InspectionBanner() {
  const { t } = useTranslation('shell')
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const isLooked = domain?.settings.originShield === 'use'
  const { data } = useRead(webSecurity.routes.get, place, { enabled: isLooked, everyMs: LOOK_MS })
  if (!isLooked || !data?.uninspected) return null
  return (
    <section aria-label={t('uninspected.title')} aria-live="polite">
      <Banner
        tone="warn"
        icon={IconShieldExclamation}
        action={
          <LinkButton
            size="compact-xs"
            variant="default"
            to="/$site/{-$domain}/origin-shield/crs-rules"
            params={{ site: site.domainName, domain: domain.name }}
          >
            {t('uninspected.verb')}
          </LinkButton>
        }
      >
        {t('uninspected.text', {
          count: data.uninspected,
          domain: domain.name,
          minutes: LIMITS.crs.uninspectedSeconds / 60,
        })}
      </Banner>
    </section>
  )
}
