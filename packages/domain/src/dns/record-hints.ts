import { absoluteName, isAtOrUnder, targetName } from './names.ts'
import type { WireRecord } from './to-rrsets.ts'
import { txtStrings } from './txt.ts'

/**
 * What is allowed and probably not meant: a mail server or another target of this zone that is not there (`noTarget`),
 * or that has no address (`noAddress`); an alias where a host is asked for (`aliasTarget`, RFC 2181 10.3); more than one
 * SPF or DMARC policy, which counts as none (`twoSpf`, RFC 7208 4.5; `twoDmarc`, RFC 7489 6.6.3); more than ten lookups
 * in an SPF policy by its own terms (`manySpfLookups`, RFC 7208 4.6.4).
 */
export type RecordHint = 'noTarget' | 'noAddress' | 'aliasTarget' | 'twoSpf' | 'twoDmarc' | 'manySpfLookups'

/** The types whose target has to be a host with an address. */
const HOSTS: ReadonlySet<string> = new Set(['MX', 'NS', 'SRV'])
/** The types whose target may be anything that is there. */
const ALIASES: ReadonlySet<string> = new Set(['CNAME', 'ALIAS'])
const SPF_LOOKUPS = 10

/**
 * Hints on the records of a zone, by place in the list, each record at most one. Only what the zone itself shows is
 * told: nothing is asked. Time is proportional to the number of records.
 */
export function recordHints(records: readonly WireRecord[], siteName: string): Map<number, RecordHint> {
  const site = siteName.toLowerCase()
  const zone = zoneOf(records, site)
  const hints = new Map<number, RecordHint>()
  const policies = { spf: new Map<string, number[]>(), dmarc: new Map<string, number[]>() }
  for (const [index, record] of records.entries()) {
    const target = targetOf(record)
    const hint = target === null ? null : hintOfTarget(zone, record.type, target)
    if (hint !== null) hints.set(index, hint)
    if (record.type !== 'TXT') continue
    const text = textOf(record.value)
    const kind = /^v=spf1(?: |$)/i.test(text) ? 'spf' : /^v=DMARC1(?:\s*;|$)/i.test(text) ? 'dmarc' : null
    if (kind === null || (kind === 'dmarc' && !/^_dmarc(?:\.|$)/.test(record.name))) continue
    const owner = absoluteName(record.name, site)
    policies[kind].set(owner, [...(policies[kind].get(owner) ?? []), index])
    if (kind === 'spf' && spfLookups(text) > SPF_LOOKUPS) hints.set(index, 'manySpfLookups')
  }
  for (const [kind, hint] of [
    ['spf', 'twoSpf'],
    ['dmarc', 'twoDmarc'],
  ] as const)
    for (const indices of policies[kind].values())
      if (indices.length > 1) for (const index of indices) hints.set(index, hint)
  return hints
}

type Zone = {
  site: string
  /** Types at each name; names above a record exist too, without any. */
  types: Map<string, Set<string>>
  cuts: Set<string>
}

function zoneOf(records: readonly WireRecord[], site: string): Zone {
  const zone: Zone = { site, types: new Map([[site, new Set()]]), cuts: new Set() }
  for (const record of records) {
    const owner = absoluteName(record.name, site)
    for (let name = owner; isAtOrUnder(name, site) && !(name !== owner && zone.types.has(name)); name = parentOf(name))
      if (!zone.types.has(name)) zone.types.set(name, new Set())
    // A steered name answers addresses, whatever leads to its origin.
    zone.types.get(owner)?.add(record.multiCdn ? 'A' : record.type)
    if (record.type === 'NS') zone.cuts.add(owner)
  }
  return zone
}

/** The name that a record leads to; null for none, and for the root. */
function targetOf({ type, value, multiCdn }: WireRecord): string | null {
  if (multiCdn || !(HOSTS.has(type) || ALIASES.has(type))) return null
  return targetName(type === 'SRV' ? (value.trim().split(/\s+/)[3] ?? '') : value) || null
}

function hintOfTarget(zone: Zone, type: string, target: string): RecordHint | null {
  // Elsewhere, or handed over: others know.
  if (!isAtOrUnder(target, zone.site) || isHandedOver(zone, target)) return null
  const types = typesAt(zone, target)
  if (types === null) return 'noTarget'
  if (ALIASES.has(type)) return null
  if (types.has('A') || types.has('AAAA') || types.has('ALIAS')) return null
  return types.has('CNAME') ? 'aliasTarget' : 'noAddress'
}

/** Names below a delegation, but not glue, are answered elsewhere. */
function isHandedOver({ cuts, types, site }: Zone, target: string): boolean {
  if (types.get(target)?.has('A') || types.get(target)?.has('AAAA')) return false
  for (let name = target; name !== site; name = parentOf(name)) if (cuts.has(name)) return true
  return false
}

/** What is at a name, by the wildcard of its closest existing ancestor where it is not there itself (RFC 4592). */
function typesAt({ types, site }: Zone, name: string): ReadonlySet<string> | null {
  const own = types.get(name)
  if (own !== undefined) return own
  let encloser = parentOf(name)
  while (encloser !== site && !types.has(encloser)) encloser = parentOf(encloser)
  return types.get(`*.${encloser}`) ?? null
}

const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1)

/** The text of a TXT record, its strings put together without a blank (RFC 7208 3.3). */
const textOf = (value: string): string =>
  (txtStrings(value) ?? []).map((bytes) => String.fromCharCode(...bytes)).join('')

/** Terms of a policy that make its reader ask (RFC 7208 4.6.4). */
const spfLookups = (text: string): number =>
  text
    .split(' ')
    .filter((term) => /^[-+~?]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?::|$)|exists:)|^redirect=/i.test(term)).length
