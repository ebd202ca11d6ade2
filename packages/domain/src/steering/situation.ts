import type {
  CandidateReason,
  CandidateTrace,
  CdnScores,
  MeasureSource,
  PolicyCdn,
  ScoresSnapshot,
  SteeringPolicy,
  StrategyRule,
  UsedMeasure,
  Visitor,
} from '@fairway/contract'
import { USUAL_THRESHOLD } from '../health/condition.ts'
import { parseVisitorAddress } from './cidr.ts'
import {
  ageMs,
  cdnScores,
  connectionsLevel,
  countingAvailability,
  measuredLevels,
  pickMeasure,
  pickReports,
  pickThroughput,
  type PickedMeasure,
} from './pick-measure.ts'
import { blend, pickOutside, timedOutside, type PickedOutside } from './outside-feeds.ts'
import { levelOf } from './places.ts'
import { viewsOf, type View, type Views } from './views.ts'
import { isInShare, lotOfNetwork, visitorShare, type VisitorShare } from './visitor-share.ts'

/**
 * What a decision is made from: the policy, the measurements (null when there are none yet), who asks, the CDN chosen
 * before for the like of them, and the time in epoch ms.
 */
export type DecideInput = {
  policy: SteeringPolicy
  scores: ScoresSnapshot | null
  visitor: Visitor
  previous: string | null
  now: number
}

/** The input made ready for reading strategies, and notes on what the answer hangs on, which grow while reading. */
export type Situation = DecideInput & {
  views: Views
  levels: Map<View, ViewLevels>
  dependsOn: { place: boolean; cidrs: boolean; views: boolean; data: boolean; subnet: boolean }
  /** What the visitor draws with, wherever a VSR rule puts it. */
  lot: number
}

/** Levels that are read of a view; `connections`, `outside`: see `connectionsLevel`, `timedOutside`, once they were asked. */
type ViewLevels = {
  finest: string[]
  regional: string[]
  connections?: string | null
  outside: Map<string[], string | null>
}

/** A CDN under consideration in one step; its trace is filled in as the step is read. */
export type Candidate = {
  trace: CandidateTrace
  weight: number
  /** Of its round trip, as measured: before factor and increment. */
  interval: readonly [number, number] | null
}

export const situationOf = (input: DecideInput): Situation => ({
  ...input,
  views: viewsOf(input.policy, input.visitor),
  levels: new Map(),
  dependsOn: { place: false, cidrs: false, views: false, data: false, subnet: false },
  lot: lotOfNetwork(parseVisitorAddress(input.visitor.address, input.visitor.prefixLength)),
})

export const candidate = (
  situation: Situation,
  cdnId: string,
  view: View,
  reason: CandidateReason,
  weight = 1,
): Candidate => ({
  weight,
  interval: null,
  trace: {
    cdnId,
    reason,
    chosen: false,
    percent: 0,
    availability: null,
    latency: null,
    rankedLatencyMs: null,
    hardDown: probesSay(situation, cdnId)?.hardDown === true,
    vsrRuleId: view.vsrRuleId,
  },
})

/**
 * Reads a candidate's availability and latency at its own finest level with enough samples and notes them in its trace.
 */
