import type { ErrorCode, PlanFeature, RecordInput, SteeringMethod, StrategyInput } from '@fairway/contract'
import { isEmptyFilter } from '../steering/match.ts'

/** Codes that name the missing ability; all others are 27005. */
const CODES: Partial<Record<PlanFeature, ErrorCode>> = {
  'dns.staticRouting': 810001,
  'dns.geoFilter': 810002,
  'dns.dynamicRouting': 810003,
  'dns.vsr': 810004,
  'dns.cnameFlattening': 810006,
}

/** Fixed answers are static routing; what follows measurements is dynamic. */
export const METHOD_FEATURES: Readonly<Record<SteeringMethod, PlanFeature>> = {
  'always-use': 'dns.staticRouting',
  'static-route': 'dns.staticRouting',
  'weighted-distribution': 'dns.staticRouting',
  'best-latency': 'dns.dynamicRouting',
  'best-availability': 'dns.dynamicRouting',
  'regional-latency': 'dns.dynamicRouting',
}

/** Why a plan with these abilities may not use a feature, or null. */
export const canUse = (ability: readonly string[], feature: PlanFeature): ErrorCode | null =>
  ability.includes(feature) ? null : (CODES[feature] ?? 27005)

/** Why a plan may not have this strategy, or null: its method first, then its filter. */
export function canUseStrategy(
  ability: readonly string[],
  { method, filter }: Pick<StrategyInput, 'method' | 'filter'>,
): ErrorCode | null {
  return canUse(ability, METHOD_FEATURES[method]) ?? (isEmptyFilter(filter) ? null : canUse(ability, 'dns.geoFilter'))
}

/** 810005 for a TTL below the plan's least; Auto (null) is always allowed. */
export const canUseTtl = (planMinimumSeconds: number, ttlSeconds: number | null): ErrorCode | null =>
  ttlSeconds !== null && ttlSeconds < planMinimumSeconds ? 810005 : null

/** What a plan says about the records of a site. */
export type RecordPlan = { ability: readonly string[]; minimumTtlSeconds: number }
type PlannedRecord = Pick<RecordInput, 'name' | 'ttlSeconds' | 'multiCdn'> & { type: string }

/** Why a plan may not have this record, or null. `before` is what it was: what stays is not asked again. */
export function canHoldRecord(
  { ability, minimumTtlSeconds }: RecordPlan,
  record: PlannedRecord,
  before: PlannedRecord | null,
): ErrorCode | null {
  const starts = (is: (one: PlannedRecord) => boolean): boolean => is(record) && !(before && is(before))
  return (
    (record.ttlSeconds === before?.ttlSeconds ? null : canUseTtl(minimumTtlSeconds, record.ttlSeconds)) ??
    (starts(isWildcardRecord) ? canUse(ability, 'zone.wildcard') : null) ??
    (starts(({ name, multiCdn }) => multiCdn && name === record.name) ? canUse(ability, 'multiCdn.enable') : null) ??
    (starts(isFlattened) ? canUse(ability, 'dns.cnameFlattening') : null)
  )
}

const isWildcardRecord = ({ name }: PlannedRecord): boolean => name.startsWith('*')
/** The root holds no CNAME (RFC 1034 3.6.2): addresses of another name are answered there instead. */
const isFlattened = ({ name, type, multiCdn }: PlannedRecord): boolean => name === '@' && (type === 'ALIAS' || multiCdn)
