import { useEffect, useRef, useState } from 'react'
import { useChartTokens } from './chart-tokens.ts'
import { type ECharts, init } from './echarts.ts'
import classes from './time-series.module.css'
import type { ChartLine, Mark, TimeSpan } from './time-series-model.ts'
import { marksWithin } from './time-series-model.ts'
import { type Look, timeSeriesOption } from './time-series-option.ts'
import { timeTooltip } from './time-tooltip.ts'
import { useDragToZoom } from './use-drag-to-zoom.ts'

export type CanvasProps = {
  lines: readonly ChartLine[]
  marks: readonly Mark[]
  span: TimeSpan
  look: Look
  scale: 'zero' | 'percent' | 'close'
  height: number
  formatValue: (value: number) => string
  formatAxis: (value: number) => string
  formatTime: (at: number) => string
  formatMoment: (at: number) => string
  formatSamples: (samples: number) => string
  /** The pointer drew a span of time. */
  onZoom?: ((span: TimeSpan) => void) | undefined
  /** The pointer chose a moment. */
  onPoint?: ((at: number) => void) | undefined
  label: string
}

/** The picture itself, loaded with the chart library only when a chart is on the screen. */
export function TimeSeriesCanvas(props: CanvasProps) {
  const { height, label, onZoom, onPoint } = props
  const host = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<ECharts | null>(null)
  const [widthPx, setWidthPx] = useState(0)
  const tokens = useChartTokens()

  useEffect(() => {
    if (!host.current) return
    const made = init(host.current, null, { renderer: 'canvas' })
    const observer = new ResizeObserver(([entry]) => {
      made.resize()
      if (entry) setWidthPx(entry.contentRect.width)
    })
    observer.observe(host.current)
    setChart(made)
    return () => {
      observer.disconnect()
      made.dispose()
    }
  }, [])

  useEffect(() => {
    const { lines, marks, span, look, scale, formatValue, formatAxis, formatTime, formatMoment, formatSamples } = props
    const tooltip = (at: number) =>
      timeTooltip({ at, lines, marks: marksAt(marks, at, span), formatValue, formatMoment, formatSamples })
    chart?.setOption(
      timeSeriesOption({ lines, marks, span, look, scale, widthPx, tokens, formatAxis, formatTime, tooltip }),
      { replaceMerge: ['series'], lazyUpdate: true },
    )
  }, [chart, widthPx, tokens, props])

  const { selection, handlers } = useDragToZoom(chart, { onZoom, onPoint })
  return (
    <div
      className={classes.plot}
      data-zoomable={onZoom !== undefined || undefined}
      data-pointable={onPoint !== undefined || undefined}
      {...handlers}
    >
      <div ref={host} role="img" aria-label={label} style={{ height }} />
      {selection && (
        <div
          className={classes.selection}
          style={{ left: selection.left, width: selection.width }}
          aria-hidden="true"
        />
      )}
    </div>
  )
}

/** A change is a moment: it is named within one part in eighty of the span, about the reach of a pointer. */
function marksAt(marks: readonly Mark[], at: number, span: TimeSpan): Mark[] {
  const reach = (span.to - span.from) / 80
  return marksWithin(marks, span).filter(({ from, to }) => at >= from - reach && at <= to + reach)
}