export function measure(
  situation: Situation,
  one: Candidate,
  cdn: PolicyCdn,
  view: View,
  options: { regional: boolean; omitRum: boolean; omitSum: boolean; threshold: number | null; throughput: boolean },
): void {
  const { trace } = one
  const { scores, policy, now, dependsOn } = situation
  dependsOn.data = dependsOn.views = true
  if (scores === null) return
  const { finest, regional } = levelsOf(situation, scores, view)
  const levels = options.regional ? regional : finest
  const ignores = (source: MeasureSource) => cdn.ignores?.includes(source) === true
  const picking = {
    minimumSamples: policy.settings.minimumSamples,
    lifetimeSeconds: Math.min(scores.lifetimeSeconds, policy.settings.maxAgeSeconds ?? Infinity),
    omitRum: options.omitRum || ignores('rum'),
    omitSum: options.omitSum || ignores('sum'),
    omitReports: options.omitRum || ignores('nel'),
    omitOutside: ignores('feed'),
    now,
  }
  const { found, skipped } = pickMeasure(scores, cdn.cdnId, levels, picking)
  const wide = options.throughput ? pickThroughput(scores, cdn.cdnId, levels, picking) : null
  if (wide !== null) {
    const { mbps, ...from } = wide
    Object.assign(trace, { throughputMbps: mbps, throughputFrom: from })
  }
  const used = (of: NonNullable<PickedMeasure['found']>, value: number): UsedMeasure => {
    const { heard, networks } = of.measure
    return {
      value,
      source: of.source,
      level: of.level,
      samples: of.measure.samples,
      ageMs: of.ageMs,
      skipped,
      ...(heard === undefined ? {} : { heard }),
      ...(networks === undefined ? {} : { networks }),
    }
  }
  const availabilityOf = (of: NonNullable<PickedMeasure['found']>): UsedMeasure => {
    const { availability, fellFast } = countingAvailability(
      of.measure,
      options.threshold ?? USUAL_THRESHOLD,
      policy.settings.minimumSamples,
    )
    return {
      ...used(of, availability),
      ...(fellFast ? { fellFast: true as const, samples: of.measure.short?.samples ?? 0 } : {}),
    }
  }
  if (found === null) trace.skipped = skipped
  else trace.availability = availabilityOf(found)
  const rumAt = found?.source === 'rum' ? found.level : null
  const told = pickOutside(scores, cdn.cdnId, levels, 'availability', rumAt, picking)
  if (told !== null) {
    if (rumAt === null) trace.availability = { ...usedOutside(told), skipped }
    // What has fallen within seconds is not held up by a feed.
    else if (trace.availability !== null && !trace.availability.fellFast)
      trace.availability = blend(trace.availability, told)
  }
  const reported = pickReports(scores, cdn.cdnId, levels, rumAt, picking)
  if (reported !== null) {
    // They may say that a CDN is worse here than it seems from elsewhere, and never that it is better.
    const said = availabilityOf(reported)
    if (trace.availability === null || said.value < trace.availability.value) trace.availability = said
  }
  const connections = connectionsOf(situation, scores, view, options, picking)
  const timed = connections === null ? undefined : cdnScores(scores, cdn.cdnId)?.places[connections]?.edge
  if (connections !== null && timed && timed.latencyMs !== null) {
    const of = { measure: timed, source: 'edge', level: connections, ageMs: ageMs(timed, now) } as const
    one.interval = timed.latencyInterval ?? null
    trace.latency = used(of, timed.latencyMs)
    trace.rankedLatencyMs = rankedLatency(timed.latencyMs, cdn)
    return
  }
  const outside = outsideLatency(situation, scores, cdn, view, { regional: options.regional, rumAt, picking })
  if (outside !== null && (rumAt === null || found === null)) {
    trace.latency = { ...usedOutside(outside), skipped }
    trace.rankedLatencyMs = rankedLatency(outside.value, cdn)
    return
  }
  if (found === null) return
  if (found.source === 'sum' && policy.settings.untimedProbes === true) {
    trace.skipped = [
      ...skipped,
      { level: found.level, source: 'sum', reason: 'not-comparable', samples: found.measure.samples },
    ]
    return
  }
  one.interval = found.measure.latencyInterval ?? null
  if (found.measure.latencyMs === null) return
  const measured = used(found, found.measure.latencyMs)
  trace.latency = outside === null ? measured : blend(measured, outside)
  // The interval moves as the median did.
  const moved = trace.latency.value / measured.value
  if (one.interval !== null) one.interval = [one.interval[0] * moved, one.interval[1] * moved]
  trace.rankedLatencyMs = rankedLatency(trace.latency.value, cdn)
}

const usedOutside = ({ value, level, samples, ageMs: age, names }: PickedOutside): Omit<UsedMeasure, 'skipped'> => ({
  value,
  source: 'feed',
  level,
  samples: Math.floor(samples),
  ageMs: age,
  feed: { names, level, samples, value },
})

/** What outside feeds say of its latency, where they time all CDNs that may answer; null where they do not. */
function outsideLatency(
  { policy, levels }: Situation,
  scores: ScoresSnapshot,
  cdn: PolicyCdn,
  view: View,
  { regional, rumAt, picking }: { regional: boolean; rumAt: string | null; picking: Parameters<typeof pickOutside>[5] },
): PickedOutside | null {
  const known = levels.get(view)
  if (known === undefined || picking.omitOutside) return null
  const read = regional ? known.regional : known.finest
  let level = known.outside.get(read)
  if (level === undefined) {
    const cdns = policy.cdns
      .filter(({ enabled, serving }) => enabled && serving)
      .map(({ cdnId, ignores }) => ({ cdnId, omitOutside: ignores?.includes('feed') === true }))
    level = timedOutside(scores, cdns, read, picking)
    known.outside.set(read, level)
  }
  if (level === null || (rumAt !== null && read.indexOf(level) > read.indexOf(rumAt))) return null
  return pickOutside(scores, cdn.cdnId, [level], 'latencyMs', null, picking)
}

