import type { RecordInput, ZoneFileNote, ZoneFileSkip } from '@fairway/contract'
import { isDoubled } from '../names.ts'
import { allowedTtl, readRecord } from '../found-records.ts'
import { tidyRecord } from '../record-values.ts'
import { AUTO_TTL_SECONDS, toRdata, type WireRecord } from '../to-rrsets.ts'
import type { FileRecord } from './file-records.ts'

/** A record of the file on its way: `input` is null as soon as there is a `reason` why it is not taken. */
export type Judged = { file: FileRecord; input: RecordInput | null; reason: string | null; notes: ZoneFileNote[] }

/** What judging needs of the site. `steered` are the records that multi-CDN answers, by name. */
export type JudgedSite = { siteName: string; minimumTtlSeconds: number; steered: ReadonlyMap<string, WireRecord> }

// Signatures and what goes with them: a server makes its own.
const SIGNING: ReadonlySet<string> = new Set([
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'DNSKEY',
  'CDS',
  'CDNSKEY',
  'CSYNC',
  'ZONEMD',
  'SIG',
  'KEY',
  'NXT',
])

/** Whether a record of a file can be a record of the site, by itself, and how it fits. */
export function judgeRecord(file: FileRecord, site: JudgedSite): Judged {
  const skip = (reason: string): Judged => ({ file, input: null, reason, notes: [] })
  const kind = skipOf(file)
  if (kind !== null) return skip(kind)
  const ttlSeconds = allowedTtl(file.ttlSeconds, site.minimumTtlSeconds)
  const read = readRecord(
    { type: file.type, name: file.name, value: file.value, preference: file.preference, ttlSeconds, multiCdn: false },
    site.siteName,
  )
  if ('problem' in read) return skip(read.problem)
  const { comment, tags } = file
  const noted = { ...(comment === undefined ? {} : { comment }), ...(tags ? { tags } : {}) }
  const input = tidyRecord({ ...read.input, weight: file.weight ?? null, ...noted })
  const steered = site.steered.get(input.name)
  if (steered !== undefined && isAddressLike(input.type))
    return skip((isSameData(steered, input) ? 'same' : 'steered') satisfies ZoneFileSkip)
  return { file, input, reason: null, notes: notesOf(file, ttlSeconds, site.siteName) }
}

function skipOf({ type, name }: FileRecord): ZoneFileSkip | null {
  if (name.endsWith('.')) return 'outside'
  if (type === 'SOA' || (type === 'NS' && name === '@')) return 'managed'
  return SIGNING.has(type) ? 'signing' : null
}

function notesOf(file: FileRecord, ttlSeconds: number | null, siteName: string): ZoneFileNote[] {
  const notes: ZoneFileNote[] = file.multiCdn ? ['notSteered'] : []
  if (isDoubled(file.name, siteName)) notes.push('nameDoubled')
  if (file.comment || (file.tags ?? []).length > 0) notes.push('noted')
  const difference = ttlSeconds === null || file.ttlSeconds === null ? 0 : ttlSeconds - file.ttlSeconds
  if (difference !== 0) notes.push(difference > 0 ? 'ttlRaised' : 'ttlLowered')
  return notes
}

const isAddressLike = (type: string): boolean => type === 'A' || type === 'AAAA' || type === 'CNAME'

export const isSameData = (a: WireRecord, b: WireRecord): boolean => a.type === b.type && toRdata(a) === toRdata(b)

/** Resolvers cannot tell Auto from its seconds. */
export const effectiveTtl = ({ ttlSeconds }: Pick<WireRecord, 'ttlSeconds'>): number => ttlSeconds ?? AUTO_TTL_SECONDS
