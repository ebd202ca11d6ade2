import type { CdnScores, ScoresSnapshot } from '@fairway/contract'
import { RETURN_STEP_MS, beginReturn, stepReturn, type Return } from '@fairway/domain/lean'

/**
 * What this node's own probes say about an organisation's CDNs, as of `at` (epoch ms); `since` is when they last
 * changed their mind.
 */
export type Verdicts = { at: number; cdns: Record<string, { down: boolean; since: number | null }> }

/**
 * The collector builds scores every few seconds; when none came for so long, it is away and its word on failures is
 * old.
 */
const COLLECTOR_SILENT_MS = 15_000
const VERDICTS_LIFETIME_MS = 30_000

/**
 * The measurements with this node's own view of failures: a CDN is down when the collector or we see it down, and when
 * the collector is silent, when we do.
 * So failover and recovery work with API, database and collector all dead.
 */
export function withVerdicts(
  organizationId: string,
  scores: ScoresSnapshot | null,
  verdicts: Verdicts | null,
  now: number,
): ScoresSnapshot | null {
  if (!verdicts || now - verdicts.at > VERDICTS_LIFETIME_MS) return scores
  const base = scores ?? { organizationId, serial: 0, builtAt: now, lifetimeSeconds: 1, cdns: {} }
  const silent = now - base.builtAt > COLLECTOR_SILENT_MS
  const cdns = { ...base.cdns }
  for (const [cdnId, { down, since }] of Object.entries(verdicts.cdns)) {
    const measured: CdnScores = cdns[cdnId] ?? { hardDown: false, hardDownSince: null, places: {} }
    const hardDown = down || (measured.hardDown && !silent)
    const { returning: told, ...rest } = measured
    const returning = hardDown ? undefined : silent ? returnByTime(told?.since ?? since, now) : told
    if (hardDown === measured.hardDown && returning === told) continue
    const hardDownSince = hardDown ? (measured.hardDown ? measured.hardDownSince : since) : null
    cdns[cdnId] = { ...rest, hardDown, hardDownSince, ...(returning ? { returning } : {}) }
  }
  return { ...base, cdns }
}

/** While the collector is silent a CDN comes back by the clock, for as long as our probes see it alive. */
function returnByTime(since: number | null, now: number): CdnScores['returning'] {
  let at: Return | null = since === null ? null : beginReturn(since)
  for (; at !== null;) {
    const next = stepReturn(at, Math.min(now, at.stepAt + RETURN_STEP_MS), true)
    if (next === at) return at
    at = next
  }
  return undefined
}
