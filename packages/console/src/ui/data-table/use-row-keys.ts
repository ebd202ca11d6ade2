import type { RowData } from '@tanstack/react-table'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../keys/shortcuts.ts'
import type { ModelRow } from './table-model.ts'

type RowKeys<Row extends RowData> = {
  rows: readonly ModelRow<Row>[]
  onOpen: ((row: Row) => void) | undefined
  enabled: boolean
  /** The row there is the current one now, drawn or not. */ onWalk: (index: number) => void
}

/** `j`/`k` walk the rows, `x` selects, Enter opens. Answers the id of the current row. */
export function useRowKeys<Row extends RowData>({ rows, onOpen, enabled, onWalk }: RowKeys<Row>): string | null {
  const { t } = useTranslation('table')
  const [currentId, setCurrentId] = useState<string | null>(null)
  const index = currentId === null ? -1 : rows.findIndex(({ id }) => id === currentId)
  const walk = (step: number) => {
    const at = Math.min(rows.length - 1, Math.max(0, index === -1 ? 0 : index + step))
    const next = rows[at]
    if (!next) return
    setCurrentId(next.id)
    onWalk(at)
    document.querySelector(`[data-row-id="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const on = enabled && rows.length > 0
  useShortcut('j', t('keys.down'), () => walk(1), on)
  useShortcut('k', t('keys.up'), () => walk(-1), on)
  useShortcut(
    'x',
    t('keys.select'),
    () => {
      if (rows[index]?.getCanSelect()) rows[index]?.toggleSelected()
    },
    on,
  )
  useShortcut(
    'Enter',
    t('keys.open'),
    () => {
      if (rows[index]) onOpen?.(rows[index].original)
    },
    on && index !== -1 && onOpen !== undefined,
  )
  return currentId
}
