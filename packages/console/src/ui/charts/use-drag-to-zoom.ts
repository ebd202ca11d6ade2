import { type PointerEvent, useRef, useState } from 'react'
import type { ECharts } from './echarts.ts'
import type { TimeSpan } from './time-series-model.ts'

/** Less than this is a click. */
const SMALLEST_PX = 8

type Drag = { left: number; width: number }

/** Drawing a span over the plot with the pointer. The keyboard's way to the same is the range control of the page. */
export function useDragToZoom(chart: ECharts | null, onZoom: ((span: TimeSpan) => void) | undefined) {
  const startX = useRef<number | null>(null)
  const [selection, setSelection] = useState<Drag | null>(null)
  if (!chart || !onZoom) return { selection: null, handlers: {} }

  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const spanOf = (x: number): Drag => ({ left: Math.min(x, startX.current ?? x), width: Math.abs(x - (startX.current ?? x)) })
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
      if (width < SMALLEST_PX) return
      const from = timeAt(chart, left)
      const to = timeAt(chart, left + width)
      if (from !== null && to !== null && to > from) onZoom({ from, to })
    },
    onPointerCancel: stop,
  }
  return { selection, handlers }
}

function timeAt(chart: ECharts, x: number): number | null {
  const moment: unknown = chart.convertFromPixel({ xAxisIndex: 0 }, x)
  return typeof moment === 'number' && Number.isFinite(moment) ? moment : null
}
