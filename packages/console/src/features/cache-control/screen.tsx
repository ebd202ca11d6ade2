import { cacheRules } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { TableSkeleton } from '../../ui/data-table/table-skeleton.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DeployState } from '../versions/deploy-state.tsx'
import { CACHE_TABS, type CacheTab } from './search.ts'
import { RulesTab } from './rules-tab.tsx'
import classes from './screen.module.css'

// The first tab comes with the page, the others when they are chosen.
const NoCacheTab = lazy(async () => ({ default: (await import('./no-cache-tab.tsx')).NoCacheTab }))
const PurgeTab = lazy(async () => ({ default: (await import('./purge-tab.tsx')).PurgeTab }))
const TieredTab = lazy(async () => ({ default: (await import('./tiered-tab.tsx')).TieredTab }))

const PATH = '/$site/{-$domain}/multi-cdn/cache-control/{-$tab}'

/** What the CDNs keep and for how long, what they never keep, and taking it back. */
export function CacheControlScreen() {
  const { t } = useTranslation('cache-control')
  const { site, domain } = useScope()
  const params = useParams({ strict: false })
  const navigate = useNavigate()
  const tab: CacheTab = CACHE_TABS.find((one) => one === params.tab) ?? 'default'
  const go = (next: string | null) =>
    void navigate({
      to: PATH,
      params: {
        site: site.domainName,
        domain: domain?.name,
        tab: next === 'default' || next === null ? undefined : next,
      },
    })
  const place = { site: site.id, domain: domain?.id ?? '' }
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} beside={domain && <DeployState site={site} />} />
      <Gate route={{ ...cacheRules.routes.list, planFeature: 'multiCdn.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/multi-cdn/cache-control" />
        ) : (
          <Tabs value={tab} onChange={go} keepMounted={false}>
            <Tabs.List>
              {CACHE_TABS.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`tab.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={tab} className={classes.panel}>
              <Suspense fallback={<TableSkeleton columns={4} />}>
                {tab === 'default' && <RulesTab place={place} />}
                {tab === 'no-cache' && <NoCacheTab place={place} />}
                {tab === 'purge' && <PurgeTab place={place} />}
                {tab === 'tiered-cache' && <TieredTab key={domain.id} domain={domain} />}
              </Suspense>
            </Tabs.Panel>
          </Tabs>
        )}
      </Gate>
    </>
  )
}
