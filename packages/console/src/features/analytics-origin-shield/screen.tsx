import { analyticsOriginShield } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { DateRange } from '../../ui/filters/date-range.tsx'
import { customRange, rangeInput } from '../../ui/filters/range-search.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { LiveSwitch } from '../analytics-dem/live-switch.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { PartsTab } from './parts-tab.tsx'
import { SHIELD_TABS, type ShieldSearch } from './search.ts'
import { ServedTab } from './served-tab.tsx'
import { ShieldChips } from './shield-chips.tsx'
import { ThreatLog } from './threat-log.tsx'
import classes from './screen.module.css'

const IncidentDrawer = onDemand(async () => (await import('./incident-drawer.tsx')).IncidentDrawer)
const DEFAULT_RANGE = '24h'
const SECURITY = ['access-control', 'bot-management'] as const
const WAF = ['firewall-rules', 'crs-rules', 'api-protection', 'account-takeover-prevention'] as const

/** What web security saw, stopped and let pass, down to the single request. */
export function AnalyticsOriginShieldScreen() {
  const { t } = useTranslation('analytics-origin-shield')
  const { site, domain } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/analytics/origin-shield/{-$tab}' })
  const { tab: named } = useParams({ from: '/shell/$site/{-$domain}/analytics/origin-shield/{-$tab}' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/analytics/origin-shield/{-$tab}' })
  const set = (change: Partial<ShieldSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const tab = SHIELD_TABS.find((known) => known === named) ?? 'default'
  const { range = DEFAULT_RANGE, live = false, by, part, action, rule, country, q = '', incident } = search
  const window = rangeInput(range)
  const isLive = live && window.until === undefined
  const filter = {
    ...(part === undefined ? {} : { part }),
    ...(action === undefined ? {} : { action }),
    ...(rule === undefined ? {} : { rule }),
    ...(country === undefined ? {} : { country }),
  }
  const place = { site: site.id, ...(domain ? { domain: domain.id } : {}), ...window }
  const shared = {
    place,
    filter,
    isLive,
    fileName: `${domain?.name ?? site.domainName}-origin-shield`,
    by,
    onBy: (next: ShieldSearch['by']) => set({ by: next }),
    onNarrow: set,
    onZoom: ({ from, to }: { from: number; to: number }) =>
      set({ range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000), live: undefined }),
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <>
            <DateRange value={range} onChange={(next) => set({ range: next === DEFAULT_RANGE ? undefined : next })} />
            <LiveSwitch
              on={isLive}
              disabled={window.until !== undefined}
              onChange={(on) => set({ live: on || undefined })}
            />
          </>
        }
      />
      <Gate route={analyticsOriginShield.routes.report} meaning={t('meaning')}>
        {domain && <ShieldNotice domain={domain} />}
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(next) =>
            void navigate({
              params: (before) => ({ ...before, tab: next === 'default' ? undefined : (next ?? undefined) }),
              search: ({ range: kept, live: on, country: there }) => ({ range: kept, live: on, country: there }),
            })
          }
        >
          <Tabs.List className={classes.tabs}>
            {SHIELD_TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <ShieldChips filter={filter} onRemove={(key) => set({ [key]: undefined })} />
          <Tabs.Panel value="default">
            <ServedTab of="requests" {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="traffic">
            <ServedTab of="traffic" {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="security">
            <PartsTab parts={SECURITY} {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="waf">
            <PartsTab parts={WAF} {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="threat-log">
            <ThreatLog
              {...shared}
              search={q}
              onSearch={(text) => set({ q: text === '' ? undefined : text })}
              onOpen={(id) => set({ incident: id })}
            />
          </Tabs.Panel>
        </Tabs>
        <IncidentDrawer
          opened={incident !== undefined}
          incident={incident ?? ''}
          site={site}
          onClose={() => set({ incident: undefined })}
          onOpen={(id) => set({ incident: id })}
        />
      </Gate>
    </>
  )
}
