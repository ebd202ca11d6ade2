import { botManagement } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DeployState } from '../versions/deploy-state.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import { BotSettings } from './bot-settings.tsx'

/** Which visitors show first that they are no machines, and how. */
export function BotManagementScreen() {
  const { t } = useTranslation('bot-management')
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={domain && <TryButton place={place} />}
      />
      <Gate route={{ ...botManagement.routes.get, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/bot-management" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <Loaded key={domain.id} place={place} />
          </>
        )}
      </Gate>
    </>
  )
}

function Loaded({ place }: { place: Place }) {
  const { data, error, refetch } = useRead(botManagement.routes.get, place)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={480} radius="lg" />
  return <BotSettings place={place} saved={data} />
}
