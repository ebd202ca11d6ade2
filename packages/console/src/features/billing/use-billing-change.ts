import type { RouteInput, RouteOutput } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { CallableRoute } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { accountRead } from '../../shell/access/session.ts'

/**
 * A change that touches money: everything of billing, and what the plan allows, is read again. The screen shows the
 * error itself.
 */
export function useBillingChange<R extends CallableRoute>(
  route: R,
  onDone?: (output: RouteOutput<R>, input: RouteInput<R>) => void,
  subject: string | null = null,
) {
  const queryClient = useQueryClient()
  return useChange(route, {
    subject,
    onDone: (output, input) => {
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          typeof path === 'string' && (path.startsWith('/billing') || path === accountRead.queryKey[0]),
      })
      onDone?.(output, input)
    },
  })
}
