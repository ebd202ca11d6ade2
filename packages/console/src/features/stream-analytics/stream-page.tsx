import { liveStreams, streamAnalytics, streamAssets } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { DateRange } from '../../ui/filters/date-range.tsx'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { rangeInput } from '../../ui/filters/range-search.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import type { Change, StreamSearch } from './search.ts'
import classes from './stream-analytics.module.css'
import { useFreshViews } from './use-fresh-views.ts'

const ALL = { page_size: -1, ordering: 'name' } as const
export const DEFAULT_RANGE = '24h'
/** Asked for by itself, where the stream that says what is new does not come through. */
export const FRESH_MS = 10_000

/** What the routes of stream analytics are asked with. */
export function placeOf({ range = DEFAULT_RANGE, kind, source, country, cdn }: StreamSearch) {
  return { ...rangeInput(range), ...narrowing({ kind, source, country, cdn }) }
}
export const narrowing = ({
  kind,
  source,
  country,
  cdn,
}: Pick<StreamSearch, 'kind' | 'source' | 'country' | 'cdn'>) => ({
  ...(kind === undefined ? {} : { kind }),
  ...(source === undefined ? {} : { source }),
  ...(country === undefined ? {} : { country }),
  ...(cdn === undefined ? {} : { cdn }),
})

type Props = {
  name: 'audience' | 'performance' | 'usage' | 'views'
  search: StreamSearch
  onSearch: Change
  /** What is stored and sent is of the whole organisation. */ whole?: boolean
  actions?: ReactNode
  children: ReactNode
}

/** Head and filters of a page of stream analytics. */
export function StreamPage({ name, search, onSearch, whole = false, actions, children }: Props) {
  const { t } = useTranslation('stream-analytics')
  const { range = DEFAULT_RANGE } = search
  useFreshViews(rangeInput(range).until === undefined)
  return (
    <>
      <PageHeader
        title={t(`${name}.title`)}
        meaning={t(`${name}.meaning`)}
        actions={
          <>
            {actions}
            <DateRange
              value={range}
              onChange={(next) => onSearch({ range: next === DEFAULT_RANGE ? undefined : next })}
            />
          </>
        }
      />
      <Gate route={streamAnalytics.routes[name]} meaning={t(`${name}.meaning`)}>
        <div className={classes.page}>
          {!whole && <Filters search={search} onSearch={onSearch} />}
          {children}
        </div>
      </Gate>
    </>
  )
}

function Filters({ search: { kind, source, country, cdn }, onSearch }: { search: StreamSearch; onSearch: Change }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const { all } = useCdnLooks()
  const assets = useRead(streamAssets.routes.list, ALL).data?.data ?? []
  const lives = useRead(liveStreams.routes.list, ALL).data?.data ?? []
  const sources = [...(kind === 'live' ? [] : assets), ...(kind === 'asset' ? [] : lives)]
  return (
    <div className={classes.filters} role="group" aria-label={t('filters')}>
      <Facet
        single
        label={t('kind.label')}
        options={(['asset', 'live'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
        chosen={kind === undefined ? [] : [kind]}
        onChange={([next]) => onSearch({ kind: next, source: undefined })}
      />
      <Facet
        single
        label={t('source')}
        options={sources.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={source === undefined ? [] : [source]}
        onChange={([next]) => onSearch({ source: next })}
      />
      <Facet
        single
        label={t('cdn')}
        options={all.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={cdn === undefined ? [] : [cdn]}
        onChange={([next]) => onSearch({ cdn: next })}
      />
      {country !== undefined && (
        <FilterChip
          off={t('countryOff', { country: format.country(country) })}
          onOff={() => onSearch({ country: undefined })}
        >
          {format.country(country)}
        </FilterChip>
      )}
    </div>
  )
}
