import type { EntryVerdict, FeedEntry, FeedSaid, Measure, ScoresSnapshot, UsedMeasure } from '@fairway/contract'
import { contradicts } from './disagreement.ts'
import { ageMs, cdnScores } from './pick-measure.ts'

/** Beside visitors' own measurements all outside feeds together have at most so much of a figure, as a network has. */
export const OUTSIDE_SHARE = 1 / 4

/** What outside feeds say together of one CDN at one level. */
export type PickedOutside = {
  value: number
  level: string
  samples: number
  /** Of a figure that visitors measured, the share that it may have. */
  share: number
  ageMs: number
  names: string[]
}

type Figure = 'availability' | 'latencyMs'
type OutsideOptions = { minimumSamples: number; lifetimeSeconds: number; omitOutside: boolean; now: number }

/** The finest level at which outside feeds tell enough, down to `rumAt`, where visitors were heard. */
export function pickOutside(
  scores: ScoresSnapshot,
  cdnId: string,
  levels: readonly string[],
  figure: Figure,
  rumAt: string | null,
  options: OutsideOptions,
): PickedOutside | null {
  if (options.omitOutside) return null
  const places = cdnScores(scores, cdnId)?.places
  for (const level of rumAt === null ? levels : levels.slice(0, levels.indexOf(rumAt) + 1)) {
    const told = together(places?.[level]?.feed, figure, level, options)
    if (told !== null) return told
  }
  return null
}

/**
 * The finest level at which outside feeds time every one of these CDNs. How they measure is not how others do, so a
 * latency of theirs decides only where all that may answer have one.
 */
export function timedOutside(
  scores: ScoresSnapshot,
  cdns: readonly { cdnId: string; omitOutside: boolean }[],
  levels: readonly string[],
  options: OutsideOptions,
): string | null {
  if (cdns.length === 0) return null
  const isTold = (level: string) =>
    cdns.every(
      ({ cdnId, omitOutside }) =>
        pickOutside(scores, cdnId, [level], 'latencyMs', null, { ...options, omitOutside }) !== null,
    )
  return levels.find(isTold) ?? null
}

/** A figure that visitors measured, moved by outside feeds as far as they may. */
export function blend(measured: UsedMeasure, told: PickedOutside): UsedMeasure {
  const share = Math.min(told.share, OUTSIDE_SHARE)
  const samples = Math.min(told.samples, (measured.samples * share) / (1 - share))
  if (samples <= 0) return measured
  return {
    ...measured,
    value: (measured.value * measured.samples + told.value * samples) / (measured.samples + samples),
    feed: { names: told.names, level: told.level, samples, value: told.value },
  }
}

function together(
  said: readonly FeedSaid[] | undefined,
  figure: Figure,
  level: string,
  { minimumSamples, lifetimeSeconds, now }: OutsideOptions,
): PickedOutside | null {
  const heard = (said ?? []).filter(
    (one) =>
      one.off !== true && one.samples > 0 && one[figure] !== null && now - one.newestAt <= lifetimeSeconds * 1000,
  )
  const samples = heard.reduce((sum, one) => sum + one.samples, 0)
  if (heard.length === 0 || samples < minimumSamples) return null
  const newestAt = Math.max(...heard.map((one) => one.newestAt))
  return {
    value: heard.reduce((sum, one) => sum + (one[figure] ?? 0) * one.samples, 0) / samples,
    level,
    samples,
    share: Math.max(...heard.map((one) => one.share)),
    ageMs: ageMs({ newestAt }, now),
    names: heard.map((one) => one.name),
  }
}

/** The scores as they would be with one outside feed switched off, or on. */
export function withOutside(scores: ScoresSnapshot, feed: string, wanted: 'on' | 'off'): ScoresSnapshot {
  const turned = (one: FeedSaid): FeedSaid => {
    if (one.feed !== feed) return one
    const { off: _, ...rest } = one
    return wanted === 'off' ? { ...rest, off: true } : rest
  }
  const cdns = Object.fromEntries(
    Object.entries(scores.cdns).map(([cdnId, cdn]) => [
      cdnId,
      {
        ...cdn,
        places: Object.fromEntries(
          Object.entries(cdn.places).map(([key, place]) => [
            key,
            place.feed ? { ...place, feed: place.feed.map(turned) } : place,
          ]),
        ),
      },
    ]),
  )
  return { ...scores, cdns }
}

