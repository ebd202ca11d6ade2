import type { RowData } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { BodyRow } from './body-row.tsx'
import classes from './data-table.module.css'
import type { TableBodyProps } from './table-body.tsx'

const ROW_PX = 40

/** Rows stay real table rows; the ones that are not drawn are stood for by two spacers. */
export function LongBody<Row extends RowData>(props: TableBodyProps<Row>) {
  const { rows, scroller, columnCount } = props
  const virtualizer = useVirtualizer({ count: rows.length, getScrollElement: () => scroller, estimateSize: () => ROW_PX, overscan: 12, scrollPaddingStart: ROW_PX })
  const drawn = virtualizer.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  return (
    <tbody>
      {above > 0 && <tr aria-hidden><td className={classes.spacer} colSpan={columnCount} style={{ height: above }} /></tr>}
      {drawn.map(({ index }) => {
        const row = rows[index]
        return row && <BodyRow key={row.id} {...props} row={row} index={index} />
      })}
      {below > 0 && <tr aria-hidden><td className={classes.spacer} colSpan={columnCount} style={{ height: below }} /></tr>}
    </tbody>
  )
}
