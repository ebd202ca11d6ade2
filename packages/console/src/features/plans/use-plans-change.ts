import type { RouteInput, RouteOutput } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { CallableRoute } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'

/**
 * A change of what is sold: the operator's lists, and what customers see of them, are read again. The screen shows the
 * error itself.
 */
export function usePlansChange<R extends CallableRoute>(
  route: R,
  onDone: (output: RouteOutput<R>, input: RouteInput<R>) => void,
) {
  const queryClient = useQueryClient()
  return useChange(route, {
    subject: null,
    onDone: (output, input) => {
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          typeof path === 'string' && (path.startsWith('/operator/v2/') || path.startsWith('/billing')),
      })
      onDone(output, input)
    },
  })
}
