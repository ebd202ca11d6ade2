import { dnsRecords } from '@fairway/contract'
import type { AnyRoute } from '@fairway/contract'
import { useRead } from '../../api/queries.ts'
import { useCanCall } from '../../shell/access/session.ts'

/** Whether the site's records come from another primary; what is fetched is changed there. */
export function useIsFetched(siteId: string): boolean {
  return useRead(dnsRecords.routes.zone, { site: siteId }).data?.fetched === true
}

/** Whether records of the site may be changed here by this call. */
export function useCanEdit(siteId: string, route: AnyRoute): boolean {
  const fetched = useIsFetched(siteId)
  return useCanCall(route) && !fetched
}
