import type { RowData, RowSelectionState } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from '../../i18n/sentence-of.ts'
import { BodyRow } from './body-row.tsx'
import classes from './data-table.module.css'
import { ROW_PX, useRowWindow } from './row-window.ts'
import type { Columns, ModelRow } from './table-model.ts'

type TableBodyProps<Row extends RowData> = {
  rows: readonly ModelRow<Row>[]
  columns: Columns<Row>
  scroller: HTMLElement | null
  selectable: boolean
  selection: RowSelectionState
  rowName: (row: Row) => string
  onOpen: ((row: Row) => void) | undefined
  currentId: string | null
}

/** Rows stay real table rows; the ones that are not drawn are stood for by two spacers. */
export function TableBody<Row extends RowData>({
  rows,
  scroller,
  selection,
  currentId,
  rowName,
  ...row
}: TableBodyProps<Row>) {
  const { t } = useTranslation('table')
  const selectName = useMemo(() => {
    const say = sentenceOf((name) => t('selectRow', { name }))
    return (one: Row) => say(rowName(one))
  }, [t, rowName])
  const { from, to } = useRowWindow(scroller, rows.length)
  const [above, below] = [from * ROW_PX, (rows.length - to) * ROW_PX]
  const columnCount = row.columns.length + (row.selectable ? 1 : 0)
  return (
    <tbody>
      {above > 0 && (
        <tr aria-hidden>
          <td className={classes.spacer} colSpan={columnCount} style={{ height: above }} />
        </tr>
      )}
      {rows.slice(from, to).map((one, at) => (
        <BodyRow
          key={one.id}
          {...row}
          selectName={selectName}
          row={one}
          index={from + at}
          selected={selection[one.id] === true}
          current={one.id === currentId}
        />
      ))}
      {below > 0 && (
        <tr aria-hidden>
          <td className={classes.spacer} colSpan={columnCount} style={{ height: below }} />
        </tr>
      )}
    </tbody>
  )
}
