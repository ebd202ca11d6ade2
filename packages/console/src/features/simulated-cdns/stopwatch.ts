/** What the DNS node answered a set of visitors at one moment: the CDNs by visitor. */
export type Observation = { at: number; cdnsOf: ReadonlyMap<string, readonly string[]> }

/** From a change to what visitors were answered; all in ms since the change. Null is "not yet". */
export type Race = {
  /** Visitors who had the CDN before a fault, or have it after a recovery. */
  visitors: number
  firstMs: number | null
  allMs: number | null
  /** How many of them have moved so far. */
  moved: number
}

/**
 * The race after a fault: how long until the first, and until all, of the visitors that had the CDN were answered
 * without it.
 * Null when nothing was observed before the fault, so that nobody knows whom to watch.
 */
export function raceAway(observations: readonly Observation[], cdnId: string, changedAt: number): Race | null {
  const before = observations.findLast(({ at }) => at <= changedAt)
  if (!before) return null
  const had = [...before.cdnsOf].filter(([, cdns]) => cdns.includes(cdnId)).map(([visitor]) => visitor)
  if (had.length === 0) return null
  return race(observations, changedAt, had, (cdns) => !cdns.includes(cdnId))
}

/**
 * The race back after a recovery: visitors that were answered with the CDN again. Whom it wins back is known only
 * afterwards.
 */
export function raceBack(observations: readonly Observation[], cdnId: string, changedAt: number): Race | null {
  const before = observations.findLast(({ at }) => at <= changedAt)
  const last = observations.at(-1)
  if (!before || !last || last.at <= changedAt) return null
  const gained = [...last.cdnsOf]
    .filter(([visitor, cdns]) => cdns.includes(cdnId) && !(before.cdnsOf.get(visitor) ?? []).includes(cdnId))
    .map(([visitor]) => visitor)
  if (gained.length === 0) return null
  return race(observations, changedAt, gained, (cdns) => cdns.includes(cdnId))
}

function race(
  observations: readonly Observation[],
  changedAt: number,
  visitors: readonly string[],
  isDone: (cdns: readonly string[]) => boolean,
): Race {
  let firstMs: number | null = null
  let allMs: number | null = null
  let moved = 0
  for (const { at, cdnsOf } of observations) {
    if (at <= changedAt) continue
    moved = visitors.filter((visitor) => isDone(cdnsOf.get(visitor) ?? [])).length
    if (moved > 0) firstMs ??= at - changedAt
    if (moved === visitors.length) allMs ??= at - changedAt
  }
  return { visitors: visitors.length, firstMs, allMs, moved }
}

/**
 * From a fault to the first counted interval without answers of the CDN, though others answered; null while there is
 * none. Resolution is the interval.
 */
export function countedGoneMs(
  points: readonly { at: number; value: number | null; all: number }[],
  intervalMs: number,
  changedAt: number,
): number | null {
  const gone = points.find(
    ({ at, value, all }) => at + intervalMs > changedAt + intervalMs && all > 0 && (value ?? 0) === 0,
  )
  return gone ? gone.at - changedAt : null
}
