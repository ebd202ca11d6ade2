import type { RouteInput, RouteOutput } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { CallableRoute } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'

/** A change after which everything below `path` is read again: no event tells of what belongs to no organisation. */
export function useRefreshing<R extends CallableRoute>(
  route: R,
  path: string,
  onDone?: (output: RouteOutput<R>, input: RouteInput<R>) => void,
  { ownError = false } = {},
) {
  const queryClient = useQueryClient()
  return useChange(route, {
    ...(ownError ? { subject: null } : {}),
    onDone: (output, input) => {
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [read] }) => typeof read === 'string' && read.startsWith(path),
      })
      onDone?.(output, input)
    },
  })
}
