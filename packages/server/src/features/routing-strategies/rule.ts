import type { RoutingStrategy, StrategyInput } from '@fairway/contract'
import type { StrategyRow } from './store.ts'

/** The editable part, in one order of keys. */
export function inputOf({
  name,
  enabled,
  method,
  filter,
  targets,
  availabilityThreshold,
  omitRum,
  omitSum,
  requireAllData,
  visitorPercent,
  minimumMbps,
  preferThroughput,
  ttlSeconds,
  whenNoData,
  whenBelow,
}: StrategyInput): StrategyInput {
  return {
    name,
    enabled,
    method,
    filter: { places: filter.places, networks: filter.networks, cidrs: filter.cidrs },
    targets: targets.map(({ cdnId, weight }) => ({ cdnId, weight })),
    availabilityThreshold,
    omitRum,
    omitSum,
    requireAllData,
    visitorPercent,
    minimumMbps,
    preferThroughput,
    ttlSeconds,
    whenNoData,
    whenBelow,
  }
}

export function present(row: StrategyRow): RoutingStrategy {
  return {
    id: row.id,
    domainId: row.domain_id,
    name: row.name,
    priority: row.priority,
    enabled: row.enabled,
    method: row.method,
    filter: row.filter,
    targets: row.targets,
    availabilityThreshold: row.availability_threshold,
    omitRum: row.omit_rum,
    omitSum: row.omit_sum,
    requireAllData: row.require_all_data,
    visitorPercent: row.visitor_percent,
    minimumMbps: row.minimum_mbps,
    preferThroughput: row.prefer_throughput,
    ttlSeconds: row.ttl_seconds,
    whenNoData: row.when_no_data,
    whenBelow: row.when_below,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
  }
}
