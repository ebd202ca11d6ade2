import { LIMITS, notifications } from '@fairway/contract'
import type { RouteInput } from '@fairway/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { read, useRead } from '../../api/queries.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'

/** How many are not read. Asked every 30 s and whenever an event says so; when it cannot be known it is 0. */
export function useUnreadCount(): number {
  const { data, error } = useRead(notifications.routes.unreadCount, {}, { everyMs: LIMITS.configPollMs })
  return error ? 0 : (data?.unreadCount ?? 0)
}

/** Everything about notifications is asked again. */
export function useRefreshNews(): () => void {
  const queryClient = useQueryClient()
  return () =>
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [path] }) => typeof path === 'string' && path.startsWith('/event/v2/'),
    })
}

type Marking = RouteInput<typeof notifications.routes.markRead> | 'all'

/** Marks one or all. What a reader has seen is no change of the organisation, so a demonstration may do it too. */
export function useMarkRead(): (what: Marking) => void {
  const queryClient = useQueryClient()
  const refresh = useRefreshNews()
  const reportFailure = useReportFailure()
  const { mutate } = useMutation({
    mutationFn: (what: Marking) =>
      what === 'all' ? api(notifications.routes.markAllRead, {}) : api(notifications.routes.markRead, what),
    onSuccess: (answer) => {
      queryClient.setQueryData(read(notifications.routes.unreadCount, {}).queryKey, answer)
      refresh()
    },
    onError: (error) => reportFailure('mark-read', error),
  })
  return mutate
}
