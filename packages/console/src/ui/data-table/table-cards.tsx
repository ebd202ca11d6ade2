import { FlexRender, type RowData } from '@tanstack/react-table'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CellCheckbox } from './cell-controls.tsx'
import classes from './table-cards.module.css'
import type { ColumnLook, ModelRow } from './table-model.ts'

/** So many more are drawn each time the last one comes near. */
const BATCH = 50
const NEAR = '1000px'

type Place = NonNullable<ColumnLook['card']>
type TableCardsProps<Row extends RowData> = {
  label: string
  rows: readonly ModelRow<Row>[]
  selectable: boolean
  rowName: (row: Row) => string
  onOpen: ((row: Row) => void) | undefined
}

/** The rows as cards, for screens too narrow for a table. */
export function TableCards<Row extends RowData>({ label, rows, selectable, rowName, onOpen }: TableCardsProps<Row>) {
  const { t } = useTranslation('table')
  const [most, setMost] = useState(BATCH)
  const end = useCallback((mark: HTMLLIElement | null) => {
    if (mark === null) return
    const sight = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setMost((before) => before + BATCH)
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    )
    sight.observe(mark)
    return () => sight.disconnect()
  }, [])
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.slice(0, most).map((row) => (
        <li
          key={row.id}
          className={classes.card}
          onClick={
            onOpen &&
            ((event) => {
              if (!(event.target instanceof Element && event.target.closest('a, button, input, label')))
                onOpen(row.original)
            })
          }
        >
          {selectable && (
            <CellCheckbox
              className={classes.lead}
              aria-label={t('selectRow', { name: rowName(row.original) })}
              checked={row.getIsSelected()}
              onChange={row.getToggleSelectedHandler()}
            />
          )}
          <CardCells row={row} place="lead" />
          <div className={classes.words}>
            <CardCells row={row} place="title" />
            <CardCells row={row} place="detail" />
          </div>
          <CardCells row={row} place="end" />
        </li>
      ))}
      {/* Anew with each batch: one that stays in sight is told of once. */}
      {rows.length > most && <li key={most} ref={end} aria-hidden className={classes.more} />}
    </ul>
  )
}

function CardCells<Row extends RowData>({ row, place }: { row: ModelRow<Row>; place: Place }) {
  const cells = row.getAllCells().filter((cell) => cell.column.columnDef.meta?.card === place)
  if (cells.length === 0) return null
  return (
    <div className={classes[place]}>
      {cells.map((cell) => (
        <FlexRender key={cell.id} cell={cell} />
      ))}
    </div>
  )
}
