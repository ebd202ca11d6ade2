import type { CdnScores, Measure, ScoresSnapshot } from '@fairway/contract'
import { smooth } from '@fairway/domain'
import { HISTOGRAM_BASE } from '../log-histogram.ts'
import type { WindowSum, WindowSums } from './measurement-window.ts'

export type SnapshotInput = {
  organizationId: string
  sums: WindowSums
  health: readonly { cdnId: string; down: boolean; since: number | null }[]
  previous: ScoresSnapshot | null
  lifetimeSeconds: number
  /** Epoch ms. */
  now: number
}

/**
 * Places finer than a country with fewer samples than this are left out: no decision would use them, and there are very
 * many.
 */
const FEWEST_SAMPLES = 5

/**
 * One organisation's scores out of the window and the probes' verdicts; latency is smoothed from the previous snapshot.
 * Pure.
 */
export function buildSnapshot({
  organizationId,
  sums,
  health,
  previous,
  lifetimeSeconds,
  now,
}: SnapshotInput): ScoresSnapshot {
  const measured = sums.get(organizationId)
  const cdns: Record<string, CdnScores> = {}
  for (const cdnId of [...new Set([...(measured?.keys() ?? []), ...health.map((one) => one.cdnId)])].sort()) {
    const verdict = health.find((one) => one.cdnId === cdnId)
    const before = previous?.cdns[cdnId]?.places
    const elapsedMs = previous ? now - previous.builtAt : 0
    const places: CdnScores['places'] = {}
    for (const source of ['rum', 'sum'] as const) {
      for (const [key, sum] of measured?.get(cdnId)?.[source] ?? []) {
        if (sum.samples < FEWEST_SAMPLES && isFine(key)) continue
        const measure = measureOf(sum, before?.[key]?.[source] ?? null, elapsedMs)
        if (measure) places[key] = { ...places[key], [source]: measure }
      }
    }
    cdns[cdnId] = { hardDown: verdict?.down ?? false, hardDownSince: verdict?.down ? verdict.since : null, places }
  }
  return {
    organizationId,
    serial: Math.max(serialAt(now), (previous?.serial ?? 0) + 1),
    builtAt: now,
    lifetimeSeconds,
    cdns,
  }
}

/** Grows over restarts without being kept: quarters of a second since 2025, which fit 32 bits until 2042. */
const serialAt = (now: number) => Math.floor((now - Date.UTC(2025, 0)) / 250)

const isFine = (key: string) => key.startsWith('city:') || key.startsWith('region:') || key.includes('|')

function measureOf(sum: WindowSum, previous: Measure | null, elapsedMs: number): Measure | null {
  return smooth(
    { samples: sum.samples, successes: sum.successes, medianLatencyMs: medianOf(sum), newestAt: sum.newestAt },
    previous,
    elapsedMs,
  )
}

function medianOf({ bins }: WindowSum): number | null {
  const sorted = [...bins].sort((a, b) => a[0] - b[0])
  const half = sorted.reduce((total, [, count]) => total + count, 0) / 2
  let below = 0
  for (const [bin, count] of sorted) {
    if (below + count >= half) return HISTOGRAM_BASE ** (bin + (half - below) / count)
    below += count
  }
  return null
}
