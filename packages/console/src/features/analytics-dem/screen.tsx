import { analyticsDem } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { DateRange } from '../../ui/filters/date-range.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { customRange, rangeInput } from '../../ui/filters/range-search.ts'
import { DecisionsTab } from './decisions-tab.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { MeasuredTab } from './measured-tab.tsx'
import { type AnalyticsDemSearch, DEM_TABS } from './search.ts'
import { SourceAndCountry } from './source-and-country.tsx'
import { ViewsMenu } from './views-menu.tsx'
import classes from './screen.module.css'

const DEFAULT_RANGE = '24h'
const NOTHING: string[] = []

/** How fast and how available the CDNs were for visitors, and who was sent where. */
export function AnalyticsDemScreen() {
  const { t } = useTranslation('analytics-dem')
  const { site, domain } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/analytics/dem' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/analytics/dem' })
  const set = (change: Partial<AnalyticsDemSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const {
    tab = 'performance',
    range = DEFAULT_RANGE,
    country,
    source = 'rum',
    live = false,
    compare = NOTHING,
  } = search
  const window = rangeInput(range)
  const isLive = live && window.until === undefined
  const place = { site: site.id, ...(domain ? { domain: domain.id } : {}), ...window, ...(country ? { country } : {}) }
  const shared = {
    place,
    isLive,
    country,
    compare,
    onCountry: (chosen: string) => set({ country: chosen === country ? undefined : chosen }),
    onZoom: ({ from, to }: { from: number; to: number }) =>
      void navigate({
        search: (before) => ({
          ...before,
          range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000),
          live: undefined,
        }),
      }),
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <>
            <ViewsMenu page={search} onOpen={(page) => void navigate({ search: page })} />
            <DateRange value={range} onChange={(next) => set({ range: next === DEFAULT_RANGE ? undefined : next })} />
            <LiveSwitch
              on={isLive}
              disabled={window.until !== undefined}
              onChange={(on) => set({ live: on || undefined })}
            />
          </>
        }
      />
      <Gate route={analyticsDem.routes.performance} meaning={t('meaning')}>
        <Tabs
          value={tab}
          onChange={(next) => set({ tab: DEM_TABS.find((known) => known === next && known !== 'performance') })}
          keepMounted={false}
        >
          <div className={classes.tabs}>
            <Tabs.List>
              {DEM_TABS.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {t(`tab.${name}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <SourceAndCountry
              withSource={tab !== 'decisions'}
              source={source}
              country={country}
              onSource={(next) => set({ source: next === 'rum' ? undefined : next })}
              onCountry={(next) => set({ country: next })}
              compare={compare}
              onCompare={(next) => set({ compare: next })}
            />
          </div>
          <Tabs.Panel value="performance" className={classes.panel}>
            <MeasuredTab of="latency" source={source} {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="availability" className={classes.panel}>
            <MeasuredTab of="availability" source={source} {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="decisions" className={classes.panel}>
            <DecisionsTab {...shared} />
          </Tabs.Panel>
        </Tabs>
      </Gate>
    </>
  )
}