/** One entry as it is kept; times are epoch ms. */
export type OutsideEntry = {
  cdnId: string
  place: string
  availability: number | null
  latencyMs: number | null
  samples: number
  measuredAt: number
}
/** What a feed said last of a CDN at a place; `held` is what it has jumped to, until it says so again. */
export type KeptEntry = OutsideEntry & { held: OutsideEntry | null }

export const keptName = ({ cdnId, place }: Pick<OutsideEntry, 'cdnId' | 'place'>): string => `${cdnId} ${place}`

export function outsideEntry({ cdn, place, availability, latencyMs, samples, measuredAt }: FeedEntry): OutsideEntry {
  return {
    cdnId: cdn,
    place,
    availability: availability ?? null,
    latencyMs: latencyMs ?? null,
    samples,
    measuredAt: Date.parse(measuredAt),
  }
}

/** One CDN and place named twice, or the latency of a CDN of which nothing arrives: such a post is not to be trusted. */
export function contradictsItself(entries: readonly OutsideEntry[]): boolean {
  return (
    new Set(entries.map(keptName)).size < entries.length ||
    entries.some(({ availability, latencyMs }) => availability === 0 && latencyMs !== null)
  )
}

const JUMP_POINTS = 30
const JUMP_TIMES = 4
/** A jump counts once it is said again, measured so much later. */
const SAID_AGAIN_MS = 10_000
/** Clocks are never quite the same. */
const AHEAD_MS = 30_000

/** What is kept after one more entry, and what became of it. */
export function takeEntry(
  before: KeptEntry | undefined,
  said: OutsideEntry,
  { now, windowMs }: { now: number; windowMs: number },
): { kept: KeptEntry | undefined; verdict: Exclude<EntryVerdict, 'unknown-cdn'> } {
  if (said.measuredAt > now + AHEAD_MS) return { kept: before, verdict: 'in-future' }
  if (said.measuredAt < now - windowMs) return { kept: before, verdict: 'too-old' }
  if (before === undefined || before.measuredAt < now - windowMs)
    return { kept: { ...said, held: null }, verdict: 'taken' }
  if (said.measuredAt <= Math.max(before.measuredAt, before.held?.measuredAt ?? 0))
    return { kept: before, verdict: 'not-newer' }
  if (!hasJumped(before, said)) return { kept: { ...said, held: null }, verdict: 'taken' }
  if (before.held === null || hasJumped(before.held, said))
    return { kept: { ...before, held: said }, verdict: 'jumped' }
  return said.measuredAt - before.held.measuredAt >= SAID_AGAIN_MS
    ? { kept: { ...said, held: null }, verdict: 'taken' }
    : { kept: before, verdict: 'jumped' }
}

function hasJumped(before: OutsideEntry, said: OutsideEntry): boolean {
  const [was, is] = [before.latencyMs, said.latencyMs]
  return (
    (before.availability !== null &&
      said.availability !== null &&
      Math.abs(said.availability - before.availability) > JUMP_POINTS) ||
    (was !== null && is !== null && Math.max(was, is) / Math.min(was, is) > JUMP_TIMES)
  )
}

const FEWEST_COMPARED = 20

/**
 * Whether an entry says the same as visitors of that place do, or, of the whole world, as probes do; null where neither
 * is heard enough.
 */
export function agreesWithOthers(said: OutsideEntry, scores: ScoresSnapshot | null): boolean | null {
  if (scores === null || said.availability === null) return null
  const here = cdnScores(scores, said.cdnId)?.places[said.place]
  const others = wordOf(here?.rum) ?? (said.place === 'world' ? wordOf(here?.sum) : null)
  if (others === null) return null
  const [ours, theirs] = [tally(said.availability), tally(others)]
  return !contradicts(ours, theirs) && !contradicts(theirs, ours)
}

/** Of the last seconds where enough is heard in them: a feed that sees an outage first does not contradict. */
function wordOf(measure: Measure | undefined): number | null {
  if (measure?.short && measure.short.samples >= FEWEST_COMPARED) return measure.short.availability
  return measure && measure.samples >= FEWEST_COMPARED ? measure.availability : null
}

const tally = (availability: number) => ({ samples: 100, successes: availability })

/** More than a fifth of what can be compared says otherwise. */
export const isContradicting = (compared: number, agreeing: number): boolean => (compared - agreeing) * 5 > compared
