import type {
  CandidateReason,
  CandidateTrace,
  PolicyCdn,
  ScoresSnapshot,
  SteeringPolicy,
  UsedMeasure,
  Visitor,
} from '@fairway/contract'
import { cdnScores, measuredLevels, pickMeasure } from './pick-measure.ts'
import { viewsOf, type View, type Views } from './views.ts'

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
  levels: Map<View, { finest: string[]; regional: string[] }>
  dependsOn: { place: boolean; cidrs: boolean; views: boolean; data: boolean }
}

/** A CDN under consideration in one step; its trace is filled in as the step is read. */
export type Candidate = { trace: CandidateTrace; weight: number }

export const situationOf = (input: DecideInput): Situation => ({
  ...input,
  views: viewsOf(input.policy, input.visitor),
  levels: new Map(),
  dependsOn: { place: false, cidrs: false, views: false, data: false },
})

export const candidate = (
  situation: Situation,
  cdnId: string,
  view: View,
  reason: CandidateReason,
  weight = 1,
): Candidate => ({
  weight,
  trace: {
    cdnId,
    reason,
    chosen: false,
    percent: 0,
    availability: null,
    latency: null,
    rankedLatencyMs: null,
    hardDown: situation.scores !== null && cdnScores(situation.scores, cdnId)?.hardDown === true,
    vsrRuleId: view.vsrRuleId,
  },
})

/**
 * Reads a candidate's availability and latency at its own finest level with enough samples and notes them in its trace.
 */
export function measure(
  situation: Situation,
  { trace }: Candidate,
  cdn: PolicyCdn,
  view: View,
  options: { regional: boolean; omitRum: boolean; omitSum: boolean },
): void {
  const { scores, policy, now, dependsOn } = situation
  dependsOn.data = dependsOn.views = true
  if (scores === null) return
  const { finest, regional } = levelsOf(situation, scores, view)
  const { found, skipped } = pickMeasure(scores, cdn.cdnId, options.regional ? regional : finest, {
    ...options,
    minimumSamples: policy.settings.minimumSamples,
    now,
  })
  if (found === null) {
    trace.skipped = skipped
    return
  }
  const used = (value: number): UsedMeasure => ({
    value,
    source: found.source,
    level: found.level,
    samples: found.measure.samples,
    ageMs: found.ageMs,
    skipped,
  })
  trace.availability = used(found.measure.availability)
  if (found.measure.latencyMs === null) return
  trace.latency = used(found.measure.latencyMs)
  trace.rankedLatencyMs = rankedLatency(found.measure.latencyMs, cdn)
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

function levelsOf(situation: Situation, scores: ScoresSnapshot, view: View): { finest: string[]; regional: string[] } {
  const known = situation.levels.get(view)
  if (known !== undefined) return known
  const cdnIds = situation.policy.cdns.map((cdn) => cdn.cdnId)
  const levels = {
    finest: measuredLevels(scores, cdnIds, view.keys.scores),
    regional: measuredLevels(scores, cdnIds, view.keys.regional),
  }
  situation.levels.set(view, levels)
  return levels
}
