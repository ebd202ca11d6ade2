import { AUDIT_SOURCES, auditLog } from '@fairway/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from '@tanstack/react-query'
import { useRead } from '../../api/queries.ts'
import { siteRead } from '../../shell/scope/scope.ts'
import { useFoundSites } from '../../shell/scope/use-found-sites.ts'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { useAuditWords } from './audit-words.ts'
import type { AuditLogSearch } from './search.ts'

/** The search goes to the server once the typing rests. */
const REST_MS = 250

type AuditFilterProps = {
  search: AuditLogSearch
  onChange: (change: Partial<AuditLogSearch>) => void
  onClear: (() => void) | undefined
  count: string | undefined
}

export function AuditFilter({ search, onChange, onClear, count }: AuditFilterProps) {
  const { t } = useTranslation('audit-log')
  const words = useAuditWords()
  const { data: facets } = useRead(auditLog.routes.facets, {})
  const [siteText, setSiteText] = useState('')
  const sites = useFoundSites(siteText)
  const { data: chosenSite } = useQuery({ ...siteRead(search.site ?? ''), enabled: search.site !== undefined })
  const offered = [...sites.rows, ...(chosenSite?.data ?? [])]
  const [text, setText] = useRested(search.search ?? '', (value) =>
    onChange({ search: value === '' ? undefined : value }),
  )
  const users = withChosen(facets?.users ?? [], search.who)
  const actions = withChosen(facets?.actions ?? [], search.action)
    .map((action) => ({ value: action, label: words.action(action) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  return (
    <FilterBar
      search={text}
      onSearch={setText}
      placeholder={t('filter')}
      onClear={onClear}
      {...(count === undefined ? {} : { count })}
    >
      <Facet
        single
        label={t('column.user')}
        options={users.map((user) => ({ value: user, label: user }))}
        chosen={chosen(search.who)}
        onChange={([who]) => onChange({ who })}
      />
      <Facet
        single
        label={t('column.action')}
        options={actions}
        chosen={chosen(search.action)}
        onChange={([action]) => onChange({ action })}
      />
      <Facet
        single
        label={t('site')}
        options={[...new Map(offered.map(({ id, domainName }) => [id, { value: id, label: domainName }])).values()]}
        find={sites.isPart ? { text: siteText, onType: setSiteText, more: sites.more } : undefined}
        chosen={chosen(search.site)}
        onChange={([site]) => onChange({ site })}
      />
      <Facet
        single
        label={t('column.source')}
        options={AUDIT_SOURCES.map((source) => ({ value: source, label: words.source(source) }))}
        chosen={search.source ? [search.source] : []}
        onChange={([source]) => onChange({ source })}
      />
    </FilterBar>
  )
}

const chosen = (value: string | undefined): string[] => (value === undefined ? [] : [value])

/** What is chosen is offered even when the list does not hold it, so that it can be seen and taken off. */
const withChosen = (values: readonly string[], value: string | undefined): string[] =>
  value === undefined || values.includes(value) ? [...values] : [value, ...values]

/** A text that follows the typing at once and is handed on when it rests; the address may change it from outside. */
function useRested(value: string, onRest: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    text,
    (next) => {
      setText(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => onRest(next.trim()), REST_MS)
    },
  ]
}
