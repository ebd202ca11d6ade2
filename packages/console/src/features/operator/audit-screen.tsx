import { type OperatorAuditEntry, operatorArea } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { DiffView, diffRows } from '../../ui/marks/diff-view.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { boundsOf } from '../audit-log/range.ts'
import { RangeField } from '../audit-log/range-field.tsx'
import { ListPage } from './list-page.tsx'
import classes from './operator.module.css'

/** Entries come with their changes. */
const PAGE_SIZE = 50
const column = columnsFor<OperatorAuditEntry>()

/** What was done in every organisation that one looks after. */
export function AuditScreen() {
  const { t } = useTranslation('operator')
  const search = useSearch({ from: '/shell/operator/audit' })
  const navigate = useNavigate({ from: '/operator/audit' })
  // The beginning of "the last 7 days" stays where it was when the page was opened: paging must not slide.
  const [openedAt] = useState(Date.now)
  const answer = useRead(operatorArea.routes.audit, {
    page_size: PAGE_SIZE,
    page: search.page,
    ...boundsOf(search.range ?? 'all', openedAt),
    search: search.search,
    organization: search.organization,
  })
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('at', {
          header: t('audit.at'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120, card: 'detail' },
        }),
        column.accessor('action', {
          header: t('audit.action'),
          cell: ({ getValue }) => <span className={classes.mono}>{getValue()}</span>,
          meta: { leastPx: 170, card: 'title' },
        }),
        column.accessor('user', {
          header: t('audit.user'),
          cell: ({
            row: {
              original: { user, impostor },
            },
          }) => (impostor === null ? user : t('audit.for', { impostor, user })),
          meta: { leastPx: 200, card: 'detail' },
        }),
        column.accessor('organizationName', { header: t('organization'), meta: { widthPx: 160 } }),
        column.accessor('domain', {
          header: t('audit.domain'),
          cell: ({ getValue }) => getValue() ?? '—',
          meta: { widthPx: 160 },
        }),
        column.accessor('ip', {
          header: t('audit.ip'),
          cell: ({ getValue }) => <span className={classes.mono}>{getValue() ?? '—'}</span>,
          meta: { widthPx: 130 },
        }),
        column.accessor('source', { header: t('audit.source'), meta: { widthPx: 90 } }),
      ]),
    [t],
  )
  const kept = useRef<OperatorAuditEntry | undefined>(undefined)
  const shown = answer.data?.data.find(({ id }) => id === search.open)
  if (shown) kept.current = shown
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const close = () => void navigate({ search: (before) => ({ ...before, open: undefined }) })
  return (
    <ListPage
      title={t('audit.title')}
      meaning={t('audit.meaning')}
      label={t('audit.title')}
      placeholder={t('audit.filter')}
      search={search}
      pageSize={PAGE_SIZE}
      notice={
        <RangeField
          value={search.range ?? 'all'}
          onChange={(range) => change({ range: range === 'all' ? undefined : range, page: undefined })}
        />
      }
      filtered={search.organization !== undefined || search.range !== undefined}
      answer={answer}
      columns={columns}
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ action, user }) => `${action} ${user}`}
      onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: id }) })}
      empty={{ title: t('audit.none'), text: t('audit.noneText') }}
    >
      <SideDrawer
        opened={shown !== undefined}
        onClose={close}
        size={720}
        title={<span className={classes.mono}>{kept.current?.action}</span>}
      >
        {kept.current && <AuditDetail entry={kept.current} />}
      </SideDrawer>
    </ListPage>
  )
}

function AuditDetail({ entry }: { entry: OperatorAuditEntry }) {
  const { t } = useTranslation('operator')
  const text = (_field: string, value: unknown) =>
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return (
    <div className={classes.stack}>
      <dl className={classes.facts}>
        <dt>{t('audit.user')}</dt>
        <dd>{entry.impostor === null ? entry.user : t('audit.for', { impostor: entry.impostor, user: entry.user })}</dd>
        <dt>{t('organization')}</dt>
        <dd>{entry.organizationName}</dd>
        <dt>{t('audit.at')}</dt>
        <dd>
          <Age at={entry.at} />
        </dd>
        <dt>{t('audit.ip')}</dt>
        <dd className={classes.mono}>{entry.ip ?? '—'}</dd>
      </dl>
      {entry.changes.length === 0 && <p className={classes.muted}>{t('audit.noChanges')}</p>}
      {entry.changes.map((change) => (
        <section key={`${change.entity} ${change.id}`} className={classes.stack}>
          <h3 className={classes.strong}>{change.label}</h3>
          <DiffView rows={diffRows(change.before, change.after, text, (field) => field)} />
        </section>
      ))}
      {entry.isCut && <p className={classes.muted}>{t('audit.cut')}</p>}
    </div>
  )
}
