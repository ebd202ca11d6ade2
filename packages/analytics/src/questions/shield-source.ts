import type { ShieldFilter } from '@fairway/contract'

export type ShieldScope = {
  organizationId: string
  siteId?: string | undefined
  domainId?: string | undefined
} & Pick<ShieldFilter, 'part' | 'action' | 'rule' | 'country'>

export type ShieldInput = ShieldScope & {
  seconds: number
  /** Epoch seconds; default is now. */ until?: number | undefined
  /** Epoch ms. */ now: number
}

/** What a visitor's own browser did about a challenge. It stops nobody, and is no threat. */
const SOLVED = `reason = 'solved'`
export const IS_STOPPED = `action IN ('block', 'rate-limit', 'redirect', 'challenge') AND reason NOT IN ('solved', 'begun')`
export const IS_CHALLENGED = `action = 'challenge' AND reason NOT IN ('solved', 'begun')`
export const IS_SOLVED = `action = 'challenge' AND ${SOLVED}`
/** Whoever is let pass is no threat either. */
export const IS_THREAT = `(${IS_STOPPED} OR action = 'simulate')`

/** Conditions that events and their counts share. */
export function shieldConditions({ siteId, domainId, part, action, rule, country }: ShieldScope): string[] {
  return [
    'organization = {organization:String}',
    'at >= fromUnixTimestamp({from:Int64})',
    'at < fromUnixTimestamp({until:Int64})',
    ...(siteId === undefined ? [] : ['site = {site:String}']),
    ...(domainId === undefined ? [] : ['domain = {domain:String}']),
    ...(part === undefined ? [] : ['has({parts:Array(String)}, part)']),
    ...(action === undefined ? [] : ['action = {action:String}']),
    ...(rule === undefined ? [] : ['rule = {rule:String}']),
    ...(country === undefined ? [] : ['country = {country:String}']),
  ]
}

export function shieldParameters({ organizationId, siteId, domainId, part, action, rule, country }: ShieldScope) {
  return {
    organization: organizationId,
    site: siteId ?? '',
    domain: domainId ?? '',
    parts: part?.split(',') ?? [],
    action: action ?? '',
    rule: rule ?? '',
    country: country ?? '',
  }
}

/** Where rows are read from at a level, and what counts them there. */
export const shieldRows = (level: 'raw' | 'minute' | 'hour' | 'day', scope: ShieldScope) => ({
  rows: `${level === 'raw' ? 'security_events' : `security_counts_${level} FINAL`} WHERE ${shieldConditions(scope).join(' AND ')}`,
  count: level === 'raw' ? 'weight' : 'requests',
})
