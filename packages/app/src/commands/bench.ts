import { UsageError } from './options.ts'

const BENCHES: Record<string, () => Promise<(say: (line: string) => void) => Promise<void>>> = {
  api: async () => (await import('../bench/api/bench-api.ts')).benchApi,
  dns: async () => (await import('../bench/dns/bench-dns.ts')).benchDns,
  edge: async () => (await import('../bench/edge/bench-edge.ts')).benchEdge,
  failover: async () => (await import('../bench/bench-failover.ts')).benchFailover,
  ingest: async () => (await import('../bench/bench-ingest.ts')).benchIngest,
  propagation: async () => (await import('../bench/bench-propagation.ts')).benchPropagation,
  purge: async () => (await import('../bench/edge/bench-purge.ts')).benchPurge,
  start: async () => (await import('../bench/bench-start.ts')).benchStart,
}

/** `bench [name]`: measures and prints; figures are never a test. */
export async function bench([name, ...more]: string[]): Promise<number> {
  if (more.length || (name !== undefined && !BENCHES[name])) throw new UsageError(`bench takes one name at most: ${Object.keys(BENCHES).join(', ')}.`)
  for (const load of name === undefined ? Object.values(BENCHES) : [BENCHES[name]]) await (await load?.())?.((line) => void process.stdout.write(`${line}\n`))
  return 0
}
