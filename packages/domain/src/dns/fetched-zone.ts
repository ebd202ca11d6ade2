import { RECORD_TYPES, type RecordInput, type Rrset } from '@fairway/contract'
import type { RawRecord } from './found-records.ts'
import { isAtOrUnder } from './names.ts'
import { isUnderstood, rdataBytes, writeRdata } from './rdata/rdata.ts'
import { isMetaType, typeCode, typeName } from './rdata/type-codes.ts'
import { valueOfRdata } from './record-values.ts'

/** A record of a zone that was fetched whole: its TTL is known. */
export type FetchedRecord = RawRecord & { ttlSeconds: number }
/** What a site is given of it: the SOA and the nameservers that its primary says, and records as the site's own. */
export type SiteOfPrimary = { apex: Rrset[]; records: RecordInput[] }
export type FetchedZoneProblem = 'malformed' | 'signed' | 'unsupported'

const SITE_TYPES: ReadonlySet<string> = new Set(RECORD_TYPES)
/** Signatures would have to be answered beside what they sign, and DNAME makes names of its own. */
const SIGNED: ReadonlySet<string> = new Set(['RRSIG', 'DNSKEY', 'NSEC', 'NSEC3', 'NSEC3PARAM'])

/**
 * A record of the wire in its one presentation form, types without a form of their own by number; null when the bytes
 * do not fit the type.
 */
export function fetchedRecord({
  name,
  type: code,
  ttlSeconds,
  rdata: bytes,
}: {
  name: string
  type: number
  ttlSeconds: number
  rdata: Uint8Array
}): FetchedRecord | null {
  const named = typeName(`TYPE${code}`) ?? `TYPE${code}`
  const type = isUnderstood(named) ? named : `TYPE${code}`
  const rdata = isMetaType(code) ? null : writeRdata(type, [...bytes])
  return rdata === null ? null : { name, type, ttlSeconds, rdata }
}

/** The zone in the rows of a site, or why it cannot be. */
export function siteOfPrimary(
  records: readonly FetchedRecord[],
  siteName: string,
): SiteOfPrimary | { problem: FetchedZoneProblem } {
  if (records.some(({ type }) => SIGNED.has(nameOf(type)))) return { problem: 'signed' }
  if (records.some(({ type }) => type === 'DNAME')) return { problem: 'unsupported' }
  // What is not in the zone is none of its primary's business (RFC 5936 3.5).
  const own = records.filter(({ name }) => isAtOrUnder(name, siteName))
  const isApexSet = ({ name, type }: FetchedRecord): boolean => name === siteName && (type === 'SOA' || type === 'NS')
  const apex = ['SOA', 'NS'].map((type) =>
    apexSet(
      own.filter((record) => record.name === siteName && record.type === type),
      siteName,
      type === 'SOA' ? 'SOA' : 'NS',
    ),
  )
  const [soa, ns] = apex
  if (
    soa?.rdata.length !== 1 ||
    !ns ||
    ns.rdata.length === 0 ||
    own.some(({ name, type }) => type === 'SOA' && name !== siteName)
  )
    return { problem: 'malformed' }
  return {
    apex: [soa, ns],
    records: own.filter((record) => !isApexSet(record)).map((record) => siteRecord(record, siteName)),
  }
}

const nameOf = (type: string): string => typeName(type) ?? type

function apexSet(records: readonly FetchedRecord[], name: string, type: 'SOA' | 'NS'): Rrset {
  return {
    name,
    type,
    ttlSeconds: Math.min(...records.map(({ ttlSeconds }) => ttlSeconds)),
    rdata: [...new Set(records.map(({ rdata }) => rdata))],
  }
}

function siteRecord({ name, type, ttlSeconds, rdata }: FetchedRecord, siteName: string): RecordInput {
  const relative = name === siteName ? '@' : name.slice(0, -siteName.length - 1)
  const rest = { name: relative, ttlSeconds, multiCdn: false, weight: null }
  if (SITE_TYPES.has(type)) return { ...rest, type: type as RecordInput['type'], ...valueOfRdata(type, rdata) }
  // A site has no form for the type: by its number and in bytes (RFC 3597 5).
  const generic = `TYPE${typeCode(type)}` as const
  return {
    ...rest,
    type: generic,
    value: writeRdata(generic, [...(rdataBytes(type, rdata) ?? [])]) ?? rdata,
    preference: null,
  }
}
