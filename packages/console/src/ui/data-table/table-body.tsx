import type { RowData } from '@tanstack/react-table'
import { type ComponentType, Suspense, lazy } from 'react'
import { BodyRow } from './body-row.tsx'
import type { ModelRow } from './table-model.ts'

const VIRTUAL_FROM = 50

// Few tables are so long that only a part of them is drawn: what that takes is loaded for those.
const LongBody = lazy(async () => ({ default: (await import('./long-body.tsx')).LongBody }))

export type TableBodyProps<Row extends RowData> = {
  rows: readonly ModelRow<Row>[]
  scroller: HTMLDivElement | null
  selectable: boolean
  rowName: (row: Row) => string
  onOpen: ((row: Row) => void) | undefined
  currentId: string | null
  columnCount: number
}

/** The rows, all of them as far as that is quick. */
export function TableBody<Row extends RowData>(props: TableBodyProps<Row>) {
  const { rows } = props
  const first = <tbody>{rows.slice(0, VIRTUAL_FROM).map((row, index) => <BodyRow key={row.id} {...props} row={row} index={index} />)}</tbody>
  return rows.length > VIRTUAL_FROM ? <Suspense fallback={first}>{long(props)}</Suspense> : first
}

/** Holds because the body hands rows on as they are; `lazy` cannot carry the row's type through. */
function long<Row extends RowData>(props: TableBodyProps<Row>) {
  const Body = LongBody as unknown as ComponentType<TableBodyProps<Row>>
  return <Body {...props} />
}
