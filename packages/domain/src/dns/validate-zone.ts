import type { ErrorCode } from '@fairway/contract'
import { isBogon } from './bogon.ts'
import { cnameLoops } from './cname-loop.ts'
import { absoluteName, isAtOrUnder } from './names.ts'
import { AUTO_TTL_SECONDS, toRdata, type WireRecord } from './to-rrsets.ts'

/** What keeps a zone from being served as it is, and the record (by place in the list) that shows it. */
export type ZoneProblem = { problem: ErrorCode; index: number }

/** The same with the records that it comes from as well: what shows it may have been right before they came. */
export type ZoneProblemWithCauses = ZoneProblem & { others: number[] }

type Entry = { record: WireRecord; index: number; owner: string }

/**
 * Rules across the records of a site, each of them valid by itself; the first problem, or null. Pass the zone as it
 * would be after the change.
 */
export function validateZone(records: readonly WireRecord[], siteName: string): ZoneProblem | null {
  for (const { problem, index } of zoneProblems(records, siteName)) return { problem, index }
  return null
}

/** All problems of a zone. Of records that exclude each other the first in the list is right. */
export function* zoneProblems(records: readonly WireRecord[], siteName: string): Generator<ZoneProblemWithCauses> {
  const site = siteName.toLowerCase()
  const entries = records.map((record, index): Entry => ({ record, index, owner: absoluteName(record.name, site) }))
  for (const { record, index } of entries) {
    const problem = multiCdnProblem(record)
    if (problem !== null) yield { problem, index, others: [] }
  }
  for (const [owner, own] of Map.groupBy(entries, (entry) => entry.owner)) {
    // Of a record that is alone at its name only the apex asks anything.
    if (own.length === 1 && owner !== site) continue
    yield* duplicates(own)
    yield* besideAlias(own, owner === site)
    yield* besideFlattened(own)
    yield* besideNullMx(own)
    yield* differentTtl(own)
  }
  yield* withoutDelegation(entries)
  yield* cnameLoops(entries)
  yield* underDelegation(entries, site)
}

/** Why multi-CDN can't steer this name, or null. */
function multiCdnProblem({ type, name, value, multiCdn }: WireRecord): ErrorCode | null {
  if (!multiCdn) return null
  if (type !== 'A' && type !== 'AAAA' && type !== 'CNAME') return 900018
  if (name.startsWith('*')) return 900020
  if (name.includes('_')) return 900028
  return type !== 'CNAME' && isBogon(value.trim()) ? 900023 : null
}

function* duplicates(own: readonly Entry[]): Generator<ZoneProblemWithCauses> {
  const seen = new Map<string, number>()
  for (const { record, index } of own) {
    const key = `${record.type} ${toRdata(record)}`
    const first = seen.get(key)
    if (first !== undefined) yield { problem: 900101, index, others: [first] }
    else seen.set(key, index)
  }
}

/**
 * A CNAME stands alone at its name (RFC 1034 3.6.2) and never at the apex. A steered name answers a CNAME, so it too
 * stands alone but for the records of its own origin;
 * at the apex it is flattened, and only address records beside it would contradict it.
 */
function* besideAlias(own: readonly Entry[], isApex: boolean): Generator<ZoneProblemWithCauses> {
  if (isApex)
    for (const { record, index } of own)
      if (record.type === 'CNAME' && !record.multiCdn) yield { problem: 900105, index, others: [] }
  const others = isApex ? own.filter(({ record }) => isAddressLike(record)) : own
  const [first, ...rest] = others
  if (first === undefined) return
  for (const entry of rest) {
    const isAlias = first.record.type === 'CNAME' || entry.record.type === 'CNAME'
    if (isAlias || first.record.multiCdn !== entry.record.multiCdn)
      yield { problem: 900104, index: entry.index, others: [first.index] }
  }
}

const isAddressLike = ({ type }: WireRecord): boolean => type === 'A' || type === 'AAAA' || type === 'CNAME'

/**
 * An ALIAS answers addresses, so nothing else at its name may: neither addresses, nor a CNAME, nor steering, nor
 * another ALIAS.
 */
function* besideFlattened(own: readonly Entry[]): Generator<ZoneProblemWithCauses> {
  const alias = own.find(({ record }) => record.type === 'ALIAS')
  if (alias === undefined) return
  const rival = own.find((entry) => entry !== alias && (isAddressLike(entry.record) || entry.record.type === 'ALIAS'))
  if (rival !== undefined)
    yield { problem: 900111, index: Math.max(alias.index, rival.index), others: [Math.min(alias.index, rival.index)] }
}

/** Who takes no mail has no other mail server (RFC 7505 3). */
function* besideNullMx(own: readonly Entry[]): Generator<ZoneProblemWithCauses> {
  const [first, ...rest] = own.filter(({ record }) => record.type === 'MX')
  if (first === undefined) return
  for (const { record, index } of rest)
    if (isNullMx(record) || isNullMx(first.record)) yield { problem: 900115, index, others: [first.index] }
}

const isNullMx = ({ value }: WireRecord): boolean => value.trim() === '.'

/** A DS is about the keys of a zone that is handed over (RFC 4035 2.4). */
function* withoutDelegation(entries: readonly Entry[]): Generator<ZoneProblemWithCauses> {
  const delegated = new Set(entries.filter(({ record }) => record.type === 'NS').map(({ owner }) => owner))
  for (const { record, index, owner } of entries)
    if (record.type === 'DS' && !delegated.has(owner)) yield { problem: 900110, index, others: [] }
}

/** Records of one name and type share one TTL (RFC 2181 5.2). */
function* differentTtl(own: readonly Entry[]): Generator<ZoneProblemWithCauses> {
  const firsts = new Map<string, { ttlSeconds: number; index: number }>()
  for (const { record, index } of own) {
    const ttlSeconds = record.ttlSeconds ?? AUTO_TTL_SECONDS
    const first = firsts.get(record.type) ?? { ttlSeconds, index }
    firsts.set(record.type, first)
    if (first.ttlSeconds !== ttlSeconds) yield { problem: 900108, index, others: [first.index] }
  }
}

/** What lies at or under a delegated name is never answered, but for the addresses of its nameservers (glue). */
function* underDelegation(entries: readonly Entry[], site: string): Generator<ZoneProblemWithCauses> {
  const cuts = new Map<string, number>()
  for (const { record, index, owner } of entries) if (record.type === 'NS') cuts.set(owner, index)
  if (cuts.size === 0) return
  for (const { record, index, owner } of entries) {
    const isGlue = (record.type === 'A' || record.type === 'AAAA') && !record.multiCdn
    const cut = isGlue
      ? undefined
      : cutAbove(cuts, record.type === 'NS' || record.type === 'DS' ? parentOf(owner) : owner, site)
    if (cut !== undefined) yield { problem: 900109, index, others: [cut] }
  }
}

function cutAbove(cuts: ReadonlyMap<string, number>, owner: string, site: string): number | undefined {
  for (let name = owner; isAtOrUnder(name, site); name = parentOf(name)) {
    const cut = cuts.get(name)
    if (cut !== undefined) return cut
  }
  return undefined
}

const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1)
