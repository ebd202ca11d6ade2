import { streamAnalytics } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followShared } from '../../api/shared-stream.ts'
import { useAccount } from '../../shell/access/session.ts'

/** What a player has told can be asked for so long after. */
const STORED_MS = 1_500
/** With many viewers there is always something new. */
const APART_MS = 3_000
const { live, ...reads } = streamAnalytics.routes
const PATHS: ReadonlySet<unknown> = new Set(Object.values(reads).map(({ path }) => path))

/** Reads what is shown of views again soon after players have told something. */
export function useFreshViews(isNow: boolean): void {
  const { organizationId } = useAccount()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isNow) return
    let [timer, last, known]: [ReturnType<typeof setTimeout> | null, number, number | null] = [null, 0, null]
    const read = () => {
      timer = null
      last = Date.now()
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) => PATHS.has(path),
        refetchType: 'active',
      })
    }
    const stop = followShared(live.path, organizationId, (data) => {
      const told = live.out.safeParse(JSON.parse(data))
      if (!told.success) return
      const isNew = known !== null && told.data.posts !== known
      known = told.data.posts
      if (isNew) timer ??= setTimeout(read, Math.max(STORED_MS, last + APART_MS - Date.now()))
    })
    return () => {
      stop()
      if (timer !== null) clearTimeout(timer)
    }
  }, [isNow, organizationId, queryClient])
}
