import { useMediaQuery } from '@mantine/hooks'
import { type RowData, type RowSelectionState, useTable } from '@tanstack/react-table'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { BulkBar } from './bulk-bar.tsx'
import classes from './data-table.module.css'
import { revealRow } from './row-window.ts'
import { TableBody } from './table-body.tsx'
import { TableCards } from './table-cards.tsx'
import { TableHead } from './table-head.tsx'
import { type Columns, formatSort, parseSort, tableModel } from './table-model.ts'
import { TableSkeleton } from './table-skeleton.tsx'
import { useRowKeys } from './use-row-keys.ts'

export type DataTableProps<Row extends RowData> = {
  /** Names the table for those who cannot see it. */
  label: string
  /** Undefined while the first answer is awaited. Must keep its identity between renders. */
  rows: readonly Row[] | undefined
  /** Must keep its identity between renders. */
  columns: Columns<Row>
  rowId: (row: Row) => string
  /** How people call a row; its checkbox says it. */
  rowName: (row: Row) => string
  /** `-modified`; kept in the address by the screen. */
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
  /** Click on a row, or Enter on the current one. */
  onOpen?: (row: Row) => void
  /** Fills the window and scrolls inside. */
  fill?: boolean
  /** Old rows while a new answer loads: shown dimmed. */
  stale?: boolean
  /** Instead of rows when there are none. */
  empty: ReactNode
  /** Buttons for the selected rows; makes rows selectable. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
}

const CARDS_BELOW = '(max-width: 639px)'
const NO_ROWS: readonly never[] = []

/** The one table: sticky head, sorting, selection, keyboard, virtual from 50 rows on, cards on phones. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowId, rowName, sort, onSort, onOpen, fill = false, stale = false, empty, bulk } = props
  // State, not a ref: rows that are there from the start are drawn only once what they scroll in is known.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const asCards = useMediaQuery(CARDS_BELOW, false, { getInitialValueInEffect: false })
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({})
  const sorting = useMemo(() => parseSort(sort), [sort])
  const table = useTable({
    features: tableModel,
    data: rows ?? NO_ROWS,
    columns: columns as Columns<Row>[number][],
    getRowId: rowId,
    state: { sorting, rowSelection },
    onSortingChange: (change) => onSort?.(formatSort(typeof change === 'function' ? change(sorting) : change)),
    onRowSelectionChange: setRowSelection,
    enableRowSelection: bulk !== undefined,
    enableMultiSort: false,
  })
  const shown = table.getRowModel().rows
  const current = useRowKeys({
    rows: shown,
    onOpen,
    enabled: !asCards,
    onWalk: (index) => {
      if (scroller) revealRow(scroller, index)
    },
  })
  // Screens make the function anew with each render; rows are not drawn again for that.
  const latest = useRef(onOpen)
  latest.current = onOpen
  const open = useCallback((row: Row) => latest.current?.(row), [])
  // Selected rows may have been filtered away or deleted meanwhile; only what is shown is acted upon.
  const selected = useMemo(
    () => (Object.keys(rowSelection).length === 0 ? NO_ROWS : shown.filter((row) => rowSelection[row.id] === true)),
    [shown, rowSelection],
  )
  const clear = () => setRowSelection({})

  return (
    <div
      className={classes.outer}
      data-fill={fill || undefined}
      data-waiting={rows === undefined || undefined}
      data-empty={rows?.length === 0 || undefined}
    >
      {/* Rows without anything to press are scrolled by the keys of the frame itself. */}
      <div
        className={classes.frame}
        ref={setScroller}
        {...(bulk === undefined && onOpen === undefined ? { tabIndex: 0 } : {})}
        data-cards={asCards || undefined}
        data-stale={stale || undefined}
        aria-busy={rows === undefined || stale}
      >
        {rows === undefined && <TableSkeleton columns={columns.length} />}
        {rows !== undefined && shown.length === 0 && empty}
        {shown.length > 0 && asCards && (
          <TableCards label={label} rows={shown} selectable={bulk !== undefined} rowName={rowName} onOpen={onOpen} />
        )}
        {shown.length > 0 && !asCards && (
          <table className={classes.table} aria-label={label} aria-rowcount={shown.length + 1}>
            <TableHead table={table} selectable={bulk !== undefined} />
            <TableBody
              rows={shown}
              columns={columns}
              scroller={scroller}
              selectable={bulk !== undefined}
              selection={rowSelection}
              rowName={rowName}
              onOpen={onOpen && open}
              currentId={current}
            />
          </table>
        )}
      </div>
      {bulk && selected.length > 0 && (
        <BulkBar count={selected.length} onClear={clear}>
          {bulk(
            selected.map(({ original }) => original),
            clear,
          )}
        </BulkBar>
      )}
    </div>
  )
}
