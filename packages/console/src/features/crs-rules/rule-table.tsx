import { crsRules, CrsRuleAction, CrsSet, type CrsRule } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { useTypedSearch } from '../../ui/filters/use-typed-search.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './crs-rules.module.css'
import { useRuleColumns } from './use-rule-columns.tsx'

const STATES = ['on', 'off'] as const
type Narrowed = { set: CrsSet[]; action: CrsRuleAction[]; state: (typeof STATES)[number][] }
const EVERYTHING: Narrowed = { set: [], action: [], state: [] }

/** Every rule of the installed rule set: found by number, words, set, action and state, and changed many at a time. */
export function RuleTable({ place }: { place: Place }) {
  const { t } = useTranslation('crs-rules')
  const mayEdit = useCanCall(crsRules.routes.apply)
  const { data, error, refetch } = useRead(crsRules.routes.rules, { ...place, page_size: -1 })
  const [search, setSearch] = useState('')
  const typed = useTypedSearch(search, setSearch)
  const [narrowed, setNarrowed] = useState(EVERYTHING)
  const [sort, setSort] = useState<string | undefined>(undefined)
  const rows = useMemo(() => data && found(data.data, search, narrowed), [data, search, narrowed])
  const columns = useRuleColumns()
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const clear = () => {
    setSearch('')
    setNarrowed(EVERYTHING)
  }
  const isNarrowed = search !== '' || Object.values(narrowed).some((chosen) => chosen.length > 0)
  return (
    <section className={classes.rules} aria-label={t('rules.title')}>
      <h2 className={classes.heading}>{t('rules.title')}</h2>
      {data?.data.length !== 0 && (
        <FilterBar
          search={typed.text}
          onSearch={typed.type}
          placeholder={t('rules.search')}
          count={data && t('rules.count', { count: rows?.length ?? 0 })}
          onClear={isNarrowed ? clear : undefined}
        >
          <Facet
            label={t('rules.set')}
            options={CrsSet.options.map((value) => ({ value, label: t(`ruleSet.${value}`) }))}
            chosen={narrowed.set}
            onChange={(set) => setNarrowed({ ...narrowed, set })}
          />
          <Facet
            label={t('rules.action')}
            options={CrsRuleAction.options.map((value) => ({ value, label: t(`action.${value}`) }))}
            chosen={narrowed.action}
            onChange={(action) => setNarrowed({ ...narrowed, action })}
          />
          <Facet
            label={t('rules.state')}
            options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
            chosen={narrowed.state}
            onChange={(state) => setNarrowed({ ...narrowed, state })}
          />
        </FilterBar>
      )}
      <DataTable<CrsRule>
        label={t('rules.title')}
        rows={rows}
        columns={columns}
        rowId={({ ruleId }) => String(ruleId)}
        rowName={({ ruleId }) => t('rules.name', { ruleId })}
        sort={sort}
        onSort={setSort}
        empty={
          <Card>
            <EmptyTeach
              title={t(isNarrowed ? 'rules.notFound' : 'noList.title')}
              text={t(isNarrowed ? 'rules.notFoundText' : 'noList.text')}
              action={
                isNarrowed && (
                  <Button variant="default" onClick={clear}>
                    {t('rules.all')}
                  </Button>
                )
              }
            />
          </Card>
        }
        {...(mayEdit ? { bulk: (chosen, done) => <Apply place={place} rules={chosen} onDone={done} /> } : {})}
      />
    </section>
  )
}

/** What can be said of the selected rules. */
function Apply({ place, rules, onDone }: { place: Place; rules: readonly CrsRule[]; onDone: () => void }) {
  const { t } = useTranslation('crs-rules')
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const apply = useChange(crsRules.routes.apply, {
    onDone: ({ data, meta }) => {
      onDone()
      show('crs rules', { message: t('applied', { count: data.count }), ...undo(meta.version) })
    },
  })
  const say = (change: { action?: CrsRuleAction; enabled?: boolean }) =>
    apply.mutate({ ...place, ruleIds: rules.map(({ ruleId }) => ruleId), ...change })
  return (
    <>
      {CrsRuleAction.options.map((action) => (
        <Button key={action} variant="subtle" disabled={apply.isPending} onClick={() => say({ action })}>
          {t(`action.${action}`)}
        </Button>
      ))}
      <Button variant="subtle" disabled={apply.isPending} onClick={() => say({ enabled: true })}>
        {t('turnOn')}
      </Button>
      <Button variant="subtle" disabled={apply.isPending} onClick={() => say({ enabled: false })}>
        {t('turnOff')}
      </Button>
    </>
  )
}

function found(rules: readonly CrsRule[], search: string, { set, action, state }: Narrowed): CrsRule[] {
  const words = search.trim().toLowerCase()
  const fits = <T,>(chosen: readonly T[], value: T) => chosen.length === 0 || chosen.includes(value)
  return rules.filter(
    (rule) =>
      fits(set, rule.set) &&
      fits(action, rule.action) &&
      fits(state, rule.enabled ? 'on' : 'off') &&
      (words === '' || String(rule.ruleId).startsWith(words) || rule.message.toLowerCase().includes(words)),
  )
}
