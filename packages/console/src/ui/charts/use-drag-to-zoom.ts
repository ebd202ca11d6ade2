import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import type { ECharts } from './echarts.ts'
import type { TimeSpan } from './time-series-model.ts'

/** Less than this is a click. */
const SMALLEST_PX = 8

type Drag = { left: number; width: number }

type Wishes = { onZoom: ((span: TimeSpan) => void) | undefined; onPoint: ((at: number) => void) | undefined }

/**
 * Drawing a span over the plot with the pointer, or choosing a moment with a click. The keyboard's way to the same is
 * the range control of the page, and the chart's table.
 */
export function useDragToZoom(chart: ECharts | null, { onZoom, onPoint }: Wishes) {
  const startX = useRef<number | null>(null)
  const [selection, setSelection] = useState<Drag | null>(null)
  if (!chart || (!onZoom && !onPoint)) return { selection: null, handlers: {} }

  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const spanOf = (x: number): Drag => ({
    left: Math.min(x, startX.current ?? x),
    width: Math.abs(x - (startX.current ?? x)),
  })
  const point = (x: number) => {
    const at = timeAt(chart, x)
    if (at !== null) onPoint?.(at)
  }
  const stop = () => {
    startX.current = null
    setSelection(null)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || event.pointerType === 'touch') return
      startX.current = xOf(event)
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (startX.current === null) return
      const drag = spanOf(xOf(event))
      setSelection(drag.width < SMALLEST_PX ? null : drag)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (startX.current === null) return
      const { left, width } = spanOf(xOf(event))
      stop()
      if (width < SMALLEST_PX) return point(left)
      const from = timeAt(chart, left)
      const to = timeAt(chart, left + width)
      if (from !== null && to !== null && to > from) onZoom?.({ from, to })
    },
    onPointerCancel: stop,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (event.nativeEvent instanceof globalThis.PointerEvent && event.nativeEvent.pointerType === 'touch')
        point(event.clientX - event.currentTarget.getBoundingClientRect().left)
    },
  }
  return { selection, handlers }
}

function timeAt(chart: ECharts, x: number): number | null {
  const moment: unknown = chart.convertFromPixel({ xAxisIndex: 0 }, x)
  return typeof moment === 'number' && Number.isFinite(moment) ? moment : null
}
