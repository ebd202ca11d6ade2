import { FlexRender, type RowData } from '@tanstack/react-table'
import { type MouseEvent, type ReactNode, memo } from 'react'
import { CellCheckbox } from './cell-controls.tsx'
import classes from './data-table.module.css'
import type { Columns, ModelRow } from './table-model.ts'

type BodyRowProps<Row extends RowData> = {
  row: ModelRow<Row>
  index: number
  columns: Columns<Row>
  selectable: boolean
  selected: boolean
  current: boolean
  /** What the row's checkbox is called. */
  selectName: (row: Row) => string
  onOpen: ((row: Row) => void) | undefined
}

function Drawn<Row extends RowData>({
  row,
  index,
  selectable,
  selected,
  current,
  selectName,
  onOpen,
}: BodyRowProps<Row>) {
  return (
    <tr
      className={classes.row}
      aria-rowindex={index + 2}
      data-row-id={row.id}
      data-selected={selected || undefined}
      data-current={current || undefined}
      data-openable={onOpen !== undefined || undefined}
      data-copy-host
      onClick={
        onOpen &&
        ((event) => {
          if (!isOnControl(event)) onOpen(row.original)
        })
      }
    >
      {selectable && (
        <td className={classes.select}>
          <CellCheckbox
            aria-label={selectName(row.original)}
            checked={selected}
            onChange={row.getToggleSelectedHandler()}
          />
        </td>
      )}
      {row.getAllCells().map((cell) => (
        <td key={cell.id} data-align={cell.column.columnDef.meta?.align}>
          <FlexRender cell={cell} />
        </td>
      ))}
    </tr>
  )
}

/** The model makes all its rows anew when one is filtered away; a row that shows the same is not drawn again. */
function isSame<Row extends RowData>(before: BodyRowProps<Row>, after: BodyRowProps<Row>): boolean {
  return (
    before.row.original === after.row.original &&
    (['index', 'columns', 'selectable', 'selected', 'current', 'selectName', 'onOpen'] as const).every(
      (name) => before[name] === after[name],
    )
  )
}

/** Holds because `memo` hands the props on as they are; it cannot carry the row's type through. */
export const BodyRow = memo(Drawn, isSame) as unknown as <Row extends RowData>(props: BodyRowProps<Row>) => ReactNode

/** A click on a control, or one that ends a text selection, is not a click on the row. Portals bubble here too. */
function isOnControl({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return true
  return (
    target.closest('a, button, input, label, [role=menu], [role=dialog]') !== null ||
    window.getSelection()?.isCollapsed === false
  )
}
