import { type NodeRow, operatorArea } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { InviteNode } from './invite-node.tsx'
import { NodeDrawer } from './node-drawer.tsx'
import classes from './operator.module.css'

const REFRESH_MS = 3_000
const TONES = { up: 'ok', behind: 'info', failed: 'bad', away: 'warn' } as const
const column = columnsFor<NodeRow>()

/** What serves which version, who is missed, and what a node refuses and why. */
export function NodesScreen() {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const { sort, open, only } = useSearch({ from: '/shell/operator/nodes' })
  const navigate = useNavigate({ from: '/operator/nodes' })
  const { data, error, refetch } = useRead(operatorArea.routes.nodes, {}, { everyMs: REFRESH_MS })
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('nodes.name'),
          sortFn: 'alphanumeric',
          cell: ({ row: { original } }) => <span className={classes.strong}>{original.name}</span>,
          meta: { leastPx: 160, card: 'title' },
        }),
        column.accessor('role', {
          header: t('nodes.role'),
          cell: ({ getValue }) => <span className={classes.mono}>{getValue()}</span>,
          meta: { widthPx: 100, card: 'detail' },
        }),
        column.accessor('health', {
          header: t('nodes.state'),
          cell: ({ getValue }) => <Pill tone={TONES[getValue()]}>{t(`nodes.health.${getValue()}`)}</Pill>,
          meta: { widthPx: 130, card: 'end' },
        }),
        column.accessor('served', {
          header: t('nodes.served'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 96, align: 'end' },
        }),
        column.accessor('waiting', {
          header: t('nodes.waiting'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 96, align: 'end' },
        }),
        column.accessor('refused', {
          header: t('nodes.refused'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 96, align: 'end' },
        }),
        column.accessor('disk', {
          header: t('nodes.disk'),
          enableSorting: false,
          cell: ({ getValue }) => {
            const disk = getValue()
            if (disk === null) return '—'
            const left = t('nodes.diskLeft', {
              free: format.bytes(disk.freeBytes),
              size: format.bytes(disk.totalBytes),
            })
            return disk.level === 'enough' ? (
              <span className="num">{left}</span>
            ) : (
              <Pill tone={disk.level === 'full' ? 'bad' : 'warn'} title={left}>
                {t(`nodes.diskLevel.${disk.level}`)}
              </Pill>
            )
          },
          meta: { widthPx: 150, card: 'detail' },
        }),
        column.accessor(({ shield }) => shield?.region ?? '', {
          id: 'region',
          header: t('nodes.region'),
          cell: ({ row: { original } }) => {
            const { region = null, by = null } = original.shield ?? {}
            return region === null || by === null ? '—' : <span title={t(`nodes.regionBy.${by}`)}>{region}</span>
          },
          meta: { widthPx: 110, card: 'detail' },
        }),
        column.accessor('software', {
          header: t('nodes.software'),
          cell: ({ getValue }) => <span className={classes.mono}>{getValue()}</span>,
          meta: { widthPx: 90 },
        }),
        column.accessor('lastSeenAt', {
          header: t('nodes.seen'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 110, card: 'detail' },
        }),
      ]),
    [t, format],
  )
  const shown = data?.data.find(({ id }) => id === open)
  return (
    <>
      <PageHeader title={t('nodes.title')} meaning={t('nodes.meaning')} actions={<InviteNode />} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('nodes.title')}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name, role }) => `${name} ${role}`}
          sort={sort}
          onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }), replace: true })}
          onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: id }) })}
          empty={<EmptyTeach title={t('nodes.none')} text={t('nodes.noneText')} />}
        />
      )}
      {data && (
        <Card title={t('nodes.events')} hint={t('nodes.eventsHint')}>
          {data.events.length === 0 ? (
            <p className={classes.muted}>{t('nodes.noEvents')}</p>
          ) : (
            <ul className={classes.lines}>
              {data.events.slice(0, 12).map((event) => (
                <li key={event.id} className={classes.line}>
                  <span className={classes.words}>
                    <span className={classes.strong}>{event.name}</span>{' '}
                    <span className={classes.muted}>{event.role}</span>
                  </span>
                  <span className={classes.actions}>
                    <Pill tone={event.kind === 'away' ? 'warn' : 'ok'}>{t(`nodes.event.${event.kind}`)}</Pill>
                    <Age at={event.at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
      <NodeDrawer
        node={shown}
        only={only}
        onOnly={(value) => void navigate({ search: (before) => ({ ...before, only: value }), replace: true })}
        onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined, only: undefined }) })}
      />
    </>
  )
}
