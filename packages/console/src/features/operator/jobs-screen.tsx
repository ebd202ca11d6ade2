import { type Job, operatorArea } from '@fairway/contract'
import { JOB_KINDS } from '@fairway/contract/lean'
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { ListPage } from './list-page.tsx'
import { LIST_SIZE } from './list-search.ts'
import classes from './operator.module.css'
import { useRefreshing } from './use-refreshing.ts'

const TONES: Record<Job['state'], Tone> = { waiting: 'neutral', running: 'info', failed: 'bad' }
const STATES: readonly Job['state'][] = ['waiting', 'running', 'failed']
const CANCELLED = ['upload', 'encode', 'live'] as const
const column = columnsFor<Job>()

/** What the worker has before it, what failed, and a way to have it tried at once. */
export function JobsScreen() {
  const { t } = useTranslation('operator')
  const show = useSnackbar()
  const search = useSearch({ from: '/shell/operator/jobs' })
  const navigate = useNavigate({ from: '/operator/jobs' })
  const answer = useRead(
    operatorArea.routes.jobs,
    { page_size: LIST_SIZE, page: search.page, search: search.search, state: search.state, kind: search.kind },
    { everyMs: 3_000 },
  )
  const { mutate: retry, isPending } = useRefreshing(
    operatorArea.routes.retryJob,
    '/operator/v2/jobs/',
    (_output, { job }) => show(`job ${job}`, { message: t('jobs.retried') }),
  )
  const [asked, setAsked] = useState<Job | null>(null)
  const cancel = useRefreshing(operatorArea.routes.cancelJob, '/operator/v2/jobs/', (_output, { job }) => {
    setAsked(null)
    show(`job ${job}`, { message: t('jobs.cancelled') })
  })
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('about', {
          header: t('jobs.about'),
          sortFn: 'alphanumeric',
          cell: ({ row: { original } }) => (
            <span className={classes.words}>
              <span className={classes.strong}>{original.about}</span>
              {original.problem !== null && (
                <span className={classes.muted}>
                  <br />
                  {original.problem}
                </span>
              )}
            </span>
          ),
          meta: { leastPx: 220, card: 'title' },
        }),
        column.accessor('kind', {
          header: t('jobs.kind'),
          cell: ({ row: { original } }) => (
            <>
              {t(`jobs.kinds.${original.kind}`)} <span className={classes.muted}>{original.what}</span>
            </>
          ),
          meta: { widthPx: 220, card: 'detail' },
        }),
        column.accessor('organizationName', {
          header: t('organization'),
          cell: ({ getValue }) => getValue() ?? '—',
          meta: { widthPx: 160 },
        }),
        column.accessor('state', {
          header: t('jobs.state'),
          cell: ({ getValue }) => (
            <Pill tone={TONES[getValue()]} busy={getValue() === 'running'}>
              {t(`jobs.states.${getValue()}`)}
            </Pill>
          ),
          meta: { widthPx: 120, card: 'end' },
        }),
        column.accessor('since', {
          header: t('jobs.since'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 110 },
        }),
        column.display({
          id: 'act',
          header: () => <span className="sr-only">{t('jobs.retry')}</span>,
          cell: ({ row: { original } }) => (
            <>
              {original.can.includes('retry') && (
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={isPending}
                  aria-label={t('jobs.retryNamed', { name: original.about })}
                  onClick={() => retry({ kind: original.kind, job: original.id })}
                >
                  {t('jobs.retry')}
                </Button>
              )}
              {original.can.includes('cancel') && (
                <Button
                  size="compact-xs"
                  variant="default"
                  color="red"
                  aria-label={t('jobs.cancelNamed', { name: original.about })}
                  onClick={() => setAsked(original)}
                >
                  {t('jobs.cancel')}
                </Button>
              )}
            </>
          ),
          meta: { widthPx: 96, align: 'end', card: 'end' },
        }),
      ]),
    [t, retry, isPending],
  )
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true })
  return (
    <>
      <ListPage
        title={t('jobs.title')}
        meaning={t('jobs.meaning')}
        label={t('jobs.title')}
        placeholder={t('jobs.filter')}
        search={search}
        filtered={search.state !== undefined || search.kind !== undefined}
        answer={answer}
        columns={columns}
        onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
        rowId={({ kind, id }) => `${kind} ${id}`}
        rowName={({ about }) => about}
        empty={{ title: t('jobs.none'), text: t('jobs.noneText') }}
        facets={
          <>
            <Facet
              single
              label={t('jobs.state')}
              options={STATES.map((value) => ({ value, label: t(`jobs.states.${value}`) }))}
              chosen={search.state ? [search.state] : []}
              onChange={([state]) => change({ state })}
            />
            <Facet
              single
              label={t('jobs.kind')}
              options={JOB_KINDS.map((value) => ({ value, label: t(`jobs.kinds.${value}`) }))}
              chosen={search.kind ? [search.kind] : []}
              onChange={([kind]) => change({ kind })}
            />
          </>
        }
      />
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('jobs.cancelNamed', { name: asked?.about })}
        verb={t('jobs.cancel')}
        danger
        busy={cancel.isPending}
        onConfirm={() => {
          const kind = asked && CANCELLED.find((one) => one === asked.kind)
          if (asked && kind) cancel.mutate({ kind, job: asked.id })
        }}
      >
        {t('jobs.cancelText')}
      </Confirm>
    </>
  )
}
