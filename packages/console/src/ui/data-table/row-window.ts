import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePainted } from '../pace/use-painted.ts'

/** Height of every row of a table, as `--size-row` says. */
export const ROW_PX = 40
const VIRTUAL_FROM = 50
/**
 * Drawn beyond what is seen once that is painted, so that the next rows are there when the scroll or the Tab key
 * arrives: of a quick scroll a quarter of a second.
 */
const BEYOND = 14
/** So many rows pass before others are drawn. */
const STEP = 4

type RowWindow = { from: number; to: number }

/**
 * Which rows of a table are drawn: all of them as far as that is quick, else those that its frame shows and some on
 * either side.
 */
export function useRowWindow(scroller: HTMLElement | null, count: number): RowWindow {
  const isLong = count > VIRTUAL_FROM
  // After a filter, too, what can be seen comes first.
  const beyond = usePainted(isLong && scroller !== null ? count : null) ? BEYOND : 0
  const [seen, setSeen] = useState(() => seenOf(scroller, heightOf(scroller)))
  useEffect(() => {
    if (scroller === null || !isLong) return
    let height = heightOf(scroller)
    let now = seenOf(scroller, height)
    const settle = () => setSeen((before) => (now.from === before.from && now.to === before.to ? before : now))
    settle()
    // Drawn before the browser lays the frame out: later, each frame would be laid out twice.
    const scrolled = () => {
      const next = seenOf(scroller, height)
      if (next.from === now.from && next.to === now.to) return
      now = next
      flushSync(() => setSeen(next))
    }
    scroller.addEventListener('scroll', scrolled, { passive: true })
    const size = new ResizeObserver(() => {
      height = heightOf(scroller)
      now = seenOf(scroller, height)
      settle()
    })
    if (scroller.parentElement) size.observe(scroller.parentElement)
    return () => {
      scroller.removeEventListener('scroll', scrolled)
      size.disconnect()
    }
  }, [scroller, isLong])
  if (!isLong) return { from: 0, to: count }
  // After a filter the frame may still be scrolled below the last row.
  const first = Math.max(0, Math.min(seen.from, count - (seen.to - seen.from)))
  return { from: Math.max(0, first - beyond), to: Math.min(count, first + seen.to - seen.from + beyond) }
}

/** Brings a row into sight that may not be drawn yet; the head stays above it. */
export function revealRow(scroller: HTMLElement, index: number): void {
  const head = scroller.querySelector('thead')?.clientHeight ?? 0
  const [top, bottom] = [index * ROW_PX, (index + 1) * ROW_PX + head]
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight
}

/**
 * What stands around the frame has the height that it may grow to; while nothing is laid out yet the window's stands
 * for it.
 */
function heightOf(scroller: HTMLElement | null): number {
  return scroller?.parentElement?.clientHeight || window.innerHeight
}

function seenOf(scroller: HTMLElement | null, height: number): RowWindow {
  const first = Math.floor((scroller?.scrollTop ?? 0) / ROW_PX / STEP) * STEP
  return { from: first, to: first + Math.ceil(height / ROW_PX) + STEP }
}
