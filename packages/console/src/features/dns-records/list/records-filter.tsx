import { RECORD_TYPES } from '@fairway/contract'
import type { DnsRecord } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Facet, FilterBar } from '../../../ui/filters/filter-bar.tsx'
import { tagsOf } from '../filter-records.ts'
import type { DnsRecordsSearch } from '../search.ts'

type RecordsFilterProps = {
  search: Pick<DnsRecordsSearch, 'type' | 'multiCdn' | 'tag'>
  text: string
  onText: (text: string) => void
  onChange: (change: Partial<DnsRecordsSearch>) => void
  /** None while not all are here: nothing is counted by type then. */
  records: readonly DnsRecord[]
  total: number | undefined
  shown: number | undefined
  onClear: (() => void) | undefined
}

/** Search by name or value, and two facets. */
export function RecordsFilter({ search, text, onText, onChange, records, total, shown, onClear }: RecordsFilterProps) {
  const { t } = useTranslation('dns-records')
  // Counted once for all the keys that are typed.
  const { counts, steered, tags } = useMemo(
    () => ({
      counts: Map.groupBy(records, ({ type }) => type),
      steered: records.filter(({ multiCdn }) => multiCdn).length,
      tags: tagsOf(records),
    }),
    [records],
  )
  const counted = (count: number) => (records.length > 0 ? { count } : {})
  const count =
    shown === undefined || total === undefined
      ? undefined
      : shown === total
        ? t('count', { count: total })
        : t('countOf', { shown, count: total })
  return (
    <FilterBar
      search={text}
      onSearch={onText}
      placeholder={t('filter')}
      onClear={onClear}
      {...(count === undefined ? {} : { count })}
    >
      <Facet
        label={t('column.type')}
        options={typesOf(counts.keys()).map((type) => ({
          value: type,
          label: type,
          ...counted(counts.get(type)?.length ?? 0),
        }))}
        chosen={search.type ?? []}
        onChange={(type) => onChange({ type: type.length === 0 ? undefined : type })}
      />
      <Facet
        single
        label={t('column.multiCdn')}
        options={[
          { value: 'on', label: t('on'), ...counted(steered) },
          { value: 'off', label: t('off'), ...counted(records.length - steered) },
        ]}
        chosen={search.multiCdn === undefined ? [] : [search.multiCdn]}
        onChange={([multiCdn]) => onChange({ multiCdn })}
      />
      {(tags.length > 0 || (search.tag ?? []).length > 0) && (
        <Facet
          label={t('tags')}
          options={[...new Set([...tags, ...(search.tag ?? [])])].map((tag) => ({ value: tag, label: tag }))}
          chosen={search.tag ?? []}
          onChange={(tag) => onChange({ tag: tag.length === 0 ? undefined : tag })}
        />
      )}
    </FilterBar>
  )
}

/** All that have a name, and those by number that the site has. */
const typesOf = (present: Iterable<DnsRecord['type']>): DnsRecord['type'][] => [
  ...new Set([...RECORD_TYPES, ...present]),
]
