import { UsageError } from './options.ts'

type Say = (line: string) => void

const BENCHES: Record<string, () => Promise<(say: Say) => Promise<void>>> = {
  api: async () => (await import('../bench/api/bench-api.ts')).benchApi,
  dns: async () => (await import('../bench/dns/bench-dns.ts')).benchDns,
  'dns-differential': async () => (await import('../bench/dns/differential/bench-differential.ts')).benchDifferential,
  edge: async () => (await import('../bench/edge/bench-edge.ts')).benchEdge,
  failover: async () => (await import('../bench/bench-failover.ts')).benchFailover,
  ingest: async () => (await import('../bench/bench-ingest.ts')).benchIngest,
  page: async () => (await import('../bench/bench-page.ts')).benchPage,
  propagation: async () => (await import('../bench/bench-propagation.ts')).benchPropagation,
  purge: async () => (await import('../bench/edge/bench-purge.ts')).benchPurge,
  records: async () => (await import('../bench/bench-records.ts')).benchRecords,
  start: async () => (await import('../bench/bench-start.ts')).benchStart,
}

/** Long runs, only by their name; how long may be said behind it. */
const LONG: Record<string, () => Promise<(say: Say, amount?: number) => Promise<void>>> = {
  'dns-fuzz': async () => (await import('../bench/dns/testing/fuzz.ts')).dnsFuzz,
  'dns-soak': async () => (await import('../bench/dns/soak.ts')).dnsSoak,
}

/** `bench [name]`: measures and prints; figures are never a test. `bench dns-fuzz [packets]`, `bench dns-soak [seconds]`. */
export async function bench([name, ...more]: string[]): Promise<number> {
  const long = name === undefined ? undefined : LONG[name]
  const amount = more[0] === undefined ? undefined : Number(more[0])
  if (long && more.length <= 1 && (amount === undefined || amount >= 1)) {
    await (await long())((line) => void process.stdout.write(`${line}\n`), amount)
    return 0
  }
  if (more.length || (name !== undefined && !BENCHES[name])) throw new UsageError(`bench takes one name at most: ${Object.keys(BENCHES).join(', ')}. Long runs take a number of packets or seconds: ${Object.keys(LONG).join(', ')}.`)
  for (const load of name === undefined ? Object.values(BENCHES) : [BENCHES[name]]) await (await load?.())?.((line) => void process.stdout.write(`${line}\n`))
  return 0
}
