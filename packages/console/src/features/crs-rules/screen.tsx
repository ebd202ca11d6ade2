import { crsRules } from '@fairway/contract'
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
import classes from './crs-rules.module.css'
import { ExclusionsCard } from './exclusions-card.tsx'
import { InspectionNotice } from './inspection-notice.tsx'
import { RuleTable } from './rule-table.tsx'
import { SettingsForm } from './settings-form.tsx'

/** What requests are held against of the rule set, and what each of its rules does. */
export function CrsRulesScreen() {
  const { t } = useTranslation('crs-rules')
  const { site, domain } = useScope()
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={domain && <TryButton place={{ site: site.id, domain: domain.id }} />}
      />
      <Gate route={{ ...crsRules.routes.get, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/crs-rules" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <Content key={domain.id} place={{ site: site.id, domain: domain.id }} />
          </>
        )}
      </Gate>
    </>
  )
}

/** Said anew every few seconds: whether requests are inspected is not known from what was saved. */
const LOOK_MS = 4_000

function Content({ place }: { place: Place }) {
  const { data, error, refetch } = useRead(crsRules.routes.get, place, { everyMs: LOOK_MS })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={520} radius="lg" />
  const { exclusions, inspection, ...settings } = data
  return (
    <div className={classes.blocks}>
      {settings.enabled && <InspectionNotice inspection={inspection} onFailure={settings.onFailure} />}
      <SettingsForm place={place} saved={settings} ruleSet={inspection.ruleSet} />
      <RuleTable place={place} />
      <ExclusionsCard place={place} exclusions={exclusions} />
    </div>
  )
}
