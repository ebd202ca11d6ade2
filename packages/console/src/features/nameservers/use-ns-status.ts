import { addSite } from '@fairway/contract'
import { useRead } from '../../api/queries.ts'

const CHECKING_MS = 2_000

/** What the parent says about a site, followed while it is being checked. */
export function useNsStatus(site: string) {
  return useRead(
    addSite.routes.nsStatus,
    { site },
    { everyMs: (now) => (now?.state === 'checking' ? CHECKING_MS : false) },
  )
}
