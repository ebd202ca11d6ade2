import type { ChartOption } from './echarts.ts'
import { type ChartTokens, fade } from './chart-tokens.ts'
import { NO_CDN, seriesOf } from './series.ts'
import { type ChartLine, type Mark, type TimeSpan, isLone, labelled, marksWithin } from './time-series-model.ts'

export type Look = 'lines' | 'areas'

type Input = {
  lines: readonly ChartLine[]
  marks: readonly Mark[]
  span: TimeSpan
  look: Look
  /** Of the whole picture; labels that have no room in it are left out. */
  widthPx: number
  tokens: ChartTokens
  /** Percent scales end at 100; others start at zero and leave room above. */
  scale: 'zero' | 'percent' | 'close'
  formatAxis: (value: number) => string
  formatTime: (at: number) => string
  tooltip: (at: number) => HTMLElement
}

/** What a label of a mark takes, with some air. */
const LABEL_PX = 130

/** The chart library's option for lines or stacked areas over time. Colours are resolved already. */
export function timeSeriesOption({
  lines,
  marks,
  span,
  look,
  widthPx,
  tokens,
  scale,
  formatAxis,
  formatTime,
  tooltip,
}: Input): ChartOption {
  const text = { color: tokens.text3, fontFamily: tokens.fontUi, fontSize: 11.5 }
  return {
    animation: false,
    grid: {
      left: 8,
      right: 14,
      top: marks.length > 0 ? 24 : 12,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      min: span.from,
      max: span.to,
      splitNumber: 6,
      axisLine: { lineStyle: { color: tokens.lineStrong } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        hideOverlap: true,
        showMinLabel: false,
        showMaxLabel: false,
        formatter: formatTime,
        margin: 10,
      },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      ...bounds(scale),
      splitLine: { lineStyle: { color: tokens.line } },
      axisLabel: { ...text, formatter: formatAxis, margin: 10 },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      appendTo: undefined,
      padding: 0,
      borderWidth: 0,
      backgroundColor: 'transparent',
      extraCssText: 'box-shadow:none',
      axisPointer: { type: 'line', lineStyle: { color: tokens.text3, type: 'solid', width: 1 } },
      formatter: (params) => {
        const [first] = Array.isArray(params) ? params : [params]
        const at = Array.isArray(first?.value) ? Number(first.value[0]) : Number.NaN
        return tooltip(at)
      },
    },
    series: [
      ...lines.map((line) => lineSeries(line, look, tokens)),
      markSeries(marksWithin(marks, span), span, tokens, LABEL_PX / Math.max(widthPx, LABEL_PX)),
    ],
  }
}

function bounds(scale: Input['scale']) {
  if (scale === 'percent') return { min: 0, max: 100, interval: 25 }
  if (scale === 'zero') return { min: 0 }
  return { scale: true }
}

function lineSeries({ key, name, series, points }: ChartLine, look: Look, tokens: ChartTokens) {
  const color = colorOf(series, tokens)
  const lone = points.map((_, index) => isLone(points, index))
  const hasLone = lone.includes(true)
  return {
    id: key,
    name,
    type: 'line' as const,
    color,
    // A line of one point is none: it is a dot.
    showSymbol: hasLone,
    symbolSize: 4,
    connectNulls: false,
    lineStyle: { width: 1.5, color },
    emphasis: { disabled: true },
    ...(look === 'areas' ? { stack: 'all', areaStyle: { color: fade(color, 0.16) } } : {}),
    data: points.map(({ at, value }, index) =>
      hasLone ? { value: [at, value], symbol: lone[index] ? 'circle' : 'none' } : [at, value],
    ),
  }
}

const colorOf = (series: number, tokens: ChartTokens): string =>
  series === NO_CDN
    ? tokens.brand
    : ([tokens.s1, tokens.s2, tokens.s3, tokens.s4, tokens.s5, tokens.s6][seriesOf(series) - 1] ?? tokens.s6)

/** Bands of failovers and lines of changes, carried by a series of their own so that hiding a line keeps them. */
function markSeries(marks: readonly (Mark & { to: number })[], span: TimeSpan, tokens: ChartTokens, room: number) {
  const named = labelled(marks, span, room)
  const label = { color: tokens.text3, fontFamily: tokens.fontUi, fontSize: 11.5, distance: 6 }
  const withNames = marks.map((mark, index) => ({
    ...mark,
    name: named[index] ? shorten(mark.short ?? mark.label) : '',
    ...edgeLabel(mark, span),
  }))
  return {
    id: 'marks',
    type: 'line' as const,
    data: [],
    silent: true,
    markArea: {
      silent: true,
      itemStyle: { color: fade(tokens.text3, 0.13) },
      label: { ...label, position: 'top' as const },
      data: withNames
        .filter(({ kind }) => kind === 'failover')
        .map(
          ({
            from,
            to,
            name,
            align,
          }): [{ xAxis: number; name: string; label: { align: Align } }, { xAxis: number }] => [
            { xAxis: from, name, label: { align } },
            { xAxis: atLeastVisible(from, to, span) },
          ],
        ),
    },
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: tokens.info, type: [3, 3], width: 1 },
      data: withNames
        .filter(({ kind }) => kind === 'change')
        .map(({ from, name, align }) => ({
          xAxis: from,
          name,
          label: { ...label, formatter: name, show: name !== '', position: 'end' as const, align },
        })),
    },
  }
}

type Align = 'left' | 'center' | 'right'

/** A label near an edge is written away from it. */
function edgeLabel({ from, to: end }: { from: number; to: number }, { from: start, to }: TimeSpan): { align: Align } {
  const at = ((from + end) / 2 - start) / (to - start)
  return { align: at > 0.86 ? 'right' : at < 0.1 ? 'left' : 'center' }
}

/** A failover of seconds is still to be seen on a chart of two weeks. */
const atLeastVisible = (from: number, to: number, span: TimeSpan): number =>
  Math.max(to, from + (span.to - span.from) * 0.002)

const shorten = (text: string): string => (text.length > 26 ? `${text.slice(0, 25)}…` : text)
