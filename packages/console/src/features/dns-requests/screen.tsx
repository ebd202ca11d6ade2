import { dnsRequests } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { DateRange } from '../../ui/filters/date-range.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { customRange, rangeInput } from '../../ui/filters/range-search.ts'
import { LiveSwitch } from '../analytics-dem/live-switch.tsx'
import { FilterChips } from './filter-chips.tsx'
import { RequestFigures } from './request-figures.tsx'
import { RequestsOverTime, isOpenTo } from './requests-over-time.tsx'
import type { DnsRequestsSearch } from './search.ts'
import classes from './screen.module.css'
import { TailCard } from './tail-card.tsx'

const DEFAULT_RANGE = '24h'

/** What the name servers were asked for this site or one domain of it, by whom, and what they said. */
export function DnsRequestsScreen() {
  const { t } = useTranslation('dns-requests')
  const { site, domain } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/dns/dns-request' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/dns/dns-request' })
  const set = (change: Partial<DnsRequestsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const { by = 'rcode', range = DEFAULT_RANGE, live = false, type, rcode } = search
  const name = search.name ?? domain?.name
  const window = rangeInput(range)
  const isLive = live && window.until === undefined
  const filter = {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(rcode === undefined ? {} : { rcode }),
  }
  const place = { site: site.id, ...window }
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
      <Gate route={dnsRequests.routes.report} meaning={t('meaning')}>
        <div className={classes.root}>
          <FilterChips
            filter={filter}
            onRemove={(key) => {
              const isScope = key === 'name' && domain !== null
              void navigate({
                params: isScope ? { site: site.domainName, domain: undefined } : true,
                search: (before) => ({ ...before, [key]: undefined }),
                replace: !isScope,
              })
            }}
          />
          <RequestFigures place={place} filter={filter} isLive={isLive} />
          <RequestsOverTime
            place={place}
            filter={filter}
            isLive={isLive}
            by={isOpenTo(by, filter) ? by : 'rcode'}
            onBy={(next) => set({ by: next === 'rcode' ? undefined : next })}
            onNarrow={(key, value) => set({ [key]: value })}
            onZoom={({ from, to }) =>
              set({ range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000), live: undefined })
            }
          />
          <TailCard site={site} name={name} rcode={rcode} isLive={isLive} />
        </div>
      </Gate>
    </>
  )
}
