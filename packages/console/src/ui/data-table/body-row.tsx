import { Checkbox } from '@mantine/core'
import { FlexRender, type RowData } from '@tanstack/react-table'
import { useTranslation } from 'react-i18next'
import classes from './data-table.module.css'
import type { TableBodyProps } from './table-body.tsx'
import type { ModelRow } from './table-model.ts'

type BodyRowProps<Row extends RowData> = TableBodyProps<Row> & { row: ModelRow<Row>; index: number }

export function BodyRow<Row extends RowData>({ row, index, selectable, rowName, onOpen, currentId }: BodyRowProps<Row>) {
  const { t } = useTranslation('table')
  return (
    <tr
      className={classes.row}
      aria-rowindex={index + 2}
      data-row-id={row.id}
      data-selected={row.getIsSelected() || undefined}
      data-current={row.id === currentId || undefined}
      data-openable={onOpen !== undefined || undefined}
      data-copy-host
      onClick={onOpen && ((event) => { if (!isOnControl(event)) onOpen(row.original) })}
    >
      {selectable && (
        <td className={classes.select}>
          <Checkbox aria-label={t('selectRow', { name: rowName(row.original) })} checked={row.getIsSelected()} onChange={row.getToggleSelectedHandler()} />
        </td>
      )}
      {row.getAllCells().map((cell) => (
        <td key={cell.id} data-align={cell.column.columnDef.meta?.align}><FlexRender cell={cell} /></td>
      ))}
    </tr>
  )
}

/** A click on a control, or one that ends a text selection, is not a click on the row. Portals bubble here too. */
function isOnControl({ target, currentTarget }: React.MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return true
  return target.closest('a, button, input, label, [role=menu], [role=dialog]') !== null || window.getSelection()?.isCollapsed === false
}
