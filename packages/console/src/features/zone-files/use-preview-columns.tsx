import type { ZoneFileRow } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { TypeTag } from '../../ui/marks/type-tag.tsx'
import { dataOf, useRowWords } from './row-words.ts'
import classes from './zone-files.module.css'

/** A row of the preview with an id of its own: two lines of a file may be the same. */
export type PreviewRow = ZoneFileRow & { id: string }

const column = columnsFor<PreviewRow>()

export function usePreviewColumns(): Columns<PreviewRow> {
  const { t } = useTranslation('zone-files')
  const format = useFormat()
  const words = useRowWords()
  return useMemo(
    () =>
      column.columns([
        column.accessor('action', {
          header: t('column.action'),
          enableSorting: false,
          cell: ({ row: { original } }) => (
            <span className={classes.action} data-action={original.action}>
              {t(`action.${original.action}`)}
            </span>
          ),
          meta: { widthPx: 88, card: 'end' },
        }),
        column.accessor('type', {
          header: t('column.type'),
          enableSorting: false,
          cell: ({ row: { original } }) => <TypeTag type={original.type} />,
          meta: { widthPx: 78, card: 'lead' },
        }),
        column.accessor('name', {
          header: t('column.name'),
          enableSorting: false,
          cell: ({ row: { original } }) => (
            <span className={classes.name} title={original.name}>
              {original.name}
            </span>
          ),
          meta: { widthPx: 104, card: 'title' },
        }),
        column.display({
          id: 'value',
          header: t('column.value'),
          cell: ({ row: { original } }) => (
            <code className={classes.value} title={dataOf(original)}>
              {dataOf(original)}
            </code>
          ),
          meta: { widthPx: 150, card: 'detail' },
        }),
        column.accessor('ttlSeconds', {
          header: t('column.ttl'),
          enableSorting: false,
          cell: ({
            row: {
              original: { ttlSeconds },
            },
          }) => <span className="num">{ttlSeconds === null ? t('auto') : format.seconds(ttlSeconds)}</span>,
          meta: { widthPx: 68 },
        }),
        column.display({
          id: 'note',
          header: t('column.note'),
          cell: ({ row: { original } }) => (
            <span className={classes.note} title={words(original)}>
              {words(original)}
            </span>
          ),
          meta: { card: 'detail' },
        }),
        // `words` is made of `t` and `format`, which change with the language only.
      ]),
    [t, format],
  )
}
