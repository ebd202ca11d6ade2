import type { DnsRecord } from '@fairway/contract'
import { absoluteName } from '@fairway/domain'
import type { DnsRecordsSearch } from './route.ts'

type Wanted = Pick<DnsRecordsSearch, 'search' | 'type' | 'multiCdn'> & {
  siteName: string
  /** Only the records of this name and below. */
  domainName: string | null
}

/** The records that the filters leave. The text is looked for in the whole name, the value and the type. */
export function filterRecords(records: readonly DnsRecord[], { search = '', type, multiCdn, siteName, domainName }: Wanted): DnsRecord[] {
  const text = search.trim().toLowerCase()
  return records.filter((record) => {
    const name = absoluteName(record.name, siteName)
    if (domainName !== null && name !== domainName) return false
    if (type && type.length > 0 && !type.includes(record.type)) return false
    if (multiCdn !== undefined && record.multiCdn !== (multiCdn === 'on')) return false
    return text === '' || name.includes(text) || record.value.toLowerCase().includes(text) || record.type.toLowerCase() === text
  })
}

/** How people call a record. */
export function recordLabel({ name, type }: Pick<DnsRecord, 'name' | 'type'>): string {
  return `${name} ${type}`
}

/** Whether multi-CDN could steer this name at all: addresses and aliases, neither wildcard nor underscore. */
export function isSteerable({ type, name }: Pick<DnsRecord, 'name' | 'type'>): boolean {
  return (type === 'A' || type === 'AAAA' || type === 'CNAME') && !name.startsWith('*') && !name.includes('_')
}
