import type { StallCause } from '@fairway/contract'

/** What is known of a stall; null is not known. */
export type StallFacts = {
  isLive: boolean
  /** Throughput and bit rate as the player had them, kbit/s. */
  throughputKbps: number | null
  bitrateKbps: number | null
  /** Since the playlist of a live stream last had a new segment. */
  sinceNewSegmentMs: number | null
  /** Segments that the edge answered from shortly before the stall to its end: how many, and how many with 5xx. */
  segments: number
  segmentErrors: number
  /** Answers that had to be fetched and took longer than the segment lasts. */
  slowFetches: number
  /** The player told that segments did not come, or too late. */
  loadErrors: number
  /** It went on over another CDN than the one it stalled on. */
  movedCdn: boolean
  /** Other views of the same source at that time, and how many of them stalled: over the same CDN, and over others. */
  sameCdn: { views: number; stalled: number }
  otherCdns: { views: number; stalled: number }
}

export type StallReason =
  | 'no-new-segments'
  | 'everywhere'
  | 'segment-errors'
  | 'slow-fetches'
  | 'load-errors'
  | 'moved'
  | 'others-on-cdn'
  | 'only-this-cdn'
  | 'line-too-slow'
  | 'others-play-on'
  | 'line-fast-enough'

/** So old a newest segment is late: segments last six seconds at most at the ladder's defaults. */
const LATE_SEGMENT_MS = 10_000
/** Fewer views say nothing of a CDN. */
const LEAST_VIEWS = 3
const MANY = 0.4
const FEW = 0.15
const LEAST_WEIGHT = 2

/**
 * What a stall was likely of. Each fact speaks for one cause with a weight; the cause with most wins when it has enough
 * and no other has as much, else nobody knows. The facts that spoke for it are its reasons.
 */
export function stallCause(facts: StallFacts): { cause: StallCause; reasons: StallReason[] } {
  const said = evidence(facts)
  const sum = (cause: StallCause) => said.reduce((all, one) => all + (one.cause === cause ? one.weight : 0), 0)
  const ranked = (['cdn', 'encoder', 'viewer'] as const)
    .map((cause) => ({ cause, weight: sum(cause) }))
    .sort((a, b) => b.weight - a.weight)
  const [first, second] = ranked
  if (!first || first.weight < LEAST_WEIGHT || first.weight === second?.weight) return { cause: 'unknown', reasons: [] }
  return {
    cause: first.cause,
    reasons: said.filter(({ cause, weight }) => cause === first.cause && weight > 0).map(({ reason }) => reason),
  }
}

type Said = { cause: StallCause; weight: number; reason: StallReason }

function evidence(facts: StallFacts): Said[] {
  const { sameCdn, otherCdns, throughputKbps, bitrateKbps } = facts
  const said: Said[] = []
  const say = (isSo: boolean, cause: StallCause, weight: number, reason: StallReason) =>
    isSo && said.push({ cause, weight, reason })
  const share = ({ views, stalled }: { views: number; stalled: number }) =>
    views < LEAST_VIEWS ? null : stalled / views
  const [here, elsewhere] = [share(sameCdn), share(otherCdns)]
  const together = share({ views: sameCdn.views + otherCdns.views, stalled: sameCdn.stalled + otherCdns.stalled })
  const isEverywhere = here !== null && here >= MANY && (elsewhere === null || elsewhere >= MANY)
  const isOfCdn = here !== null && here >= MANY && elsewhere !== null && elsewhere <= FEW
  const isLate = facts.isLive && facts.sinceNewSegmentMs !== null && facts.sinceNewSegmentMs >= LATE_SEGMENT_MS
  say(isLate, 'encoder', 4, 'no-new-segments')
  say(facts.isLive && isEverywhere, 'encoder', 2, 'everywhere')
  say(facts.segmentErrors > 0, 'cdn', 3, 'segment-errors')
  say(facts.slowFetches > 0, 'cdn', 2, 'slow-fetches')
  say(facts.loadErrors > 0, 'cdn', 2, 'load-errors')
  say(facts.movedCdn, 'cdn', 2, 'moved')
  say(isOfCdn, 'cdn', 3, 'others-on-cdn')
  say(!facts.isLive && here !== null && here >= MANY && elsewhere === null, 'cdn', 2, 'only-this-cdn')
  if (throughputKbps !== null && bitrateKbps !== null && bitrateKbps > 0) {
    // A CDN that fails makes lines look slow as well: what others see decides.
    const isSlow = throughputKbps < bitrateKbps * 1.2
    say(isSlow && facts.segmentErrors === 0, 'viewer', here !== null && here >= MANY ? 1 : 3, 'line-too-slow')
    say(!isSlow && !isLate && facts.segments > 0 && here !== null && here >= MANY, 'cdn', 1, 'line-fast-enough')
  }
  say(together !== null && together <= FEW && !isLate, 'viewer', 1, 'others-play-on')
  return said
}