/** The level at which all CDNs that may answer are compared by the edge's connections; null where they are not. */
function connectionsOf(
  { policy, levels }: Situation,
  scores: ScoresSnapshot,
  view: View,
  { regional, omitRum }: { regional: boolean; omitRum: boolean },
  picking: Parameters<typeof connectionsLevel>[3],
): string | null {
  // They come of real visitors too.
  if (regional || omitRum) return null
  const known = levels.get(view)
  if (known === undefined) return null
  if (known.connections === undefined) {
    const ignores = (source: MeasureSource, cdn: PolicyCdn) => cdn.ignores?.includes(source) === true
    const cdns = policy.cdns
      .filter(({ enabled, serving }) => enabled && serving)
      .map((cdn) => ({ cdnId: cdn.cdnId, omitRum: ignores('rum', cdn), omitEdge: ignores('edge', cdn) }))
    known.connections = connectionsLevel(scores, cdns, known.finest, picking)
  }
  return known.connections
}

/** What is known of a CDN by probes, unless they are switched off for it: whether it is down, or coming back. */
function probesSay({ policy, scores }: Pick<DecideInput, 'policy' | 'scores'>, cdnId: string): CdnScores | undefined {
  if (scores === null) return undefined
  const isOff = policy.cdns.some((cdn) => cdn.cdnId === cdnId && cdn.ignores?.includes('sum') === true)
  return isOff ? undefined : cdnScores(scores, cdnId)
}

/** The share of visitors that a CDN which comes back is given; null when it is there for all. */
export function returnShare(input: Pick<DecideInput, 'policy' | 'scores'>, cdnId: string): VisitorShare | null {
  const returning = probesSay(input, cdnId)?.returning
  return returning ? visitorShare(`${cdnId} ${returning.since}`, returning.percent) : null
}

/** The share of its visitors that a strategy is for; null when it is for all. */
export const strategyShare = ({ id, visitorPercent }: StrategyRule): VisitorShare | null =>
  typeof visitorPercent !== 'number' || visitorPercent >= 100 ? null : visitorShare(id, visitorPercent)

/** Whether the visitor is in a share; notes that the answer hangs on its /24 or /48. */
export function isVisitorIn(situation: Situation, share: VisitorShare | null): boolean {
  if (share === null) return true
  situation.dependsOn.subnet = true
  return isInShare(situation.lot, share)
}

/** Whether a CDN is still coming back and this visitor is not let in yet; noted in its trace. */
export function isReturning(situation: Situation, { trace }: Candidate): boolean {
  const returning = probesSay(situation, trace.cdnId)?.returning
  if (!returning) return false
  trace.returning = { percent: returning.percent, since: returning.since }
  return !isVisitorIn(situation, returnShare(situation, trace.cdnId))
}

/**
 * Latency for ranking: the CDN's factor first, then its milliseconds; a bonus that would leave nothing positive is not
 * given.
 */
export function rankedLatency(
  latencyMs: number,
  { latencyFactor, latencyAddMs }: Pick<PolicyCdn, 'latencyFactor' | 'latencyAddMs'>,
): number {
  const scaled = latencyMs * latencyFactor
  const ranked = scaled + latencyAddMs
  return ranked > 0 ? ranked : scaled
}

function levelsOf(situation: Situation, scores: ScoresSnapshot, view: View): ViewLevels {
  const known = situation.levels.get(view)
  if (known !== undefined) return known
  const cdnIds = situation.policy.cdns.map((cdn) => cdn.cdnId)
  const { levels: read } = situation.policy.settings
  const isRead = (key: string) => !read || read.some((level) => level === levelOf(key))
  const levels: ViewLevels = {
    finest: measuredLevels(scores, cdnIds, view.keys.scores).filter(isRead),
    regional: measuredLevels(scores, cdnIds, view.keys.regional).filter(isRead),
    outside: new Map(),
  }
  situation.levels.set(view, levels)
  return levels
}
