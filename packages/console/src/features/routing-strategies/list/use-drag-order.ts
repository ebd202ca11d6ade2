import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { dropPosition } from '../order.ts'

type Drag = { from: number; to: number; offsetPx: number; heightPx: number }

/** Dragging rows of a list by a handle. The keyboard's ways are Alt with the arrows and "Move to…". */
export function useDragOrder(onDrop: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const start = useRef<{ y: number; middles: number[] } | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const stop = () => {
    start.current = null
    setDrag(null)
  }
  useEffect(() => {
    if (!drag) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') stop()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [drag])

  const handleOf = (from: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !list.current) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const middles = [...list.current.children].map((row) => {
        const { top, height } = row.getBoundingClientRect()
        return top + height / 2
      })
      start.current = { y: event.clientY, middles }
      setDrag({
        from,
        to: from,
        offsetPx: 0,
        heightPx: list.current.children[from]?.getBoundingClientRect().height ?? 0,
      })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!start.current) return
      const { y, middles } = start.current
      const offsetPx = event.clientY - y
      setDrag(
        (before) => before && { ...before, to: dropPosition(middles, from, (middles[from] ?? 0) + offsetPx), offsetPx },
      )
    },
    onPointerUp: () => {
      if (drag && start.current && drag.to !== drag.from) onDrop(drag.from, drag.to)
      stop()
    },
    onPointerCancel: stop,
  })
  return { list, isDragging: drag !== null, offsetOf: (index: number) => offsetOf(index, drag), handleOf }
}

export type RowOffset = { px: number; isDragged: boolean }

/**
 * How far a row stands from its place: the dragged one follows the pointer, those it passes make room. Null when
 * nothing is dragged.
 */
function offsetOf(index: number, drag: Drag | null): RowOffset | null {
  if (!drag) return null
  const { from, to, offsetPx, heightPx } = drag
  if (index === from) return { px: offsetPx, isDragged: true }
  if (index > from && index <= to) return { px: -heightPx, isDragged: false }
  if (index < from && index >= to) return { px: heightPx, isDragged: false }
  return { px: 0, isDragged: false }
}
