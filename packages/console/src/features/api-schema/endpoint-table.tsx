import { apiSchema, EndpointState, type ApiEndpoint, type ApiSchema } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { useTypedSearch } from '../../ui/filters/use-typed-search.ts'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { downloadText } from '../analytics-dem/csv.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './api-schema.module.css'
import { EndpointDrawer } from './endpoint-drawer.tsx'
import { useEndpointColumns } from './use-endpoint-columns.tsx'

const PATH = '/$site/{-$domain}/origin-shield/api-protection'
const EVERY_MS = 10_000

/** All endpoints that are known of, with what may be done with them as a whole. */
export function EndpointTable({ place, schema }: { place: Place; schema: ApiSchema }) {
  const { t } = useTranslation('api-schema')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const { endpoint } = useSearch({ from: '/shell/$site/{-$domain}/origin-shield/api-protection' })
  const { data, error, refetch } = useRead(
    apiSchema.routes.endpoints,
    { ...place, page_size: -1 },
    { everyMs: () => (schema.learning ? EVERY_MS : false) },
  )
  const [search, setSearch] = useState('')
  const typed = useTypedSearch(search, setSearch)
  const [states, setStates] = useState<EndpointState[]>([])
  const [sort, setSort] = useState<string | undefined>(undefined)
  const rows = useMemo(() => data && found(data.data, search, states), [data, search, states])
  const columns = useEndpointColumns()
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const open = (id: string | undefined) =>
    void navigate({
      to: PATH,
      params: { site: site.domainName, domain: domain?.name },
      search: { tab: 'endpoints', ...(id === undefined ? {} : { endpoint: id }) },
      replace: true,
    })
  const clear = () => {
    setSearch('')
    setStates([])
  }
  const isNarrowed = search !== '' || states.length > 0
  return (
    <section className={classes.stack} aria-label={t('endpoints')}>
      <Actions place={place} schema={schema} />
      <FilterBar
        search={typed.text}
        onSearch={typed.type}
        placeholder={t('search')}
        {...(data ? { count: t('count', { count: rows?.length ?? 0 }) } : {})}
        onClear={isNarrowed ? clear : undefined}
      >
        <Facet
          label={t('column.state')}
          options={EndpointState.options.map((value) => ({ value, label: t(`state.${value}`) }))}
          chosen={states}
          onChange={setStates}
        />
      </FilterBar>
      <DataTable<ApiEndpoint>
        label={t('endpoints')}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ method, path }) => `${method} ${path}`}
        sort={sort}
        onSort={setSort}
        onOpen={({ id }) => open(id)}
        empty={
          <Card>
            <EmptyTeach
              title={t(isNarrowed ? 'notFound.title' : 'waiting.title')}
              text={isNarrowed ? t('notFound.text') : t(schema.learning ? 'waiting.text' : 'waiting.off')}
            />
          </Card>
        }
      />
      {endpoint !== undefined && (
        <EndpointDrawer key={endpoint} place={place} id={endpoint} onClose={() => open(undefined)} />
      )}
    </section>
  )
}

function Actions({ place, schema }: { place: Place; schema: ApiSchema }) {
  const { t } = useTranslation('api-schema')
  const { domain } = useScope()
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const reportFailure = useReportFailure()
  const mayEdit = useCanCall(apiSchema.routes.freeze)
  const [isBusy, setBusy] = useState(false)
  const freeze = useChange(apiSchema.routes.freeze, {
    onDone: ({ data, meta }) =>
      show('api-schema', { message: t('frozen', { count: data.endpoints }), ...undo(meta.version) }),
  })
  const hasKnown = (schema.learned?.endpoints ?? 0) > 0
  const download = async () => {
    setBusy(true)
    try {
      const of = schema.inForce === null ? 'learned' : 'in-force'
      const document = await api(apiSchema.routes.openApi, { ...place, of })
      downloadText(
        `${domain?.name ?? 'api'}.openapi.json`,
        `${JSON.stringify(document, null, 2)}\n`,
        'application/json',
      )
    } catch (error) {
      reportFailure('openapi', error)
    } finally {
      setBusy(false)
    }
  }
  if (!hasKnown && schema.inForce === null) return null
  return (
    <div className={classes.tools}>
      {mayEdit && hasKnown && (
        <Button loading={freeze.isPending} onClick={() => freeze.mutate(place)}>
          {t(schema.inForce === null ? 'freeze' : 'freezeAgain')}
        </Button>
      )}
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<IconDownload size={16} stroke={1.65} />}
        onClick={() => void download()}
      >
        {t('export')}
      </Button>
    </div>
  )
}

function found(rows: readonly ApiEndpoint[], search: string, states: readonly EndpointState[]): ApiEndpoint[] {
  const words = search.trim().toLowerCase()
  return rows.filter(
    ({ method, path, state }) =>
      (states.length === 0 || states.includes(state)) &&
      (words === '' || `${method} ${path}`.toLowerCase().includes(words)),
  )
}
