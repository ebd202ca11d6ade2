import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactTable, RowData } from '@tanstack/react-table'
import { useTranslation } from 'react-i18next'
import { CellCheckbox } from './cell-controls.tsx'
import classes from './data-table.module.css'
import type { TableModel } from './table-model.ts'

const SELECT_PX = 40

type TableHeadProps<Row extends RowData> = { table: ReactTable<TableModel, Row>; selectable: boolean }

export function TableHead<Row extends RowData>({ table, selectable }: TableHeadProps<Row>) {
  const { t } = useTranslation('table')
  const headers = table.getHeaderGroups().flatMap((group) => group.headers)
  return (
    <>
      <colgroup>
        {selectable && <col style={{ width: SELECT_PX }} />}
        {headers.map((header) => (
          <col
            key={header.id}
            style={{ width: header.column.columnDef.meta?.widthPx, minWidth: header.column.columnDef.meta?.leastPx }}
          />
        ))}
      </colgroup>
      <thead className={classes.head}>
        <tr aria-rowindex={1}>
          {selectable && (
            <th className={classes.select} scope="col">
              <CellCheckbox
                aria-label={t('selectAll')}
                checked={table.getIsAllRowsSelected()}
                indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                onChange={table.getToggleAllRowsSelectedHandler()}
              />
            </th>
          )}
          {headers.map((header) => {
            const sorted = header.column.getIsSorted()
            const look = header.column.columnDef.meta
            const content = <table.FlexRender header={header} />
            return (
              <th
                key={header.id}
                scope="col"
                data-align={look?.align}
                aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
              >
                {header.column.getCanSort() ? (
                  <UnstyledButton className={classes.sorter} onClick={header.column.getToggleSortingHandler()}>
                    {content}
                    <span className={classes.arrow} data-sorted={sorted || undefined} aria-hidden>
                      {sorted === 'desc' ? <IconArrowDown size={13} /> : <IconArrowUp size={13} />}
                    </span>
                  </UnstyledButton>
                ) : (
                  content
                )}
              </th>
            )
          })}
        </tr>
      </thead>
    </>
  )
}
