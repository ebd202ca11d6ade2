import { dataFeeds, outsideFeeds } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'

/** Has the feeds read again, and what they have to do with decisions. */
export function useRefreshFeeds(): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const { path } of [outsideFeeds.routes.list, dataFeeds.routes.list, dataFeeds.routes.without])
      void queryClient.invalidateQueries({ queryKey: [path] })
  }
}
