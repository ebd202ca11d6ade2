import { UsageError } from './options.ts'

type Say = (line: string) => void
type Run = (say: Say, amount?: number) => Promise<void>

const BENCHES: Record<string, () => Promise<Run>> = {
  api: async () => (await import('../bench/api/bench-api.ts')).benchApi,
  charts: async () => (await import('../bench/charts/bench-charts.ts')).benchCharts,
  dns: async () => (await import('../bench/dns/bench-dns.ts')).benchDns,
  'dns-differential': async () => (await import('../bench/dns/differential/bench-differential.ts')).benchDifferential,
  edge: async () => (await import('../bench/edge/bench-edge.ts')).benchEdge,
  failover: async () => (await import('../bench/bench-failover.ts')).benchFailover,
  flood: async () => (await import('../bench/edge/bench-flood.ts')).benchFlood,
  ingest: async () => (await import('../bench/bench-ingest.ts')).benchIngest,
  nodes: async () => (await import('../bench/nodes/bench-nodes.ts')).benchNodes,
  outages: async () => (await import('../bench/trust/bench-trust.ts')).benchOutages,
  page: async () => (await import('../bench/bench-page.ts')).benchPage,
  poisoning: async () => (await import('../bench/trust/bench-trust.ts')).benchPoisoning,
  propagation: async () => (await import('../bench/bench-propagation.ts')).benchPropagation,
  purge: async () => (await import('../bench/edge/bench-purge.ts')).benchPurge,
  records: async () => (await import('../bench/bench-records.ts')).benchRecords,
  start: async () => (await import('../bench/bench-start.ts')).benchStart,
  waf: async () => (await import('../bench/waf/bench-waf.ts')).benchWaf,
}

/** Long runs, only by their name. */
const LONG: Record<string, () => Promise<Run>> = {
  capacity: async () => (await import('../bench/capacity/bench-capacity.ts')).benchCapacity,
  disasters: async () => (await import('../bench/disasters/bench-disasters.ts')).benchDisasters,
  'dns-fuzz': async () => (await import('../bench/dns/testing/fuzz.ts')).dnsFuzz,
  'dns-soak': async () => (await import('../bench/dns/soak.ts')).dnsSoak,
  kill: async () => (await import('../bench/kill/bench-kill.ts')).benchKill,
  'kill-pairs': async () => (await import('../bench/kill/kill-pairs.ts')).benchKillPairs,
  many: async () => (await import('../bench/many/bench-many.ts')).benchMany,
  patroni: async () => (await import('../bench/patroni/bench-patroni.ts')).benchPatroni,
  soak: async () => (await import('../bench/soak/bench-soak.ts')).benchSoak,
  stream: async () => (await import('../bench/stream/bench-stream.ts')).benchStream,
  'stream-encode': async () => (await import('../bench/stream/encode.ts')).benchEncode,
  'stream-failover': async () => (await import('../bench/stream/failover.ts')).benchStreamFailover,
  'stream-live': async () => (await import('../bench/stream/live.ts')).benchLive,
  'stream-viewers': async () => (await import('../bench/stream/viewers.ts')).benchViewers,
}

/** Of what a number may be said behind the name. */
const AMOUNTS: Record<string, string> = {
  capacity: 'the part of the demand, as 1000',
  charts: 'beacons',
  disasters: 'seconds of each',
  'dns-fuzz': 'packets',
  'dns-soak': 'seconds',
  kill: 'ends of a process',
  'kill-pairs': 'ends of a process',
  many: 'organisations of 100 zones each',
  nodes: 'nodes',
  patroni: 'ends of the leader',
  propagation: 'records of each of 1,000 sites; of one zone when more than 10,000',
  soak: 'minutes',
  stream: 'seconds of live video',
  'stream-encode': 'ends of the role',
  'stream-failover': 'ends of a CDN',
  'stream-live': 'seconds',
  'stream-viewers': 'viewers',
}

/**
 * `bench [name]`: measures and prints; figures are never a test. What a number behind a name counts stands in `AMOUNTS`.
 */
export async function bench([name, amount, ...more]: string[]): Promise<number> {
  const isKnown = name === undefined || name in BENCHES || name in LONG
  const isAmount = amount === undefined || (name !== undefined && name in AMOUNTS && Number(amount) >= 1)
  if (!isKnown || !isAmount || more.length)
    throw new UsageError(
      `bench takes one name at most: ${Object.keys({ ...BENCHES, ...LONG }).join(', ')}. Some take a number: ${Object.entries(
        AMOUNTS,
      )
        .map(([one, of]) => `${one} (${of})`)
        .join(', ')}.`,
    )
  const say: Say = (line) => void process.stdout.write(`${line}\n`)
  for (const load of name === undefined ? Object.values(BENCHES) : [BENCHES[name] ?? LONG[name]])
    await (
      await load?.()
    )?.(say, amount === undefined ? undefined : Number(amount))
  return 0
}
