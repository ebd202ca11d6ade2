import { cdnManagement, dnsRecords } from '@fairway/contract'
import type { Site } from '@fairway/contract'
import { type QueryClient, replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { read } from '../../api/queries.ts'
import { usePainted } from '../../ui/pace/use-painted.ts'

type Place = Pick<Site, 'id' | 'recordCount'>

/** From so many records on the first of them are asked for by themselves: they are there long before the rest. */
const MANY = 500
const FIRST = 100

/** A site holds some dozens to some thousands of records: all of them at once make filter and sort immediate. */
export const recordsRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: -1 })
const firstRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: FIRST })

/**
 * Asks for the records of a site before the screen is there; of very many for the first of them, which asked for
 * together with all would come no sooner.
 */
export function prefetchRecords(queryClient: QueryClient, { id, recordCount }: Place): void {
  const isFirst = recordCount >= MANY && !queryClient.getQueryData(recordsRead(id).queryKey)
  void queryClient.prefetchQuery(isFirst ? firstRead(id) : recordsRead(id))
}

/**
 * The records of a site; `isPlaceholderData` while only the first of very many are here. The others are asked for when
 * those can be seen.
 */
export function useRecords({ id, recordCount }: Place) {
  const isLong = recordCount >= MANY
  const first = useQuery({ ...firstRead(id), enabled: ({ state }) => isLong && state.data === undefined })
  const isFirstSeen = usePainted(first.data !== undefined || first.isError ? true : null)
  return useQuery({
    ...recordsRead(id),
    enabled: ({ state }) => !isLong || isFirstSeen || state.data !== undefined,
    placeholderData: first.data,
    // Those that are drawn already stay the same objects, and are not drawn again.
    structuralSharing: (before, all) => replaceEqualDeep(before ?? first.data, all),
  })
}

export const cdnsRead = read(cdnManagement.routes.platforms, { page_size: -1 })
