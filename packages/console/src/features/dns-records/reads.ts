import { cdnManagement, dnsRecords } from '@fairway/contract'
import type { Site } from '@fairway/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { read } from '../../api/queries.ts'

type Place = Pick<Site, 'id' | 'recordCount'>

/** From so many records on the first of them are asked for by themselves: they are there long before the rest. */
const MANY = 500
const FIRST = 50

/** A site holds some dozens to some thousands of records: all of them at once make filter and sort immediate. */
export const recordsRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: -1 })
const firstRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: FIRST })

/** Asks for the records of a site before the screen is there. */
export function prefetchRecords(queryClient: QueryClient, { id, recordCount }: Place): void {
  if (recordCount >= MANY && !queryClient.getQueryData(recordsRead(id).queryKey)) void queryClient.prefetchQuery(firstRead(id))
  void queryClient.prefetchQuery(recordsRead(id))
}

/** The records of a site; `isPlaceholderData` while only the first of very many are here. */
export function useRecords({ id, recordCount }: Place) {
  const first = useQuery({ ...firstRead(id), enabled: ({ state }) => recordCount >= MANY && state.data === undefined })
  return useQuery({ ...recordsRead(id), placeholderData: first.data })
}

export const cdnsRead = read(cdnManagement.routes.platforms, { page_size: -1 })
