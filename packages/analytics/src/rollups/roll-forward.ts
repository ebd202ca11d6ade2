import type { Log } from '@fairway/platform'
import { StoreAway } from '../store/store-error.ts'
import type { EventStore } from '../store/store.ts'
import { GRAIN_SECONDS, addUpCountries, runStep } from './steps.ts'

export type Rollups = AsyncDisposable & {
  /** Rows of that time were written late: the rollups over it are built again. */
  wroteAt(ms: number): void
}

const MINUTE_EVERY_MS = 10_000
const COARSE_EVERY_MS = 60_000
/** Rows arrive up to this late without being told. */
const LATENESS_SECONDS = 60
/** How far back a start looks for what a stopped collector left undone; older raw rows are gone anyway. */
const CATCH_UP_MOST_SECONDS = 30 * 86_400

/**
 * Keeps minute, hour and day rollups current: minutes every 10 s, hours and days every minute. While the store is away
 * the range to build only grows.
 */
export function startRollups({
  store,
  log,
  isElected = () => true,
  stored = () => null,
  now = Date.now,
}: {
  store: EventStore
  log: Log
  /** Rows brought to the store so far, where nobody else brings any; null while more are on their way. */
  stored?: () => number | null
  /** Of several that could, one keeps them; the others build what they themselves wrote late. */
  isElected?: () => boolean
  now?: () => number
}): Rollups {
  const seconds = () => Math.floor(now() / 1000)
  const dirty = { minute: null as number | null, late: Infinity, coarse: seconds() }
  let coarseAt = 0
  let owesCoarse = false
  /** What was there in all when the last minutes were found to be empty. */
  let emptyAt: number | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const round = async () => {
    if (!isElected() && dirty.late === Infinity && !owesCoarse) return
    owesCoarse = true
    if (dirty.minute === null) await addUpOlder(store, now())
    dirty.minute ??= await lastBuilt(store, seconds())
    const until = seconds() + 1
    const from = Math.min(dirty.minute, dirty.late, until - LATENESS_SECONDS)
    dirty.coarse = Math.min(dirty.coarse, from)
    dirty.minute = until
    dirty.late = Infinity
    const isCoarseDue = now() - coarseAt >= COARSE_EVERY_MS
    const found = stored()
    // Nothing is new: what somebody has put there by hand is found with the next hour.
    if (!isCoarseDue && found !== null && found === emptyAt) return
    try {
      let isEmpty = true
      // A day at a time, so that no statement grows with the length of an absence.
      for (let at = from; at < until; at += GRAIN_SECONDS.day)
        isEmpty =
          (await runStep(store, 'minute', at, Math.min(at + GRAIN_SECONDS.day, until), now())).isEmpty && isEmpty
      emptyAt = isEmpty ? found : null
    } catch (error) {
      dirty.minute = from
      throw error
    }
    if (!isCoarseDue) return
    await runStep(store, 'hour', dirty.coarse, until, now())
    await runStep(store, 'day', dirty.coarse, until, now())
    dirty.coarse = until
    coarseAt = now()
    owesCoarse = false
  }
  const loop = () => {
    running = round()
      .catch((error: unknown) => {
        if (!stopped) log[error instanceof StoreAway ? 'info' : 'error']({ event: 'rollups.waiting', err: error })
      })
      .then(() => {
        if (!stopped) timer = setTimeout(loop, MINUTE_EVERY_MS)
      })
  }
  loop()
  return {
    wroteAt(ms) {
      dirty.late = Math.min(dirty.late, Math.floor(ms / 1000))
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** What was rolled up before countries were added up, or comes from such a backup. */
async function addUpOlder(store: EventStore, built: number): Promise<void> {
  const [row] = await store.query<{ world: number; places: number }>(
    'SELECT (SELECT count() FROM measures_world_hour) AS world, (SELECT count() FROM measures_hour) AS places',
  )
  if (!row || row.world > 0 || row.places === 0) return
  for (const grain of ['day', 'hour'] as const)
    await addUpCountries(store, grain, { from: 0, until: 4_294_967_295, built })
}

/**
 * Where to begin: an hour before the newest hour there is, but not before there was anything to roll up. Requests of
 * the edge were logged before there were rollups of them.
 */
async function lastBuilt(store: EventStore, nowSeconds: number): Promise<number> {
  const rows = await store.query<{ built: number; oldest: number; waiting: number }>(
    `SELECT (SELECT toUInt32(max(at)) FROM measures_hour) AS built,
       (SELECT min(first) FROM (SELECT toUInt32(toDateTime(min(at))) AS first FROM beacons UNION ALL SELECT toUInt32(toDateTime(min(at))) FROM probes UNION ALL SELECT toUInt32(toDateTime(min(at))) FROM dns_answers) WHERE first > 0) AS oldest,
       (SELECT toUInt32(toDateTime(min(at))) FROM edge_requests WHERE (SELECT count() FROM edge_traffic_hour) = 0) AS waiting`,
  )
  const { built = 0, oldest = 0, waiting = 0 } = rows[0] ?? {}
  const from = Math.max(built - GRAIN_SECONDS.hour, oldest === 0 ? nowSeconds : oldest)
  return Math.max(waiting > 0 ? Math.min(from, waiting) : from, nowSeconds - CATCH_UP_MOST_SECONDS)
}
