import type { ChartMark } from '@fairway/contract'
import type { Context } from '../../http/context.ts'
import { changes, type FailoverRow, failovers } from './store.ts'

/**
 * Outages (of some CDNs or of all) and changes of the range, oldest first; changes of every site where the path names none. Times are epoch ms,
 * as the charts' are.
 */
export async function marksOf(
  { tx, site, now }: Context,
  seconds: number,
  until: number | undefined,
  cdnIds?: readonly string[],
): Promise<ChartMark[]> {
  const end = until === undefined ? now : new Date(until * 1000)
  const start = new Date(end.getTime() - seconds * 1000)
  const seen = (await failovers(tx, start, end)).filter(
    ({ cdn_id }) => cdnIds === undefined || cdn_id === null || cdnIds.includes(cdn_id),
  )
  const bands = seen.flatMap((row) =>
    spansOf(row)
      .filter(([from, to]) => from < end.getTime() && (to ?? Infinity) > start.getTime())
      .map(([from, to]): ChartMark => ({
        from,
        to,
        kind: 'failover',
        label: row.title,
        cdnId: row.cdn_id,
        version: null,
      })),
  )
  const edits = (await changes(tx, (site as Context['site'] | undefined)?.id ?? null, start, end)).map(
    (row): ChartMark => ({
      from: row.created_at.getTime(),
      to: null,
      kind: 'change',
      label: row.title,
      cdnId: null,
      version: row.number,
    }),
  )
  return [...bands, ...edits].sort((a, b) => a.from - b.from)
}

/** When the CDN was down, without the calm between; the last without an end while it is. */
function spansOf({ started_at, ended_at, spans, since }: FailoverRow): [number, number | null][] {
  if (spans === null) return [[started_at.getTime(), ended_at?.getTime() ?? null]]
  return ended_at === null ? [...spans, [since ?? started_at.getTime(), null]] : spans
}
