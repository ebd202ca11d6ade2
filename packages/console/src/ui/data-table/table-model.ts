import {
  type ColumnDef,
  type Row as TableRow,
  type RowData,
  type SortingState,
  createColumnHelper,
  createSortedRowModel,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_datetime,
  sortFn_text,
  tableFeatures,
} from '@tanstack/react-table'

/** How a column sits in the table, and where its cell goes on a phone. */
export type ColumnLook = {
  /** Fixed width; a column without shares what is left. */
  widthPx?: number
  /** Least width of a sharing column. */
  leastPx?: number
  align?: 'end'
  /** In the card that a row becomes below 640 px; a column without is left out there. */
  card?: 'lead' | 'title' | 'detail' | 'end'
}

export const tableModel = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic, datetime: sortFn_datetime, text: sortFn_text },
  columnMeta: metaHelper<ColumnLook>(),
})

export type TableModel = typeof tableModel
export type ModelRow<Row extends RowData> = TableRow<TableModel, Row>
export type Columns<Row extends RowData> = ReadonlyArray<ColumnDef<TableModel, Row>>

/** Makes columns for rows of one type: `const column = columnsFor<DnsRecord>()`. */
export function columnsFor<Row extends RowData>() {
  return createColumnHelper<TableModel, Row>()
}

/** `-modified` is what the address keeps: column, `-` in front for descending. */
export function parseSort(text: string | undefined): SortingState {
  if (text === undefined || text === '' || text === '-') return []
  return text.startsWith('-') ? [{ id: text.slice(1), desc: true }] : [{ id: text, desc: false }]
}

export function formatSort([first]: SortingState): string | undefined {
  return first && (first.desc ? `-${first.id}` : first.id)
}
