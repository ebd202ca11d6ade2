import type { RecordInput } from '@fairway/contract'
import { targetName } from './names.ts'
import { rdataOfText } from './rdata/rdata.ts'
import { canHaveWeight } from './to-rrsets.ts'
import { quoteTxt, txtStrings } from './txt.ts'

/**
 * A record as it is kept: names in values in lower case without the last dot, numbers plain, a preference on MX only. A
 * value that does not fit its type stays.
 */
export function tidyRecord(record: RecordInput): RecordInput {
  return {
    ...record,
    value: tidyValue(record),
    preference: record.type === 'MX' ? record.preference : null,
    weight: canHaveWeight(record.type) && !record.multiCdn ? record.weight : null,
    ...(record.tags ? { tags: [...new Set(record.tags)] } : {}),
  }
}

function tidyValue({ type, value }: RecordInput): string {
  switch (type) {
    case 'CNAME':
    case 'ALIAS':
    case 'NS':
    case 'PTR':
    case 'MX':
      return targetOrRoot(value)
    case 'SRV':
    case 'CAA':
      return withoutLastDot(rdataOfText(type, value) ?? value)
    case 'A':
    case 'AAAA':
    case 'TXT':
      return value
    default:
      return rdataOfText(type, value) ?? value
  }
}

/**
 * Value and preference of a record by its rdata in presentation form, as people write them: any type, also one that a
 * site cannot hold.
 */
export function valueOfRdata(type: string, rdata: string): { value: string; preference: number | null } {
  switch (type) {
    case 'MX': {
      const [, preference, exchange] = /^(\d+)\s+(\S+)$/.exec(rdata) ?? []
      return { value: targetOrRoot(exchange ?? rdata), preference: Number(preference ?? 0) }
    }
    case 'TXT':
      return { value: plainText(rdata), preference: null }
    case 'CNAME':
    case 'ALIAS':
    case 'NS':
    case 'PTR':
      return { value: targetOrRoot(rdata), preference: null }
    case 'SRV':
      return { value: withoutLastDot(rdata), preference: null }
    default:
      return { value: rdata, preference: null }
  }
}

/** The root alone keeps its dot, so that it is not taken for nothing. */
const targetOrRoot = (name: string): string => (name.trim() === '.' ? '.' : targetName(name))

/** The last dot of a name says that it is absolute, which names in values are; alone after a blank it is the root. */
const withoutLastDot = (rdata: string): string => (/[^ \\]\.$/.test(rdata) ? rdata.slice(0, -1) : rdata)

/** One string of printable text without the quotes, which is how people write it; anything else as it is. */
function plainText(rdata: string): string {
  const strings = txtStrings(rdata)
  const [only] = strings ?? []
  if (strings?.length !== 1 || only === undefined || only.length === 0) return rdata
  const text = String.fromCharCode(...only)
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('"') && quoteTxt([only]) === rdata
    ? text
    : rdata
}
