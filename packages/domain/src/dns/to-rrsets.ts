import type { AliasName, RecordInput, RecordType, Rrset } from '@fairway/contract'
import { canonicalIpv6 } from './addresses.ts'
import { absoluteName, targetName } from './names.ts'
import { rdataOfText } from './rdata/rdata.ts'
import { quoteTxt, txtStrings } from './txt.ts'

/** What of a record reaches the wire; `DnsRecord` and `RecordInput` both fit. */
export type WireRecord = Pick<RecordInput, 'type' | 'name' | 'value' | 'preference' | 'ttlSeconds' | 'multiCdn'> & {
  weight?: number | null
}

/** TTL of a record set to Auto, and of a name that multi-CDN steers. */
export const AUTO_TTL_SECONDS = 300
export const STEERED_TTL_SECONDS = 30

/**
 * Groups valid records into RRsets, sorted by name and type; values keep their order and equal ones are one. Multi-CDN
 * is not looked at: pass only the records
 * that are to be answered as they stand. A CNAME at the apex is left out, since it can't stand beside the zone's SOA
 * (RFC 1034 3.6.2), and so is an ALIAS: see `toAliases`.
 */
export function toRrsets(records: readonly WireRecord[], siteName: string): Rrset[] {
  const site = siteName.toLowerCase()
  const sets = new Map<string, Rrset>()
  for (const record of records) {
    const name = absoluteName(record.name, site)
    if (record.type === 'ALIAS' || (record.type === 'CNAME' && name === site)) continue
    const ttlSeconds = record.ttlSeconds ?? AUTO_TTL_SECONDS
    const rdata = toRdata(record)
    const key = `${name} ${record.type}`
    const set = sets.get(key) ?? { name, type: record.type, ttlSeconds, rdata: [] }
    sets.set(key, set)
    set.ttlSeconds = Math.min(set.ttlSeconds, ttlSeconds)
    if (!set.rdata.includes(rdata)) set.rdata.push(rdata)
  }
  addWeights(sets, records, site)
  return [...sets.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, set]) => set)
}

/**
 * Where one record of a set has a weight, those without one count once; a set whose weights are all nothing is answered
 * whole.
 */
function addWeights(sets: ReadonlyMap<string, Rrset>, records: readonly WireRecord[], site: string): void {
  const weighted = new Set(
    records
      .filter((record) => canHaveWeight(record.type) && (record.weight ?? null) !== null)
      .map((record) => `${absoluteName(record.name, site)} ${record.type}`),
  )
  for (const record of weighted.size === 0 ? [] : records) {
    const key = `${absoluteName(record.name, site)} ${record.type}`
    const set = weighted.has(key) ? sets.get(key) : undefined
    if (!set) continue
    set.weights ??= set.rdata.map(() => 0)
    set.weights[set.rdata.indexOf(toRdata(record))] = record.weight ?? 1
  }
  for (const set of sets.values())
    if (set.rdata.length < 2 || set.weights?.every((weight) => weight === 0)) delete set.weights
}

/** Weighted round robin is for addresses: each answer then has one of the set. */
export const canHaveWeight = (type: RecordType): boolean => type === 'A' || type === 'AAAA'

/** The ALIAS records of a site as the nodes flatten them. */
export function toAliases(records: readonly WireRecord[], siteName: string): AliasName[] {
  const site = siteName.toLowerCase()
  return records
    .filter(({ type }) => type === 'ALIAS')
    .map(({ name, value, ttlSeconds }) => ({
      name: absoluteName(name, site),
      target: targetName(value),
      ttlSeconds: ttlSeconds ?? AUTO_TTL_SECONDS,
    }))
}

/**
 * Rdata in presentation form (RFC 1035 5.1): names absolute with the trailing dot, text quoted, IPv6 in its one form.
 * The value must be valid for its type.
 */
export function toRdata({ type, value, preference }: Pick<WireRecord, 'type' | 'value' | 'preference'>): string {
  switch (type) {
    case 'ALIAS':
    case 'A':
      return value.trim()
    case 'AAAA':
      return canonicalIpv6(value.trim())
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return `${targetName(value)}.`
    case 'MX':
      return `${preference ?? 0} ${targetName(value)}.`
    case 'TXT':
      return quoteTxt(txtStrings(value) ?? [])
    default:
      return rdataOfText(type, value) ?? value
  }
}

/** The record as a line of a zone file, for the form to show; the value must be valid for its type. */
export function zoneFileLine(record: WireRecord, siteName: string): string {
  const ttlSeconds = record.ttlSeconds ?? (record.multiCdn ? STEERED_TTL_SECONDS : AUTO_TTL_SECONDS)
  return `${absoluteName(record.name, siteName)}. ${ttlSeconds} IN ${record.type} ${toRdata(record)}`
}
