import { type CdnHealth, Measure, type DomainCdn } from '@fairway/contract'
import { USUAL_THRESHOLD } from '@fairway/domain'
import type { AttachedRow, HealthRow } from './store.ts'

/** Of a CDN without scores: nothing is known. */
export const UNMEASURED: CdnHealth = {
  hardDown: false,
  since: null,
  backSince: null,
  windowSeconds: 0,
  availability: null,
  threshold: USUAL_THRESHOLD,
  latencyMs: null,
  samples: 0,
}

/** Health as the scores document has it; visitors' measurements go before the probes'. */
export function healthByCdn(rows: HealthRow[]): Map<string, CdnHealth> {
  return new Map(
    rows.map((row) => {
      const parsed = Measure.safeParse(row.rum ?? row.sum)
      const measure = parsed.success ? parsed.data : null
      const since = row.hard_down && row.hard_down_since !== null ? new Date(row.hard_down_since).toISOString() : null
      return [
        row.cdn_id,
        {
          hardDown: row.hard_down,
          since,
          backSince: row.back_since?.toISOString() ?? null,
          windowSeconds: row.window_seconds,
          threshold: row.threshold ?? USUAL_THRESHOLD,
          availability: measure?.availability ?? null,
          latencyMs: measure?.latencyMs ?? null,
          samples: measure?.samples ?? 0,
        },
      ]
    }),
  )
}

export function presentAttached(row: AttachedRow, health: Map<string, CdnHealth>): DomainCdn {
  return {
    id: row.id,
    cdnId: row.cdn_id,
    name: row.name,
    driver: row.driver,
    series: row.series,
    enabled: row.enabled,
    standby: row.standby,
    state: row.state,
    detail: row.detail,
    cname: row.cname,
    latencyFactor: row.latency_factor,
    latencyAddMs: row.latency_add_ms,
    health: health.get(row.cdn_id) ?? UNMEASURED,
    strategyCount: row.strategy_count,
    traffic:
      row.read_until === null
        ? null
        : {
            readUntil: row.read_until.toISOString(),
            problem: row.problem,
            problemSince: row.problem_since?.toISOString() ?? null,
          },
    stateSince: row.state_since.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}
