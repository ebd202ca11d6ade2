import type { ChartLine } from '../../ui/charts/time-series-model.ts'
import { momentsOf } from '../../ui/charts/time-series-model.ts'

/** Lines of a chart as CSV (RFC 4180): one row for each time and line, times in UTC. `of` is what the lines are. */
export function chartCsv(lines: readonly ChartLine[], valueName: string, of = 'cdn'): string {
  const rows = [['time', of, valueName, 'samples']]
  for (const at of momentsOf(lines)) {
    for (const { name, points } of lines) {
      const point = points.find((candidate) => candidate.at === at)
      if (point)
        rows.push([
          new Date(at).toISOString(),
          name,
          point.value === null ? '' : String(point.value),
          String(point.samples),
        ])
    }
  }
  return rowsCsv(rows)
}

/** Rows of cells as CSV (RFC 4180). */
export function rowsCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n'
}

/** A name that begins like a formula is made text, since spreadsheets would run it. */
function cell(text: string): string {
  const safe = /^[=+@\-\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function downloadText(name: string, text: string, type: string): void {
  downloadBlob(name, new Blob([text], { type }))
}

export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
