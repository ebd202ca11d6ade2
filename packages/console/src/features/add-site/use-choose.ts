import { type FoundRecord, type RouteOutput, addSite } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { change } from '../../api/use-change.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import { foundRead } from './found-reads.ts'

type Found = RouteOutput<typeof addSite.routes.found>

/** Takes records into the site or leaves them out, shown at once and set back when it is refused. */
export function useChoose(site: string): (records: readonly Pick<FoundRecord, 'id'>[], chosen: boolean) => void {
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  return (records, chosen) => {
    const { queryKey } = foundRead(site)
    const ids = new Set(records.map(({ id }) => id))
    const before = queryClient.getQueryData<Found>(queryKey)
    queryClient.setQueryData<Found>(
      queryKey,
      (now) => now && { ...now, data: now.data.map((row) => (ids.has(row.id) ? { ...row, chosen } : row)) },
    )
    change(queryClient, addSite.routes.choose, { site, ids: [...ids], chosen }).catch((error: unknown) => {
      queryClient.setQueryData(queryKey, before)
      reportFailure('choose', error)
    })
  }
}
