import { targetName } from './names.ts'
import type { WireRecord } from './to-rrsets.ts'

type Entry = { record: WireRecord; index: number; owner: string }
type Loop = { problem: 900106; index: number; others: number[] }

/**
 * Aliases that lead back: a CNAME chain inside the zone that meets itself, or the origin of a steered name that leads
 * to a steered name
 * (a CDN would fetch from the CDNs). Wildcards are followed as DNS would (RFC 4592). Time is proportional to the number
 * of records.
 */
export function* cnameLoops(entries: readonly Entry[]): Generator<Loop> {
  if (!entries.some(({ record: { type } }) => type === 'CNAME' || type === 'ALIAS')) return
  const zone = zoneOf(entries)
  for (const { record, index } of entries) {
    if (record.type !== 'CNAME' && record.type !== 'ALIAS') continue
    const end = endOf(zone, targetName(record.value))
    if (end === 'loop' || (end === 'steered' && record.multiCdn))
      yield { problem: 900106, index, others: chainOf(zone, record) }
  }
}

/** Where following a name ends: at no alias, in a circle, or at a name that multi-CDN steers. */
type End = 'open' | 'loop' | 'steered'
type Alias = { target: string; index: number }
type Zone = { aliases: Map<string, Alias>; steered: Set<string>; names: Set<string>; ends: Map<string, End> }

function zoneOf(entries: readonly Entry[]): Zone {
  const zone: Zone = { aliases: new Map(), steered: new Set(), names: new Set(), ends: new Map() }
  for (const { record, index, owner } of entries) {
    // Names above a record exist too, as empty non-terminals, and hide wildcards.
    for (let name = owner; name.includes('.'); name = parentOf(name)) zone.names.add(name)
    if (record.multiCdn) zone.steered.add(owner)
    else if (record.type === 'CNAME' || record.type === 'ALIAS')
      zone.aliases.set(owner, { target: targetName(record.value), index })
  }
  return zone
}

function endOf(zone: Zone, start: string): End {
  const path = new Set<string>()
  let end: End | undefined
  for (let name: string | undefined = start; end === undefined; name = aliasAt(zone, name)?.target) {
    if (name === undefined) end = 'open'
    else if (path.has(name)) end = 'loop'
    else end = zone.steered.has(name) ? 'steered' : zone.ends.get(name)
    if (end !== undefined || name === undefined) break
    path.add(name)
  }
  for (const passed of path) zone.ends.set(passed, end ?? 'open')
  return end ?? 'open'
}

const HOPS = 64

/** The aliases that a record leads to, as far as any resolver would follow. */
function chainOf(zone: Zone, record: WireRecord): number[] {
  const chain: number[] = []
  for (
    let alias = aliasAt(zone, targetName(record.value));
    alias !== undefined && chain.length < HOPS;
    alias = aliasAt(zone, alias.target)
  )
    chain.push(alias.index)
  return chain
}

/** The alias of the name itself, or of the wildcard of its closest existing ancestor. */
function aliasAt({ aliases, names }: Zone, name: string): Alias | undefined {
  if (names.has(name)) return aliases.get(name)
  let encloser = parentOf(name)
  while (encloser !== '' && !names.has(encloser)) encloser = parentOf(encloser)
  return encloser === '' ? undefined : aliases.get(`*.${encloser}`)
}

const parentOf = (name: string): string => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')
