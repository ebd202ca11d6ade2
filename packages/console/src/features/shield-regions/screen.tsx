import { shieldRegions } from '@fairway/contract'
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
import { RegionChoice } from './region-choice.tsx'

const LOOK_MS = 5_000

/** Which group of edge nodes speaks with the origin, and how near each is to it. */
export function ShieldRegionScreen() {
  const { t } = useTranslation('shield-regions')
  const { site, domain } = useScope()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} beside={domain && <DeployState site={site} />} />
      <Gate route={{ ...shieldRegions.routes.get, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/region" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <Loaded key={domain.id} place={{ site: site.id, domain: domain.id }} />
          </>
        )}
      </Gate>
    </>
  )
}

function Loaded({ place }: { place: Place }) {
  const { data, error, refetch } = useRead(shieldRegions.routes.get, place, { everyMs: LOOK_MS })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} radius="lg" />
  return <RegionChoice place={place} saved={data} />
}
