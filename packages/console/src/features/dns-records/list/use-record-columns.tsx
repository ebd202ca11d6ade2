import { dnsRecords } from '@fairway/contract'
import type { DnsRecord, Site } from '@fairway/contract'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useToggle } from '../../../api/use-toggle.ts'
import { Age } from '../../../ui/marks/age.tsx'
import { type Columns, columnsFor } from '../../../ui/data-table/table-model.ts'
import { TypeTag } from '../../../ui/marks/type-tag.tsx'
import { MultiCdnSwitch } from './multi-cdn-switch.tsx'
import { NameCell, TtlCell, ValueCell } from './record-cells.tsx'
import classes from './record-cells.module.css'
import { RecordMenu } from './record-menu.tsx'
import { RoutingCell } from './routing-cell.tsx'
import { useCanEdit } from '../use-can-edit.ts'
import { useRecordWords } from '../use-record-words.ts'

const column = columnsFor<DnsRecord>()

/** The table's columns; the same object until the site, the language or the rights change. */
export function useRecordColumns(
  site: Site,
  on: { onEdit: (id: string) => void; onHistory: (id: string) => void },
): Columns<DnsRecord> {
  const { t } = useTranslation('dns-records')
  const canEdit = useCanEdit(site.id, dnsRecords.routes.update)
  const opening = useRef(on)
  opening.current = on
  // One for all rows.
  const toggling = useToggle()
  const toggle = useRef(toggling)
  toggle.current = toggling
  const words = useRecordWords()
  const { id: siteId, domainName } = site
  return useMemo(() => {
    const place = { id: siteId, domainName }
    return column.columns([
      column.accessor('type', {
        header: t('column.type'),
        cell: ({ row }) => <TypeTag type={row.original.type} />,
        meta: { widthPx: 84, card: 'lead' },
      }),
      // `@` first, as every zone file has it.
      column.accessor(({ name, type }) => `${name === '@' ? '' : name} ${type}`, {
        id: 'name',
        header: t('column.name'),
        sortFn: 'alphanumeric',
        cell: ({ row }) => (
          <NameCell
            record={row.original}
            siteName={domainName}
            onOpen={() => opening.current.onEdit(row.original.id)}
          />
        ),
        meta: { widthPx: 240, card: 'title' },
      }),
      column.accessor('value', {
        header: t('column.value'),
        sortFn: 'alphanumeric',
        cell: ({ row }) => <ValueCell record={row.original} words={words} />,
        meta: { card: 'detail' },
      }),
      column.accessor(({ ttlSeconds }) => ttlSeconds ?? 0, {
        id: 'ttl',
        header: t('column.ttl'),
        cell: ({ row }) => <TtlCell record={row.original} words={words} />,
        meta: { widthPx: 84 },
      }),
      column.accessor(({ cdnIds, multiCdn }) => (multiCdn ? cdnIds.length : -1), {
        id: 'routing',
        header: t('column.routing'),
        cell: ({ row }) => <RoutingCell record={row.original} words={words} />,
        meta: { widthPx: 168, card: 'detail' },
      }),
      column.accessor('multiCdn', {
        header: t('column.multiCdn'),
        enableSorting: false,
        cell: ({ row }) => (
          <MultiCdnSwitch
            site={place}
            record={row.original}
            canEdit={canEdit}
            toggle={(...switched) => toggle.current(...switched)}
            words={words}
          />
        ),
        meta: { widthPx: 92, card: 'end' },
      }),
      column.accessor('modifiedAt', {
        id: 'modified',
        header: t('column.modified'),
        sortFn: 'text',
        cell: ({ row }) => (
          <span className={classes.quiet}>
            <Age at={row.original.modifiedAt} />
          </span>
        ),
        meta: { widthPx: 118 },
      }),
      column.display({
        id: 'menu',
        header: () => <span className="sr-only">{t('column.menu')}</span>,
        cell: ({ row }) => (
          <RecordMenu
            site={place}
            record={row.original}
            canEdit={canEdit}
            onEdit={() => opening.current.onEdit(row.original.id)}
            onHistory={() => opening.current.onHistory(row.original.id)}
            words={words}
          />
        ),
        meta: { widthPx: 52, align: 'end', card: 'end' },
      }),
    ])
  }, [t, words, siteId, domainName, canEdit])
}
