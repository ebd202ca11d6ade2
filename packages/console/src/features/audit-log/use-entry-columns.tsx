import type { AuditLine } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { useAuditWords } from './audit-words.ts'
import classes from './entry-cells.module.css'

const column = columnsFor<AuditLine>()

export function useEntryColumns(): Columns<AuditLine> {
  const { t } = useTranslation('audit-log')
  return useMemo(
    () =>
      column.columns([
        column.accessor('at', {
          header: t('column.at'),
          sortFn: 'basic',
          cell: ({ row }) => <AtCell entry={row.original} />,
          meta: { widthPx: 178, card: 'detail' },
        }),
        column.accessor('user', {
          header: t('column.user'),
          cell: ({ row }) => <WhoCell entry={row.original} />,
          meta: { leastPx: 170, card: 'detail' },
        }),
        column.accessor('action', {
          header: t('column.action'),
          cell: ({ row }) => <ActionCell entry={row.original} />,
          meta: { leastPx: 180, card: 'title' },
        }),
        column.display({
          id: 'changes',
          header: t('column.changes'),
          cell: ({ row }) => <ChangesCell entry={row.original} />,
          meta: { leastPx: 190, card: 'detail' },
        }),
        column.display({
          id: 'domain',
          header: t('column.domain'),
          cell: ({ row }) => <PlaceCell entry={row.original} />,
          meta: { leastPx: 150 },
        }),
        column.display({
          id: 'source',
          header: t('column.source'),
          cell: ({ row }) => <SourceCell entry={row.original} />,
          meta: { widthPx: 92 },
        }),
        column.display({
          id: 'ip',
          header: t('column.ip'),
          cell: ({ row }) => <span className={classes.mono}>{row.original.ip ?? '—'}</span>,
          meta: { widthPx: 132 },
        }),
      ]),
    [t],
  )
}

type Cell = { entry: AuditLine }

function AtCell({ entry: { at } }: Cell) {
  const format = useFormat()
  const time = Date.parse(at)
  return (
    <time className={classes.at} dateTime={at} title={format.exact(time)}>
      {format.date(time)} <span className={classes.time}>{format.time(time)}</span>
    </time>
  )
}

function WhoCell({ entry }: Cell) {
  const words = useAuditWords()
  return (
    <span className={classes.text} title={words.who(entry)}>
      {words.who(entry)}
    </span>
  )
}

function ActionCell({ entry: { action } }: Cell) {
  const words = useAuditWords()
  return (
    <span className={classes.action} title={action}>
      {words.action(action)}
    </span>
  )
}

function ChangesCell({ entry }: Cell) {
  const words = useAuditWords()
  const text = words.changes(entry)
  return text === '' ? (
    <span className={classes.none}>—</span>
  ) : (
    <span className={classes.text} title={text}>
      {text}
    </span>
  )
}

function PlaceCell({ entry: { domain, siteName } }: Cell) {
  const place = domain ?? siteName
  return place === null ? <span className={classes.quiet}>—</span> : <span title={place}>{place}</span>
}

function SourceCell({ entry: { source } }: Cell) {
  return <span className={classes.quiet}>{useAuditWords().source(source)}</span>
}
