import classes from './time-series.module.css'
import { seriesColor } from './series.ts'
import type { ChartLine, Mark } from './time-series-model.ts'

type Input = {
  at: number
  lines: readonly ChartLine[]
  /** Marks that lie at this moment. */
  marks: readonly Mark[]
  formatValue: (value: number) => string
  formatMoment: (at: number) => string
  /** `1,204 samples` */
  formatSamples: (samples: number) => string
}

/** The card under the pointer. Built of nodes, never of markup: names of CDNs are people's input. */
export function timeTooltip({ at, lines, marks, formatValue, formatMoment, formatSamples }: Input): HTMLElement {
  const card = element('div', classes.tooltip)
  card.append(element('div', classes.tooltipTime, formatMoment(at)))
  for (const { name, series, points } of lines) {
    const point = points.find((candidate) => candidate.at === at)
    if (!point) continue
    const row = element('div', classes.tooltipRow)
    const dot = element('span', classes.dot)
    dot.style.setProperty('--series', seriesColor(series))
    row.append(
      dot,
      element('span', classes.tooltipName, name),
      element('span', classes.tooltipValue, point.value === null ? '—' : formatValue(point.value)),
    )
    if (point.samples > 0) row.append(element('span', classes.tooltipSamples, formatSamples(point.samples)))
    card.append(row)
  }
  for (const { kind, label } of marks) {
    const row = element('div', classes.tooltipMark, label)
    row.dataset.kind = kind
    card.append(row)
  }
  return card
}

function element(tag: string, className: string | undefined, text = ''): HTMLElement {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.textContent = text
  return made
}
