import type { ChartMark } from '@fairway/contract'

export type ChartPoint = { at: number; value: number | null; samples: number }

/** One line of a chart; `series` is its colour. `total` is printed behind its name in the legend. */
export type ChartLine = { key: string; name: string; series: number; points: readonly ChartPoint[]; total?: string }

/** A stretch of time, epoch ms. */
export type TimeSpan = { from: number; to: number }

/** `short` is written on the chart, where there is little room; the tooltip has the whole label. */
export type Mark = Pick<ChartMark, 'from' | 'to' | 'kind' | 'label' | 'cdnId'> & { short?: string }

/** Whether no line leads to a point and none away from it: what is known around it is nothing. */
export function isLone(points: readonly Pick<ChartPoint, 'value'>[], index: number): boolean {
  const isThere = (at: number) => typeof points[at]?.value === 'number'
  return isThere(index) && !isThere(index - 1) && !isThere(index + 1)
}

/** All moments of the lines, once each, in order. */
export function momentsOf(lines: readonly ChartLine[]): number[] {
  return [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b)
}

/** What the lines cover, one interval at least. */
export function spanOf(lines: readonly Pick<ChartLine, 'points'>[], intervalMs: number): TimeSpan {
  const moments = lines.flatMap(({ points }) => points.map(({ at }) => at))
  if (moments.length === 0) return { from: 0, to: intervalMs }
  const from = moments.reduce((least, at) => Math.min(least, at))
  return {
    from,
    to: Math.max(
      from + intervalMs,
      moments.reduce((most, at) => Math.max(most, at)),
    ),
  }
}

/** The moment of the lines that lies nearest, as the tooltip shows it. */
export function nearestMoment(lines: readonly ChartLine[], at: number): number {
  return momentsOf(lines).reduce(
    (nearest, moment) => (Math.abs(moment - at) < Math.abs(nearest - at) ? moment : nearest),
    Number.POSITIVE_INFINITY,
  )
}

/** Values of each moment turned into shares of their sum, 0–100; a moment without any answers has no shares. */
export function asShares(lines: readonly ChartLine[]): ChartLine[] {
  const sums = new Map<number, number>()
  for (const { points } of lines) for (const { at, value } of points) sums.set(at, (sums.get(at) ?? 0) + (value ?? 0))
  return lines.map((line) => ({
    ...line,
    points: line.points.map((point) => ({ ...point, value: shareOf(point, sums.get(point.at) ?? 0) })),
  }))
}

const shareOf = ({ value }: ChartPoint, sum: number): number | null => (sum === 0 ? null : ((value ?? 0) / sum) * 100)

/** Marks that overlap the span, cut to it; one that still lasts reaches its end. Oldest first. */
export function marksWithin(marks: readonly Mark[], { from, to }: TimeSpan): (Mark & { to: number })[] {
  return marks
    .filter((mark) => mark.from <= to && (mark.to ?? to) >= from)
    .map((mark) => ({
      ...mark,
      from: Math.max(mark.from, from),
      to: Math.min(mark.kind === 'change' ? mark.from : (mark.to ?? to), to),
    }))
    .sort((a, b) => a.from - b.from)
}

/**
 * Changes so close that their lines would run together become one, named by `nameOf` from the newest; failovers stay as
 * they are.
 */
export function gatherChanges(
  marks: readonly Mark[],
  { from, to }: TimeSpan,
  nameOf: (count: number, newest: Mark) => string,
): Mark[] {
  const reach = (to - from) / 100
  const groups: Mark[][] = []
  for (const mark of marks.filter(({ kind }) => kind === 'change').sort((a, b) => a.from - b.from)) {
    const open = groups.at(-1)
    if (open?.[0] && mark.from - open[0].from <= reach) open.push(mark)
    else groups.push([mark])
  }
  const gathered = groups.flatMap((group) => {
    const newest = group.at(-1)
    return newest ? [group.length === 1 ? newest : { ...newest, label: nameOf(group.length, newest) }] : []
  })
  return [...marks.filter(({ kind }) => kind !== 'change'), ...gathered]
}

/**
 * Labels that would lie on each other are left out: failovers go before changes, newer before older. The tooltip still
 * names every mark. `room` is the part of the span that a label takes.
 */
export function labelled(
  marks: readonly { from: number; to: number; kind: Mark['kind'] }[],
  { from, to }: TimeSpan,
  room: number,
): boolean[] {
  const taken: number[] = []
  const shown = marks.map(() => false)
  for (const kind of ['failover', 'change'] as const) {
    for (let index = marks.length - 1; index >= 0; index--) {
      const mark = marks[index]
      if (!mark || mark.kind !== kind) continue
      const centre = (mark.from + mark.to) / 2
      if (taken.some((other) => Math.abs(other - centre) < (to - from) * room)) continue
      taken.push(centre)
      shown[index] = true
    }
  }
  return shown
}

/** What a reader who does not see the chart gets: each line's first, last, smallest and largest value. */
export function summaryOf(lines: readonly ChartLine[]): { name: string; low: number; high: number; last: number }[] {
  return lines.flatMap(({ name, points }) => {
    const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
    const last = values.at(-1)
    return last === undefined ? [] : [{ name, low: Math.min(...values), high: Math.max(...values), last }]
  })
}
