/** A span of time; `until` is excluded. Both are epoch milliseconds. */
export type Span = { from: number; until: number }

/** The calendar month (UTC) that a moment lies in; `offset` −1 is the one before. */
export function monthOf(at: number, offset = 0): Span {
  const date = new Date(at)
  const month = (more: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1)
  return { from: month(offset), until: month(offset + 1) }
}

/** The same moment so many months later, or the last day of that month when it has no such day. */
export function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}
