import { analyticsOriginShield, type Threat } from '@fairway/contract'
import { Button, Skeleton, TextInput, UnstyledButton } from '@mantine/core'
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable, MonoCell } from '../../ui/data-table/flush-table.tsx'
import { useTypedSearch } from '../../ui/filters/use-typed-search.ts'
import { Card } from '../../ui/page/card.tsx'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { downloadText, rowsCsv } from '../analytics-dem/csv.ts'
import { ActionPill } from './action-pill.tsx'
import classes from './screen.module.css'
import type { TabProps } from './tab-props.ts'
import { useShieldWords } from './use-shield-words.ts'

const EVERY_MS = 3000
const PAGE = 100
/** What one question answers at most, and how many are asked for a file. */
const MOST = 1000
const MOST_PAGES = 100
/** Ids begin alike on one node. */
export const ID_SHOWN = 8

type Asked = TabProps['place'] & TabProps['filter'] & { search?: string }
type Props = TabProps & { search: string; onSearch: (text: string) => void; onOpen: (incident: string) => void }

/** Every request that web security did not let pass without a word, as they come. */
export function ThreatLog({ place, filter, isLive, fileName, search, onSearch, onOpen }: Props) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const { shown } = useShieldWords()
  const [follows, setFollows] = useState(true)
  const [limit, setLimit] = useState(PAGE)
  const typed = useTypedSearch(search, onSearch)
  const canFollow = place.until === undefined
  const asked = { ...place, ...filter, ...(search.trim() === '' ? {} : { search: search.trim() }) }
  const query = useRead(
    analyticsOriginShield.routes.threats,
    { ...asked, limit },
    canFollow && (follows || isLive) ? { everyMs: EVERY_MS } : {},
  )
  const [older, setOlder] = useState<{ of: string; rows: Threat[]; isAll: boolean }>(NO_OLDER)
  const reportFailure = useReportFailure()
  // What was fetched for another question is not of this one.
  const more = older.of === JSON.stringify(asked) ? older : NO_OLDER
  const first = query.data?.data
  const rows = first && [...first, ...more.rows.filter((row) => !isAmong(first, row))]
  const readOlder = useMutation({
    mutationFn: async () => {
      const next = await threatsBefore(asked, rows ?? [])
      setOlder({ of: JSON.stringify(asked), rows: [...more.rows, ...next], isAll: next.length === 0 })
    },
    onError: (error) => reportFailure('threat-log', error),
  })
  const exportAll = useMutation({
    mutationFn: async () => {
      const all = [...(rows ?? [])]
      for (let page = 0; page < MOST_PAGES && all.length >= PAGE; page++) {
        const next = await threatsBefore(asked, all)
        if (next.length === 0) break
        all.push(...next)
      }
      downloadText(`${fileName}-threats.csv`, threatsCsv(all, shown), 'text/csv')
    },
    onError: (error) => reportFailure('threat-log', error),
  })
  return (
    <Card
      title={t('log.title')}
      hint={
        query.data ? t('log.count', { count: query.data.total, number: format.number(query.data.total) }) : undefined
      }
      flush
      end={
        <div className={classes.tools}>
          <TextInput
            size="xs"
            className={classes.search}
            leftSection={<IconSearch size={14} stroke={1.65} />}
            aria-label={t('log.search')}
            placeholder={t('log.search')}
            value={typed.text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => typed.type(event.currentTarget.value)}
          />
          {canFollow && (
            <Button
              size="xs"
              variant={follows ? 'light' : 'default'}
              aria-pressed={follows}
              leftSection={
                follows ? <IconPlayerPause size={14} stroke={1.65} /> : <IconPlayerPlay size={14} stroke={1.65} />
              }
              onClick={() => setFollows(!follows)}
            >
              {t(follows ? 'log.pause' : 'log.follow')}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} stroke={1.65} />}
            disabled={!rows?.length}
            loading={exportAll.isPending}
            onClick={() => exportAll.mutate()}
          >
            {t('export')}
          </Button>
        </div>
      }
    >
      {!rows &&
        (query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton height={360} radius="sm" />
        ))}
      {rows?.length === 0 && (
        <EmptyTeach
          title={t(search === '' ? 'log.empty' : 'log.notFound')}
          text={t(search === '' ? 'log.emptyText' : 'log.notFoundText')}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          <ThreatTable rows={rows} isOfDomain={place.domain !== undefined} onOpen={onOpen} label={t('log.title')} />
          {rows.length >= limit && !more.isAll && (
            <div className={classes.more}>
              <Button
                variant="default"
                size="xs"
                loading={readOlder.isPending}
                onClick={() => (limit < MOST ? setLimit(Math.min(limit + 300, MOST)) : readOlder.mutate())}
              >
                {t('log.more')}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  )
}

const NO_OLDER = { of: '', rows: [], isAll: false }

const isAmong = (rows: readonly Threat[], { at, incident, ruleId }: Threat): boolean =>
  rows.some((one) => one.at === at && one.incident === incident && one.ruleId === ruleId)

/** The next page: what is as old as the last row may go on there, so it is asked for again and left out. */
async function threatsBefore(asked: Asked, rows: readonly Threat[]): Promise<Threat[]> {
  const last = rows.at(-1)
  if (!last) return []
  const answer = await api(analyticsOriginShield.routes.threats, { ...asked, before: last.at + 1, limit: MOST })
  const same = rows.filter(({ at }) => at === last.at)
  return answer.data.filter((row) => row.at < last.at || !isAmong(same, row))
}

/** Rows of the log; each leads to its incident. Where all are of one domain its name would only hide their paths. */
export function ThreatTable({
  rows,
  isOfDomain,
  onOpen,
  label,
}: {
  rows: readonly Threat[]
  isOfDomain: boolean
  onOpen: (incident: string) => void
  label: string
}) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const { shown } = useShieldWords()
  return (
    <FlushTable
      quiet
      label={label}
      head={(['date', 'target', 'action', 'category', 'address', 'country', 'incident'] as const).map((key) => ({
        key,
        text: t(`log.${key}`),
        wide: ['category', 'country', 'incident'].includes(key),
      }))}
    >
      {rows.map((row, index) => (
        <tr key={`${row.incident} ${index}`}>
          <td className="num" title={format.exact(row.at)}>
            {format.time(row.at)}
          </td>
          <th scope="row" title={`${row.method} ${row.domain}${row.path}`}>
            <UnstyledButton className={classes.open} onClick={() => onOpen(row.incident)}>
              <code>
                <span className={classes.method}>{row.method}</span> {isOfDomain ? '' : row.domain}
                {shown(row.path)}
              </code>
            </UnstyledButton>
          </th>
          <td>
            <ActionPill action={row.action} />
            {row.weight > 1 && (
              <span className={classes.weight} title={t('log.weight', { number: format.number(row.weight) })}>
                ×{format.compact(row.weight)}
              </span>
            )}
          </td>
          <td data-wide>{t(`part.${row.category}`)}</td>
          <MonoCell>{row.address}</MonoCell>
          <td data-wide>{row.country === '' ? '—' : format.country(row.country)}</td>
          <MonoCell wide title={row.incident}>
            …{row.incident.slice(-ID_SHOWN)}
          </MonoCell>
        </tr>
      ))}
    </FlushTable>
  )
}

function threatsCsv(rows: readonly Threat[], shown: (text: string) => string): string {
  const head = [
    'date',
    'domain',
    'category',
    'address',
    'country',
    'network',
    'action',
    'incident',
    'rule',
    'reason',
    'method',
    'path',
    'query',
    'agent',
    'matched',
    'count',
  ]
  return rowsCsv([
    head,
    ...rows.map((row) => [
      new Date(row.at).toISOString(),
      row.domain,
      row.category,
      row.address,
      row.country,
      row.network,
      row.action,
      row.incident,
      row.ruleName ?? row.ruleId,
      row.reason,
      row.method,
      row.path,
      shown(row.query),
      row.agent,
      shown(row.matched?.text ?? ''),
      String(row.weight),
    ]),
  ])
}
