import dns from 'node:dns'
import type { Log } from '@fairway/platform'
import type { FlatName } from '../store/json-files.ts'
import { LookUpTurns } from './look-up-turns.ts'

/** How often is looked for what is due. */
const LOOK_MS = 500
/** Changes are told together: each is heard by every process that answers. */
const TELL_MS = 1_000
/** The whole list is written to the disk no more often than this. */
const KEEP_MS = 5_000
/** How long what was found is kept here; a vendor's shorter lifetime is still what visitors are told. */
const KEPT_SECONDS = { least: 30, most: 3600 }
const LEAST_TTL_SECONDS = 5
const LONGEST_MS = KEPT_SECONDS.most * 1000
/**
 * Names that could not be asked are asked again after so long; meanwhile their last addresses stay, for three days at
 * most (RFC 8767 4).
 */
const RETRY_MS = 5_000
const STALE_MS = 3 * 86_400_000
/** Asked again before the time is over, so that nobody is told of addresses in their last second. */
const AHEAD_SHARE = 0.1

/** Names to resolve, each with an organisation that wants it; null for the installation's own. */
export type WantedNames = ReadonlyMap<string, string | null>
export type FlatChanges = { names: FlatName[]; gone: string[] }

export type FlattenOptions = {
  resolver: string
  wanted: () => WantedNames
  known: readonly FlatName[]
  /** What is new and what is known no more, once a second at most. */
  changed: (changes: FlatChanges) => void
  /** Writes down all that is known; never called again before it has ended. */
  keep: (names: FlatName[]) => Promise<void>
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
  readonly #turns = new LookUpTurns((name) => this.#ask(name))
  /** Names whose addresses differ from what was told last. */
  readonly #untold = new Set<string>()
  #tellTimer: NodeJS.Timeout | null = null
  #toldAt = -Infinity
  #isUnkept = false
  #isKeeping = false
  #keptAt = -Infinity

  constructor(options: FlattenOptions) {
    this.#options = options
    if (options.resolver) this.#client.setServers([options.resolver])
    this.#names = new Map(
      options.known.map((found) => [found.name, { found, dueAt: 0, failing: false, asking: false }]),
    )
  }

  /** Asks for what is due and forgets what nobody wants. */
  look(): void {
    const wanted = this.#options.wanted()
    const now = this.#options.clock()
    for (const [name, { found }] of this.#names)
      if (!wanted.has(name)) {
        this.#names.delete(name)
        if (found) this.#note(name)
      }
    for (const [name, owner] of wanted) {
      const cached = this.#names.get(name) ?? { found: null, dueAt: 0, failing: false, asking: false }
      this.#names.set(name, cached)
      // Due later than any lifetime is of a clock that was put back since.
      const isDue = cached.dueAt <= now || cached.dueAt - now > LONGEST_MS
      if (!cached.asking && isDue) {
        cached.asking = true
        this.#turns.add(name, owner, cached.failing ? 'failing' : 'sound')
      }
    }
    this.#keep()
  }

  stop(): void {
    this.#turns.stop()
    if (this.#tellTimer) clearTimeout(this.#tellTimer)
    this.#client.cancel()
  }

  async #ask(name: string): Promise<void> {
    const { clock, log } = this.#options
    const cached = this.#names.get(name)
    if (!cached) return
    try {
      const { ttlSeconds, a, aaaa } = await resolve(this.#client, name)
      const now = clock()
      const keptSeconds = Math.min(KEPT_SECONDS.most, Math.max(KEPT_SECONDS.least, ttlSeconds))
      cached.found = { name, expiresAt: now + keptSeconds * 1000, a, aaaa }
      if (ttlSeconds < keptSeconds) cached.found.ttlSeconds = Math.max(LEAST_TTL_SECONDS, ttlSeconds)
      cached.dueAt = now + keptSeconds * 1000 * (1 - AHEAD_SHARE)
      cached.failing = false
      this.#note(name)
    } catch (error) {
      if (!cached.failing) log.warn({ event: 'flatten.failed', name, err: error })
      cached.failing = true
      cached.dueAt = clock() + RETRY_MS
      if (cached.found && clock() - cached.found.expiresAt > STALE_MS) {
        cached.found = null
        this.#note(name)
      }
    } finally {
      cached.asking = false
    }
  }

  #note(name: string): void {
    this.#untold.add(name)
    this.#isUnkept = true
    // By a clock of its own: that of the options may be put back.
    this.#tellTimer ??= setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + TELL_MS - performance.now()))
  }

  #tell(): void {
    this.#tellTimer = null
    this.#toldAt = performance.now()
    const changes: FlatChanges = { names: [], gone: [] }
    for (const name of this.#untold) {
      const found = this.#names.get(name)?.found
      if (found) changes.names.push(found)
      else changes.gone.push(name)
    }
    this.#untold.clear()
    this.#options.changed(changes)
    this.#keep()
  }

  #keep(): void {
    if (!this.#isUnkept || this.#isKeeping || performance.now() < this.#keptAt + KEEP_MS) return
    this.#isUnkept = false
    this.#isKeeping = true
    this.#keptAt = performance.now()
    this.#options
      .keep([...this.#names.values()].flatMap(({ found }) => found ?? []))
      .catch((error: unknown) => {
        this.#isUnkept = true
        this.#options.log.warn({ event: 'flattened.not-kept', err: error })
      })
      .finally(() => (this.#isKeeping = false))
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
  const addresses = (records: dns.RecordWithTtl[]) => records.map((record) => record.address).sort()
  const ttlSeconds = Math.min(...[...a, ...aaaa].map((record) => record.ttl))
  return { ttlSeconds, a: addresses(a), aaaa: addresses(aaaa) }
}

async function orNone(asked: Promise<dns.RecordWithTtl[]>): Promise<dns.RecordWithTtl[]> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === dns.NODATA) return []
    throw error
  }
}
