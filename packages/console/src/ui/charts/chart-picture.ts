import { resolveTokens } from './chart-tokens.ts'
import { init } from './echarts.ts'
import { NO_CDN, seriesOf } from './series.ts'
import type { ChartLine, Mark, TimeSpan } from './time-series-model.ts'
import { type Look, timeSeriesOption } from './time-series-option.ts'

const WIDTH = 1200
const CHART_HEIGHT = 420
const PADDING = 28
/** Sharp on screens of twice the density, and in print. */
const RATIO = 2

export type PictureInput = {
  /** What is drawn. */
  title: string
  /** Of what, and of which time. */
  about: string
  /** Who drew it. */
  brand: string
  lines: readonly ChartLine[]
  marks: readonly Mark[]
  span: TimeSpan
  look: Look
  scale: 'zero' | 'percent' | 'close'
  formatAxis: (value: number) => string
  formatTime: (at: number) => string
}

/** Names of lines in rows that fit a width; one that is wider than that has a row of its own. */
export function legendRows<Item>(items: readonly Item[], widthOf: (item: Item) => number, width: number): Item[][] {
  const rows: Item[][] = []
  let left = 0
  for (const item of items) {
    const needed = widthOf(item)
    if (rows.length === 0 || needed > left) {
      rows.push([])
      left = width
    }
    rows.at(-1)?.push(item)
    left -= needed
  }
  return rows
}

/** A chart as a PNG that can stand alone: with its title, its time, the names of its lines and whose it is. */
export async function chartPicture(input: PictureInput): Promise<Blob> {
  const { title, about, brand, lines, marks, span, look, scale, formatAxis, formatTime } = input
  const tokens = resolveTokens()
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('nothing can be painted here')
  const names = lines.map(({ name, total, series }) => ({
    text: total === undefined ? name : `${name}  ${total}`,
    color:
      series === NO_CDN
        ? tokens.brand
        : ([tokens.s1, tokens.s2, tokens.s3, tokens.s4, tokens.s5, tokens.s6][seriesOf(series) - 1] ?? tokens.s6),
  }))
  const small = `13px ${tokens.fontUi}`
  pen.font = small
  const rows = legendRows(names, ({ text }) => pen.measureText(text).width + 44, WIDTH - 2 * PADDING)
  const chartTop = PADDING + 62 + rows.length * 24
  const height = chartTop + CHART_HEIGHT + PADDING + 22
  canvas.width = WIDTH * RATIO
  canvas.height = height * RATIO
  pen.scale(RATIO, RATIO)
  pen.fillStyle = tokens.surface
  pen.fillRect(0, 0, WIDTH, height)
  pen.textBaseline = 'top'
  write(title, PADDING, PADDING, `600 20px ${tokens.fontUi}`, tokens.text)
  write(about, PADDING, PADDING + 30, small, tokens.text2)
  for (const [index, row] of rows.entries()) {
    let left = PADDING
    for (const { text, color } of row) {
      const top = PADDING + 60 + index * 24
      pen.fillStyle = color
      pen.beginPath()
      pen.arc(left + 5, top + 7, 5, 0, 2 * Math.PI)
      pen.fill()
      write(text, left + 18, top, small, tokens.text)
      left += pen.measureText(text).width + 44
    }
  }
  const host = document.createElement('div')
  const width = WIDTH - 2 * PADDING
  const chart = init(host, null, { renderer: 'canvas', width, height: CHART_HEIGHT, devicePixelRatio: RATIO })
  try {
    chart.setOption(
      timeSeriesOption({
        lines,
        marks,
        span,
        look,
        scale,
        widthPx: width,
        tokens,
        formatAxis,
        formatTime,
        tooltip: () => document.createElement('div'),
      }),
    )
    pen.drawImage(chart.renderToCanvas({ pixelRatio: RATIO }), PADDING, chartTop, width, CHART_HEIGHT)
  } finally {
    chart.dispose()
  }
  pen.textAlign = 'right'
  write(brand, WIDTH - PADDING, height - PADDING - 8, small, tokens.text3)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png'),
  )

  function write(text: string, left: number, top: number, font: string, color: string): void {
    if (!pen) return
    pen.font = font
    pen.fillStyle = color
    pen.fillText(text, left, top, WIDTH - 2 * PADDING)
  }
}
