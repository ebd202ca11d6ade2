import { isTimedSql } from '../log-histogram.ts'
import type { EventStore } from '../store/store.ts'

type Spread = { median: number; p95: number } | null
/** What visitors' browsers told in the last 24 hours; times are epoch ms. */
type PulseFacts = {
  beacons: number
  samples: number
  firstAt: number | null
  newestAt: number | null
  splitSince: number | null
  load: { pages: number; requests: Spread; bytes: Spread; longestTaskMs: Spread }
  cdns: {
    cdnId: string
    samples: number
    availability: number
    firstByteMs: number | null
    roundTripMs: number | null
    connectMs: number | null
    tlsMs: number | null
    mbps: number | null
  }[]
}

const DAY_SECONDS = 86_400
const orNull = (value: number, samples: number): number | null => (samples > 0 ? value : null)
const median = (column: string, name: string) =>
  `countIf(${column} > 0) AS ${name}_n, quantileTDigestIf(0.5)(${column}, ${column} > 0) AS ${name}`
const spread = (column: string, name: string) => `quantilesTDigestIf(0.5, 0.95)(${column}, requests > 0) AS ${name}`

/** Beacons of an organisation: how many, what they measured apart, and what the script cost pages. */
export async function pulseFigures(
  store: EventStore,
  { organizationId, now }: { organizationId: string; now: number },
): Promise<PulseFacts> {
  const input = { organization: organizationId, from: Math.floor(now / 1000) - DAY_SECONDS }
  const recent = 'FROM beacons WHERE organization = {organization:String} AND at >= fromUnixTimestamp({from:Int64})'
  const [[whole], [ends], cdns] = await Promise.all([
    store.query<{
      samples: number
      posts: number
      unnamed: number
      pages: number
      load_requests: number[]
      load_bytes: number[]
      load_task: number[]
    }>(
      `SELECT count() AS samples, uniqIf(post, post > 0) AS posts, countIf(post = 0) AS unnamed, countIf(requests > 0) AS pages, ${spread('requests', 'load_requests')}, ${spread('page_bytes', 'load_bytes')}, ${spread('task_ms', 'load_task')} ${recent}`,
      input,
    ),
    // The table is ordered by organisation and time: its ends are found without reading what is between.
    store.query<{ first: number | null; newest: number | null; split: number | null }>(
      `SELECT (SELECT toUnixTimestamp64Milli(at) FROM beacons WHERE organization = {organization:String} ORDER BY at LIMIT 1) AS first,
        (SELECT toUnixTimestamp64Milli(at) FROM beacons WHERE organization = {organization:String} ORDER BY at DESC LIMIT 1) AS newest,
        (SELECT toUnixTimestamp64Milli(at) FROM beacons WHERE organization = {organization:String} AND round_ms > 0 ORDER BY at LIMIT 1) AS split`,
      input,
    ),
    store.query<Record<string, number> & { cdn: string }>(
      `SELECT cdn, count() AS samples, countIf(ok = 1) AS successes, countIf(${isTimedSql('ok', 'rtt_ms')}) AS first_n, quantileTDigestIf(0.5)(rtt_ms, ${isTimedSql('ok', 'rtt_ms')}) AS first,
        ${median('round_ms', 'round')}, ${median('connect_ms', 'tcp')}, ${median('tls_ms', 'tls')}, ${median('mbps', 'wide')} ${recent} GROUP BY cdn ORDER BY samples DESC`,
      input,
    ),
  ])
  const pages = whole?.pages ?? 0
  const pair = ([half, most]: number[] = []): Spread =>
    pages > 0 && half !== undefined && most !== undefined ? { median: half, p95: most } : null
  return {
    // Rows from before posts were named cannot say how many came together: each counts for itself.
    beacons: (whole?.posts ?? 0) + (whole?.unnamed ?? 0),
    samples: whole?.samples ?? 0,
    firstAt: ends?.first || null,
    newestAt: ends?.newest || null,
    splitSince: ends?.split || null,
    load: {
      pages,
      requests: pair(whole?.load_requests),
      bytes: pair(whole?.load_bytes),
      longestTaskMs: pair(whole?.load_task),
    },
    cdns: cdns.map((row) => ({
      cdnId: row.cdn,
      samples: row['samples'] ?? 0,
      availability: (100 * (row['successes'] ?? 0)) / Math.max(1, row['samples'] ?? 0),
      firstByteMs: orNull(row['first'] ?? 0, row['first_n'] ?? 0),
      roundTripMs: orNull(row['round'] ?? 0, row['round_n'] ?? 0),
      connectMs: orNull(row['tcp'] ?? 0, row['tcp_n'] ?? 0),
      tlsMs: orNull(row['tls'] ?? 0, row['tls_n'] ?? 0),
      mbps: orNull(row['wide'] ?? 0, row['wide_n'] ?? 0),
    })),
  }
}
