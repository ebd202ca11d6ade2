import type { Log } from '@fairway/platform'
import { StoreAway } from '../store/store-error.ts'
import type { EventStore } from '../store/store.ts'
import { GRAIN_SECONDS, addUpCountries, runStep } from './steps.ts'

export type Rollups = AsyncDisposable & {
  /** Rows of that time were written late: the rollups over it are built again, where all that they say is still there. */
  wroteAt(ms: number): void
}

const MINUTE_EVERY_MS = 10_000
const COARSE_EVERY_MS = 60_000
/** Rows arrive up to this late without being told. */
const LATENESS_SECONDS = 60
/** What is no older is built with what has come since; older hours are built one by one, and nothing waits for them. */
const SOON_SECONDS = 600
/** So many of them a minute: a node whose clock is wrong, or that was away for days, takes no more. */
const LATE_HOURS_AT_ONCE = 6
/** Of such an hour's raw rows: nobody knows how many there are, and the store has to get through them at once. */
const LATE_SLICE_SECONDS = 600
/** An hour that the store did not get through so often is left as it is. */
const LATE_TRIES = 3
/** Raw rows and minutes have to be there whole, or what is built of them says less than what there is. */
const KEPT_STILL_SECONDS = 2 * 3_600
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
  /** Each with how often it could not be built. */
  const lateHours = new Map<number, number>()
  let coarseAt = 0
  let owesCoarse = false
  /** What was there in all when the last minutes were found to be empty. */
  let emptyAt: number | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const round = async () => {
    if (!isElected() && dirty.late === Infinity && lateHours.size === 0 && !owesCoarse) return
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
    await buildLate()
  }
  const isWholeStill = (hour: number) => {
    const { raw, minute, threats } = store.layout.days
    return hour > seconds() - Math.min(raw, minute, threats) * GRAIN_SECONDS.day + KEPT_STILL_SECONDS
  }
  /** The newest hours first, but those that failed after all others; one that fails ends it for this minute. */
  const buildLate = async () => {
    const inOrder = [...lateHours].toSorted(([a, failedA], [b, failedB]) => failedA - failedB || b - a)
    for (const [hour, failed] of inOrder.slice(0, LATE_HOURS_AT_ONCE)) {
      // What is stored from here on asks for one more.
      lateHours.delete(hour)
      if (!isWholeStill(hour)) continue
      const until = hour + GRAIN_SECONDS.hour
      try {
        for (let at = hour; at < until; at += LATE_SLICE_SECONDS)
          await runStep(store, 'minute', at, at + LATE_SLICE_SECONDS, now())
        for (const grain of ['hour', 'day'] as const) await runStep(store, grain, hour, until, now())
      } catch (error) {
        const tries = failed + ((await store.isAnswering()) ? 1 : 0)
        if (tries < LATE_TRIES) lateHours.set(hour, tries)
        else log.warn({ event: 'rollups.late-hour-left', hour: new Date(hour * 1000).toISOString(), err: error })
        throw error
      }
    }
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
      const at = Math.floor(ms / 1000)
      const hour = at - (at % GRAIN_SECONDS.hour)
      if (at >= seconds() - SOON_SECONDS) dirty.late = Math.min(dirty.late, at)
      else if (isWholeStill(hour)) lateHours.set(hour, lateHours.get(hour) ?? 0)
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
 * Where to begin: an hour before the newest hour there is, without those of a clock that was ahead, but not before there
 * was anything to roll up. Requests of the edge were logged before there were rollups of them.
 */
async function lastBuilt(store: EventStore, nowSeconds: number): Promise<number> {
  const rows = await store.query<{ built: number; oldest: number; waiting: number }>(
    `SELECT (SELECT toUInt32(max(at)) FROM measures_hour WHERE at <= fromUnixTimestamp({now:Int64})) AS built,
       (SELECT min(first) FROM (SELECT toUInt32(toDateTime(min(at))) AS first FROM beacons UNION ALL SELECT toUInt32(toDateTime(min(at))) FROM probes UNION ALL SELECT toUInt32(toDateTime(min(at))) FROM dns_answers) WHERE first > 0) AS oldest,
       (SELECT toUInt32(toDateTime(min(at))) FROM edge_requests WHERE (SELECT count() FROM edge_traffic_hour) = 0) AS waiting`,
    { now: nowSeconds },
  )
  const { built = 0, oldest = 0, waiting = 0 } = rows[0] ?? {}
  const from = Math.max(built - GRAIN_SECONDS.hour, oldest === 0 ? nowSeconds : oldest)
  return Math.max(waiting > 0 ? Math.min(from, waiting) : from, nowSeconds - CATCH_UP_MOST_SECONDS)
}
