import type { FoundRecord, Site } from '@fairway/contract'
import { Button, Checkbox } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { TypeTag } from '../../ui/marks/type-tag.tsx'
import classes from './add-site.module.css'
import { NameOf } from './domains-screen.tsx'
import { useChoose } from './use-choose.ts'

const column = columnsFor<FoundRecord>()

/** The table's columns; the same object until the site or the language changes. */
export function useFoundColumns(site: Site, onEdit: (id: string) => void): Columns<FoundRecord> {
  const { t } = useTranslation('add-site')
  const choose = useChoose(site.id)
  const latest = useRef({ onEdit, choose })
  latest.current = { onEdit, choose }
  return useMemo(
    () =>
      column.columns([
        column.accessor('chosen', {
          header: t('column.serve'),
          enableSorting: false,
          cell: ({ row: { original } }) => (
            <Checkbox
              aria-label={t('records.serve', { name: `${original.type} ${original.name}` })}
              checked={original.chosen}
              disabled={original.problem === 'unsupportedType' && !original.chosen}
              onChange={(event) => latest.current.choose([original], event.currentTarget.checked)}
            />
          ),
          meta: { widthPx: 70, card: 'end' },
        }),
        column.accessor('type', {
          header: t('column.type'),
          enableSorting: false,
          cell: ({ row }) => <TypeTag type={row.original.type} />,
          meta: { widthPx: 84, card: 'lead' },
        }),
        column.accessor('name', {
          header: t('column.name'),
          enableSorting: false,
          cell: ({ row }) => <NameOf name={row.original.name} siteName={site.domainName} />,
          meta: { widthPx: 230, card: 'title' },
        }),
        column.accessor('value', {
          header: t('column.value'),
          enableSorting: false,
          cell: ({ row }) => <ValueOf record={row.original} />,
          meta: { card: 'detail' },
        }),
        column.accessor('ttlSeconds', {
          header: t('column.ttl'),
          enableSorting: false,
          cell: ({ row }) => <TtlOf record={row.original} />,
          meta: { widthPx: 96 },
        }),
        column.accessor('foundBy', {
          header: t('column.foundBy'),
          enableSorting: false,
          cell: ({ row }) => <span className={classes.left}>{t(`foundBy.${row.original.foundBy}`)}</span>,
          meta: { widthPx: 104 },
        }),
        column.display({
          id: 'edit',
          header: () => <span className="sr-only">{t('column.edit')}</span>,
          cell: ({ row: { original } }) => (
            <Button
              variant="subtle"
              size="xs"
              aria-label={t('records.editNamed', { name: `${original.type} ${original.name}` })}
              onClick={() => latest.current.onEdit(original.id)}
            >
              {t('records.edit')}
            </Button>
          ),
          meta: { widthPx: 84, align: 'end', card: 'end' },
        }),
      ]),
    [t, site],
  )
}

function ValueOf({ record }: { record: FoundRecord }) {
  const { t } = useTranslation(['add-site', 'validation'])
  const text = record.preference === null ? record.value : `${record.preference} ${record.value}`
  return (
    <>
      <code className={classes.value} title={text}>
        {text}
      </code>
      {record.problem && (
        <span className={classes.problem}>
          {record.problem === 'unsupportedType'
            ? t('records.unsupported')
            : record.problem === 'proxied'
              ? t(record.type === 'A' || record.type === 'AAAA' ? 'records.proxied' : 'records.proxiedBinding')
              : validationText(t, record.problem)}
        </span>
      )}
    </>
  )
}

function TtlOf({ record: { ttlSeconds, oldTtlSeconds } }: { record: FoundRecord }) {
  const { t } = useTranslation('add-site')
  const format = useFormat()
  if (ttlSeconds === null) return <span className={classes.left}>{t('auto')}</span>
  const isMoved = oldTtlSeconds !== null && oldTtlSeconds !== ttlSeconds
  return (
    <span className="num" title={isMoved ? t('records.oldTtl', { ttl: format.seconds(oldTtlSeconds) }) : undefined}>
      {format.seconds(ttlSeconds)}
      {isMoved && ' *'}
    </span>
  )
}
