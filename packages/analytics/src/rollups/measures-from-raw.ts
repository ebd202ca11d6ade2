import { binSql, isTimedSql } from '../log-histogram.ts'

/** Raw table of each source; probes know no country. */
const RAW = { rum: { table: 'beacons', country: 'country' }, sum: { table: 'probes', country: `''` } } as const
export type Source = keyof typeof RAW
export const rawTableOf = (source: Source): string => RAW[source].table

/**
 * Raw measurements as rollup rows per bucket of time, organisation, CDN and country: the one text behind the minute
 * step and the questions over minutes just gone.
 * Expects `{from:Int64}` and `{until:Int64}` (epoch seconds, until excluded) and leaves room for more conditions.
 */
export function measuresFromRaw(source: Source, bucketSeconds: number, conditions: string[] = []): string {
  const { table, country } = RAW[source]
  const where = ['at >= fromUnixTimestamp({from:Int64})', 'at < fromUnixTimestamp({until:Int64})', ...conditions].join(
    ' AND ',
  )
  return `SELECT bucket, organization, cdn, place AS country, sum(n) AS samples, sumIf(n, ok = 1) AS successes,
      CAST((groupArrayIf(bin, timed), groupArrayIf(n, timed)), 'Map(Int16, UInt64)') AS rtt
    FROM (
      SELECT toDateTime(toStartOfInterval(at, INTERVAL ${bucketSeconds} SECOND), 'UTC') AS bucket, organization, cdn, ${country} AS place, ok, (${isTimedSql('ok', 'rtt_ms')}) AS timed, if(timed, ${binSql('rtt_ms')}, toInt16(0)) AS bin, count() AS n
      FROM ${table} WHERE ${where} GROUP BY bucket, organization, cdn, place, ok, timed, bin
    ) GROUP BY bucket, organization, cdn, place`
}
