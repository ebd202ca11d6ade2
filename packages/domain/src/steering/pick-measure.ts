import type { Measure, MeasureSource, ScoresSnapshot, SkippedLevel } from '@fairway/contract'

/**
 * The figures of one candidate at its finest level with enough fresh samples, or none; `skipped` says why finer ones
 * were not used, finest first.
 */
export type PickedMeasure = {
  found: { measure: Measure; source: MeasureSource; level: string; ageMs: number } | null
  skipped: SkippedLevel[]
}

export type PickOptions = {
  minimumSamples: number
  /** Figures whose newest sample is older are too old. */
  lifetimeSeconds: number
  omitRum: boolean
  omitSum: boolean
  now: number
}

const FEWEST_SUBNETS = 5
const FALL_POINTS = 20

/**
 * The availability that counts: over the window or, when it has fallen fast, over the short one. It has when the short
 * one has enough samples from at least five /24s (or /48s), is below the threshold and more than 20 points under the
 * window's.
 */
export function countingAvailability(
  { availability, short }: Measure,
  threshold: number,
  minimumSamples: number,
): { availability: number; fellFast: boolean } {
  const fellFast =
    short !== undefined &&
    short.samples >= minimumSamples &&
    short.subnets >= FEWEST_SUBNETS &&
    short.availability < threshold &&
    availability - short.availability > FALL_POINTS
  return fellFast ? { availability: short.availability, fellFast } : { availability, fellFast }
}

const SOURCES = ['rum', 'sum'] as const

/**
 * Reads `levels` (score keys, finest first) for one CDN: at each level real-user data go first and synthetic data fill
 * in where those are missing, too old or too few.
 */
export function pickMeasure(
  scores: ScoresSnapshot,
  cdnId: string,
  levels: readonly string[],
  options: PickOptions,
): PickedMeasure {
  const places = cdnScores(scores, cdnId)?.places
  const skipped: SkippedLevel[] = []
  for (const level of levels) {
    const here = places?.[level]
    for (const source of SOURCES) {
      const measure = here?.[source]
      const reason = unfit(measure, source === 'rum' ? options.omitRum : options.omitSum, options)
      if (measure !== undefined && reason === null)
        return { found: { measure, source, level, ageMs: ageMs(measure, options.now) }, skipped }
      if (reason !== null) skipped.push({ level, source, reason, samples: measure?.samples ?? 0 })
    }
  }
  return { found: null, skipped }
}

/**
 * Throughput of one CDN at its own finest level with enough measurements of it, which may be coarser than that of its
 * latency: few beacons measure it. Null where it is not measured, which is never the same as slow.
 */
export function pickThroughput(
  scores: ScoresSnapshot,
  cdnId: string,
  levels: readonly string[],
  options: PickOptions,
): { mbps: number; source: MeasureSource; level: string; samples: number } | null {
  const places = cdnScores(scores, cdnId)?.places
  for (const level of levels)
    for (const source of SOURCES) {
      const measure = places?.[level]?.[source]
      if (measure?.throughputMbps === undefined) continue
      const samples = Math.min(measure.samples, measure.throughputSamples ?? measure.samples)
      const reason = unfit({ ...measure, samples }, source === 'rum' ? options.omitRum : options.omitSum, options)
      if (reason === null) return { mbps: measure.throughputMbps, source, level, samples }
    }
  return null
}

/**
 * What browsers report of a CDN, at the finest level of the visitor's own network with enough of it; null where visitors
 * measured as finely or more finely (`rumAt`, the level that was picked): reports are never believed before beacons.
 */
export function pickReports(
  scores: ScoresSnapshot,
  cdnId: string,
  levels: readonly string[],
  rumAt: string | null,
  options: PickOptions & { omitReports: boolean },
): NonNullable<PickedMeasure['found']> | null {
  const places = cdnScores(scores, cdnId)?.places
  const finer = rumAt === null ? levels : levels.slice(0, levels.indexOf(rumAt))
  for (const level of finer) {
    // Whoever reports mostly reports failures: above a network they would speak for those who have none to report.
    const measure = level.includes('|') ? places?.[level]?.nel : undefined
    if (measure !== undefined && unfit(measure, options.omitReports, options) === null)
      return { measure, source: 'nel', level, ageMs: ageMs(measure, options.now) }
  }
  return null
}

/**
 * The finest level of the visitor's own network at which the edge's connections tell of every one of these CDNs; null
 * where visitors have measured one of them. A round trip is not the first byte that others are compared by: it decides
 * only among CDNs that all have one.
 */
export function connectionsLevel(
  scores: ScoresSnapshot,
  cdns: readonly { cdnId: string; omitRum: boolean; omitEdge: boolean }[],
  levels: readonly string[],
  options: Omit<PickOptions, 'omitRum' | 'omitSum'>,
): string | null {
  const measureOf = (cdnId: string, level: string, source: 'rum' | 'edge') =>
    cdnScores(scores, cdnId)?.places[level]?.[source]
  const isMeasured = cdns.some(({ cdnId, omitRum }) =>
    levels.some((level) => unfit(measureOf(cdnId, level, 'rum'), omitRum, options) === null),
  )
  if (isMeasured || cdns.length === 0) return null
  return (
    levels.find(
      (level) =>
        level.includes('|') &&
        cdns.every(({ cdnId, omitEdge }) => {
          const measure = measureOf(cdnId, level, 'edge')
          return unfit(measure, omitEdge, options) === null && measure?.latencyMs !== null
        }),
    ) ?? null
  )
}

/**
 * The levels at which at least one of the CDNs was measured; where none was there is nothing to compare and nothing to
 * skip.
 */
export const measuredLevels = (
  scores: ScoresSnapshot,
  cdnIds: readonly string[],
  levels: readonly string[],
): string[] => levels.filter((level) => cdnIds.some((cdnId) => cdnScores(scores, cdnId)?.places[level] !== undefined))

export const cdnScores = (scores: ScoresSnapshot, cdnId: string) =>
  Object.hasOwn(scores.cdns, cdnId) ? scores.cdns[cdnId] : undefined

function unfit(
  measure: Measure | undefined,
  omitted: boolean,
  { minimumSamples, lifetimeSeconds, now }: Pick<PickOptions, 'minimumSamples' | 'lifetimeSeconds' | 'now'>,
): SkippedLevel['reason'] | null {
  if (measure === undefined || measure.samples === 0) return 'no-data'
  if (omitted) return 'omitted'
  if (now - measure.newestAt > lifetimeSeconds * 1000 || measure.newestAt - now > AHEAD_MS) return 'too-old'
  return measure.samples < minimumSamples ? 'too-few' : null
}

/** A clock that was further ahead said nothing about now. */
const AHEAD_MS = 30_000

// A node's clock may run ahead of ours; an age is never negative.
export const ageMs = (measure: Pick<Measure, 'newestAt'>, now: number): number => Math.max(0, now - measure.newestAt)
