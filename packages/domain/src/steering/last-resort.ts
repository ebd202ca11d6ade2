import type { PolicyCdn, StepReason, StrategyTrace } from '@fairway/contract'
import { mostAvailableOrSame, share, type Verdict } from './methods.ts'
import { candidate, isReturning, measure, type Candidate, type Situation } from './situation.ts'
import { viewOf } from './views.ts'

/**
 * What answers when no strategy decides: the most available enabled and serving CDN that is not hard down (nor coming
 * back and not yet for this visitor), or the one before when that is as available but for a sample; without data an even
 * split over those.
 * If all of them are hard down they are taken all the same, and if none serves the enabled ones share, for an empty
 * answer helps nobody.
 */
export function lastResort(situation: Situation): { step: StrategyTrace; verdict: Verdict } {
  const all = situation.policy.cdns.map((cdn) => {
    const one = candidate(
      situation,
      cdn.cdnId,
      viewOf(situation.views, cdn.cdnId),
      cdn.enabled ? (cdn.serving ? 'hard-down' : 'not-serving') : 'disabled',
    )
    return { one, cdn }
  })
  const enabled = all.filter(({ cdn }) => cdn.enabled)
  const serving = enabled.filter(({ cdn }) => cdn.serving)
  for (const { one, cdn } of serving)
    measure(situation, one, cdn, viewOf(situation.views, cdn.cdnId), {
      regional: false,
      omitRum: false,
      omitSum: false,
      threshold: null,
      throughput: false,
    })
  const away = new Set(serving.filter(({ one }) => one.trace.hardDown || isReturning(situation, one)))
  for (const { one } of away) if (!one.trace.hardDown) one.trace.reason = 'returning'
  const { reason, verdict } = settle(situation, enabled, serving, away)
  return {
    step: {
      strategyId: null,
      name: '',
      method: null,
      reason,
      candidates: all.map(({ one }) => one.trace),
      mixedLevels: verdict.mixedLevels,
    },
    verdict,
  }
}

type Entry = { one: Candidate; cdn: PolicyCdn }

function settle(
  { previous, policy }: Situation,
  enabled: Entry[],
  serving: Entry[],
  away: ReadonlySet<Entry>,
): { reason: StepReason; verdict: Verdict } {
  if (enabled.length === 0) return { reason: 'fallback-none-enabled', verdict: { ordered: [], mixedLevels: false } }
  if (serving.length === 0) return { reason: 'fallback-none-serving', verdict: evenSplit(enabled) }
  const alive = serving.filter(({ one }) => !one.trace.hardDown)
  const back = alive.filter((entry) => !away.has(entry))
  const pool = back.length > 0 ? back : alive.length > 0 ? alive : serving
  const best = mostAvailableOrSame(
    pool.map(({ one }) => one),
    previous,
    policy.settings.marginPercent,
  )
  return 'ordered' in best
    ? { reason: 'fallback-most-available', verdict: best }
    : { reason: 'fallback-even-split', verdict: evenSplit(pool) }
}

function evenSplit(entries: Entry[]): Verdict {
  const chosen = entries.map(({ one }) => one)
  share(
    chosen,
    chosen.map(() => 1),
  )
  return { ordered: chosen, mixedLevels: false }
}
