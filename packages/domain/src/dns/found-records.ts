import { type ErrorCode, LIMITS, RECORD_TYPES, RecordInput, RecordType } from '@fairway/contract'
import { isAtOrUnder } from './names.ts'
import { genericRdata, rdataBytes, rdataOfText } from './rdata/rdata.ts'
import { TYPE_CODES, typeCode } from './rdata/type-codes.ts'
import { valueOfRdata } from './record-values.ts'
import { validateRecord } from './validate-record.ts'
import { validateZone } from './validate-zone.ts'

/**
 * A record as a nameserver or a zone file says it: absolute name in lower case without the trailing dot, rdata in
 * presentation form.
 */
export type RawRecord = { name: string; type: string; ttlSeconds: number | null; rdata: string }

/** A record in the review of a new site. The type may be any. */
export type ReviewRecord = {
  type: string
  name: string
  value: string
  preference: number | null
  ttlSeconds: number | null
  multiCdn: boolean
}

/** The nameservers' own records and signatures: a new server makes its own. */
const MADE_BY_SERVER: ReadonlySet<string> = new Set([
  'SOA',
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'DNSKEY',
  'CDS',
  'CDNSKEY',
  'ZONEMD',
  'CSYNC',
])

/** Understood, but nothing that a record can hold: the server makes it, or it answers for other names. */
const NOT_HELD: ReadonlySet<string> = new Set([...MADE_BY_SERVER, 'DNAME'])

const HELD_TYPES: ReadonlySet<string> = new Set(RECORD_TYPES)
const isHeldType = (type: string): boolean => HELD_TYPES.has(type) || RecordType.safeParse(type).success

/** A raw record of the site as the review shows it; null when it is outside the site or made by the server itself. */
export function reviewRecord(
  { name, type, ttlSeconds, rdata: raw }: RawRecord,
  siteName: string,
): Omit<ReviewRecord, 'multiCdn'> | null {
  if (!isAtOrUnder(name, siteName) || MADE_BY_SERVER.has(type) || (type === 'NS' && name === siteName)) return null
  // A type that the asker does not know comes in the generic form (RFC 3597 5).
  const rdata = raw.startsWith('\\#') ? (rdataOfText(type, raw) ?? raw) : raw
  const relative = name === siteName ? '@' : name.slice(0, -siteName.length - 1)
  return { type, name: relative, ...valueOfRdata(type, rdata), ttlSeconds }
}

/** The TTL that a plan allows: not below its least, and within the limits of a record. */
export const allowedTtl = (ttlSeconds: number | null, minimumSeconds: number): number | null =>
  ttlSeconds === null
    ? null
    : Math.min(LIMITS.ttlSeconds.max, Math.max(ttlSeconds, minimumSeconds, LIMITS.ttlSeconds.min))

/** Why a record cannot be added as it is, by itself: `unsupportedType`, or `validation.<key>`. */
export function reviewProblem(record: ReviewRecord, siteName: string): string | null {
  const read = readRecord(record, siteName)
  return 'problem' in read ? read.problem : null
}

/**
 * A record as a site holds it: SPF as the TXT that took its place (RFC 7208 3.1), and a type without a form of its own
 * here by its number (RFC 3597).
 */
export function heldAs<Given extends Pick<ReviewRecord, 'type' | 'value'>>(record: Given): Given {
  const { type, value } = record
  if (type === 'SPF') return { ...record, type: 'TXT', value: valueOfRdata('TXT', value).value }
  if (isHeldType(type) || !Object.hasOwn(TYPE_CODES, type)) return record
  const bytes = rdataBytes(type, value)
  return bytes ? { ...record, type: `TYPE${typeCode(type)}`, value: genericRdata([...bytes]) } : record
}

/** The record as it would be added, or why it cannot be. */
export function readRecord(given: ReviewRecord, siteName: string): { input: RecordInput } | { problem: string } {
  const record = NOT_HELD.has(given.type) ? given : heldAs(given)
  if (!isHeldType(record.type)) return { problem: 'unsupportedType' }
  const parsed = RecordInput.safeParse(record)
  if (!parsed.success)
    return {
      problem:
        parsed.error.issues.map(({ message }) => message).find((message) => message.startsWith('validation.')) ??
        'validation.invalid',
    }
  const [problem] = validateRecord(parsed.data, siteName)
  return problem === undefined ? { input: parsed.data } : { problem: problem.message }
}

/** Chosen records as they are added. Records of one name and type get one TTL, the shortest of them (RFC 2181 5.2). */
export function chosenRecords(records: readonly ReviewRecord[]): RecordInput[] {
  const inputs = records.map((record) => RecordInput.parse(heldAs(record)))
  const keyOf = ({ name, type }: RecordInput): string => `${name} ${type}`
  const ttls = new Map<string, number | null>()
  for (const input of inputs) {
    const before = ttls.get(keyOf(input))
    ttls.set(
      keyOf(input),
      before === undefined || input.ttlSeconds === null
        ? input.ttlSeconds
        : before === null
          ? null
          : Math.min(before, input.ttlSeconds),
    )
  }
  return inputs.map((input) => ({ ...input, ttlSeconds: ttls.get(keyOf(input)) ?? null }))
}

export type DomainCandidate<Row extends ReviewRecord> = {
  name: string
  record: Row
  only: boolean
  problem: ErrorCode | null
}

/**
 * Names with addresses, in the order of the records: those that visitors open. Multi-CDN takes one record as its
 * origin.
 */
export function domainCandidates<Row extends ReviewRecord>(
  records: readonly Row[],
  siteName: string,
): DomainCandidate<Row>[] {
  const addressLike = records.filter(({ type }) => type === 'A' || type === 'AAAA' || type === 'CNAME')
  return [...Map.groupBy(addressLike, ({ name }) => name)].flatMap(([name, own]) => {
    const record = own.find(({ type }) => type !== 'AAAA') ?? own[0]
    if (record === undefined) return []
    const only = own.length === 1 && record.type !== 'AAAA'
    return [
      {
        name,
        record,
        only,
        problem: steeringProblem(
          record,
          records.filter((other) => other.name === name),
          only,
          siteName,
        ),
      },
    ]
  })
}

function steeringProblem(
  record: ReviewRecord,
  beside: readonly ReviewRecord[],
  only: boolean,
  siteName: string,
): ErrorCode | null {
  if (record.name.startsWith('*')) return 900020
  if (record.name.includes('_')) return 900028
  if (!only) return 900018
  const zone = beside.flatMap((other) => {
    const parsed = RecordInput.safeParse({ ...other, multiCdn: other === record })
    return parsed.success ? [parsed.data] : []
  })
  return validateZone(zone, siteName)?.problem ?? null
}
