import { cdnManagement, dnsRecords } from '@fairway/contract'
import type { Site } from '@fairway/contract'
import { relativeName } from '@fairway/domain'
import { type QueryClient, replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { read, useRead } from '../../api/queries.ts'
import { usePainted } from '../../ui/pace/use-painted.ts'
import type { DnsRecordsSearch } from './search.ts'

type Place = Pick<Site, 'id' | 'recordCount'>

/** From so many records on the first of them are asked for by themselves: they are there long before the rest. */
const MANY = 500
const FIRST = 100

/** Of more than these a tab would be busy for long: pages of them are asked for, sorted and searched by the server. */
const MOST_AT_ONCE = 20_000
export const PAGE = 500

export const isPaged = ({ recordCount }: Pick<Site, 'recordCount'>): boolean => recordCount > MOST_AT_ONCE

/** A site holds some dozens to some thousands of records: all of them at once make filter and sort immediate. */
export const recordsRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: -1 })
const firstRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: FIRST })

/**
 * Asks for the records of a site before the screen is there; of very many for the first of them, which asked for
 * together with all would come no sooner.
 */
export function prefetchRecords(queryClient: QueryClient, { id, recordCount }: Place): void {
  if (isPaged({ recordCount })) return
  const isFirst = recordCount >= MANY && !queryClient.getQueryData(recordsRead(id).queryKey)
  void queryClient.prefetchQuery(isFirst ? firstRead(id) : recordsRead(id))
}

/**
 * The records of a site; `isPlaceholderData` while only the first of very many are here. The others are asked for when
 * those can be seen.
 */
export function useRecords({ id, recordCount }: Place) {
  const isWhole = !isPaged({ recordCount })
  const isLong = isWhole && recordCount >= MANY
  const first = useQuery({ ...firstRead(id), enabled: ({ state }) => isLong && state.data === undefined })
  const isFirstSeen = usePainted(first.data !== undefined || first.isError ? true : null)
  return useQuery({
    ...recordsRead(id),
    enabled: ({ state }) => isWhole && (!isLong || isFirstSeen || state.data !== undefined),
    placeholderData: first.data,
    // Those that are drawn already stay the same objects, and are not drawn again.
    structuralSharing: (before, all) => replaceEqualDeep(before ?? first.data, all),
  })
}

/** Columns of the table as the server sorts by them. */
const ORDERS: Readonly<Record<string, string>> = {
  type: 'type',
  name: 'name',
  value: 'value',
  ttl: 'ttl',
  routing: 'multi_cdn',
  multiCdn: 'multi_cdn',
  modified: 'modified_at',
}

function orderingOf(sort = 'name'): string {
  const isDown = sort.startsWith('-')
  return `${isDown ? '-' : ''}${ORDERS[isDown ? sort.slice(1) : sort] ?? 'name'}`
}

type Wanted = Pick<DnsRecordsSearch, 'search' | 'type' | 'multiCdn' | 'tag' | 'sort' | 'page'> & {
  /** Only the records of this name. */
  domainName: string | null
}

/** A page of the records of a site that has very many; nothing is asked for of any other. */
export function usePagedRecords(
  site: Place & Pick<Site, 'domainName'>,
  { search, type, multiCdn, tag, sort, page = 1, domainName }: Wanted,
) {
  const text = search?.trim().toLowerCase() ?? ''
  return useRead(
    dnsRecords.routes.list,
    {
      site: site.id,
      page,
      page_size: PAGE,
      ordering: orderingOf(sort),
      // Names are kept without the site's own.
      ...(text === '' ? {} : { search: relativeName(text, site.domainName) }),
      ...(type?.length ? { type: type.join(',') } : {}),
      ...(multiCdn === undefined ? {} : { multi_cdn: multiCdn === 'on' ? ('true' as const) : ('false' as const) }),
      ...(tag?.length ? { tag: tag.join(',') } : {}),
      ...(domainName === null ? {} : { name: relativeName(domainName, site.domainName) }),
    },
    { enabled: isPaged(site) },
  )
}

export const cdnsRead = read(cdnManagement.routes.platforms, { page_size: -1 })
