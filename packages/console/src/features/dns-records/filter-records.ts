import type { DnsRecord } from '@fairway/contract'
import { absoluteName } from '@fairway/domain'
import type { DnsRecordsSearch } from './search.ts'

type Wanted = Pick<DnsRecordsSearch, 'search' | 'type' | 'multiCdn' | 'tag'> & {
  siteName: string
  /** Only the records of this name and below. */
  domainName: string | null
}

/** The records that the filters leave. The text is looked for in the whole name, the value and the type. */
export function filterRecords(
  records: readonly DnsRecord[],
  { search = '', type, multiCdn, tag, siteName, domainName }: Wanted,
): DnsRecord[] {
  const text = search.trim().toLowerCase()
  const words = text === '' ? [] : wordsOf(records, siteName)
  return records.filter((record, index) => {
    if (domainName !== null && absoluteName(record.name, siteName) !== domainName) return false
    if (type && type.length > 0 && !type.includes(record.type)) return false
    if (multiCdn !== undefined && record.multiCdn !== (multiCdn === 'on')) return false
    if (tag && tag.length > 0 && !tag.some((one) => record.tags.includes(one))) return false
    return text === '' || words[index]?.includes(text) === true || record.type.toLowerCase() === text
  })
}

const made = new WeakMap<readonly DnsRecord[], readonly string[]>()

/**
 * What a search looks into: the whole name, the value and the notes of each record, made once for a list and all the keys that are
 * typed.
 */
export function wordsOf(records: readonly DnsRecord[], siteName: string): readonly string[] {
  const words =
    made.get(records) ??
    records.map(({ name, value, comment, tags }) =>
      `${absoluteName(name, siteName)}\n${value}\n${comment}\n${tags.join('\n')}`.toLowerCase(),
    )
  made.set(records, words)
  return words
}

/** How people call a record. */
export function recordLabel({ name, type }: Pick<DnsRecord, 'name' | 'type'>): string {
  return `${name} ${type}`
}

/** Whether multi-CDN could steer this name at all: addresses and aliases, neither wildcard nor underscore. */
export function isSteerable({ type, name }: Pick<DnsRecord, 'name' | 'type'>): boolean {
  return (type === 'A' || type === 'AAAA' || type === 'CNAME') && !name.startsWith('*') && !name.includes('_')
}

/** The tags that records have, in order. */
export const tagsOf = (records: readonly DnsRecord[]): string[] =>
  [...new Set(records.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))
