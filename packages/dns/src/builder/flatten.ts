import dns from 'node:dns'
import type { Log } from '@fairway/platform'
import type { FlatName } from '../store/json-files.ts'

/** How often is looked for what is due. */
const LOOK_MS = 500
const TTL_SECONDS = { least: 5, most: 3600 }
const LONGEST_MS = TTL_SECONDS.most * 1000
/**
 * Names that could not be asked are asked again after so long; meanwhile their last addresses stay, for three days at
 * most (RFC 8767 4).
 */
const RETRY_MS = 5_000
const STALE_MS = 3 * 86_400_000
/** Asked again before the time is over, so that nobody is told of addresses in their last second. */
const AHEAD_SHARE = 0.1

export type FlattenOptions = {
  resolver: string
  wanted: () => Iterable<string>
  known: readonly FlatName[]
  changed: (names: FlatName[]) => void
  clock: () => number
  log: Log
}

type Cached = { found: FlatName | null; dueAt: number; failing: boolean; asking: boolean }

/**
 * The node's own cache of addresses of names outside our zones, for names that answer them as their own: each is asked
 * for again when its lifetime is over, and what
 * cannot be asked keeps its last addresses. `resolver` is `host:port`, empty for the system's.
 */
export function keepFlattened(options: FlattenOptions): Disposable & { refresh(): void } {
  const cache = new FlatCache(options)
  const timer = setInterval(() => cache.look(), LOOK_MS)
  return {
    refresh: () => cache.look(),
    [Symbol.dispose]() {
      clearInterval(timer)
      cache.stop()
    },
  }
}

class FlatCache {
  readonly #options: FlattenOptions
  readonly #client = new dns.promises.Resolver({ timeout: 2000, tries: 2 })
  readonly #names: Map<string, Cached>

  constructor(options: FlattenOptions) {
    this.#options = options
    if (options.resolver) this.#client.setServers([options.resolver])
    this.#names = new Map(
      options.known.map((found) => [found.name, { found, dueAt: 0, failing: false, asking: false }]),
    )
  }

  /** Asks for what is due and forgets what nobody wants. */
  look(): void {
    const wanted = new Set(this.#options.wanted())
    const now = this.#options.clock()
    let forgotten = false
    for (const name of this.#names.keys()) if (!wanted.has(name)) forgotten = this.#names.delete(name) || forgotten
    if (forgotten) this.#tell()
    for (const name of wanted) {
      const cached = this.#names.get(name) ?? { found: null, dueAt: 0, failing: false, asking: false }
      this.#names.set(name, cached)
      // Due later than any lifetime is of a clock that was put back since.
      const isDue = cached.dueAt <= now || cached.dueAt - now > LONGEST_MS
      if (!cached.asking && isDue) void this.#ask(name, cached)
    }
  }

  stop(): void {
    this.#client.cancel()
  }

  async #ask(name: string, cached: Cached): Promise<void> {
    const { clock, log } = this.#options
    cached.asking = true
    try {
      const { ttlSeconds, a, aaaa } = await resolve(this.#client, name)
      const now = clock()
      const expiresAt = now + ttlSeconds * 1000
      cached.found = { name, expiresAt, a, aaaa }
      cached.dueAt = expiresAt - ttlSeconds * 1000 * AHEAD_SHARE
      cached.failing = false
      this.#tell()
    } catch (error) {
      if (!cached.failing) log.warn({ event: 'flatten.failed', name, err: error })
      cached.failing = true
      cached.dueAt = clock() + RETRY_MS
      if (cached.found && clock() - cached.found.expiresAt > STALE_MS) {
        cached.found = null
        this.#tell()
      }
    } finally {
      cached.asking = false
    }
  }

  #tell(): void {
    this.#options.changed([...this.#names.values()].flatMap(({ found }) => found ?? []))
  }
}

/**
 * Both families of one name. @throws Error when either could not be asked, for half an answer would hide the other
 * half, and when it has neither
 */
async function resolve(
  client: dns.promises.Resolver,
  name: string,
): Promise<{ ttlSeconds: number; a: string[]; aaaa: string[] }> {
  const [a, aaaa] = await Promise.all([
    orNone(client.resolve4(name, { ttl: true })),
    orNone(client.resolve6(name, { ttl: true })),
  ])
  if (a.length + aaaa.length === 0) throw new Error('the name has no addresses')
  const ttlSeconds = Math.min(TTL_SECONDS.most, ...[...a, ...aaaa].map((record) => record.ttl))
  const addresses = (records: dns.RecordWithTtl[]) => records.map((record) => record.address).sort()
  return { ttlSeconds: Math.max(TTL_SECONDS.least, ttlSeconds), a: addresses(a), aaaa: addresses(aaaa) }
}

async function orNone(asked: Promise<dns.RecordWithTtl[]>): Promise<dns.RecordWithTtl[]> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === dns.NODATA) return []
    throw error
  }
}
