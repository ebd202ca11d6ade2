import { overview, sites } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'

type Happened = RouteOutput<typeof overview.routes.events>
type Kind = Happened['kind']

/** Which reads an event makes old, by the first words of the route's path. */
const TOUCHED: Record<Kind, readonly string[]> = {
  health: [
    '/analytics/v2/sites/{site}/overview/',
    '/web/v2/sites/{site}/domains/{domain}/cdns/',
    '/decisive/v2/',
    '/sim/v2/',
  ],
  version: [
    '/web/v2/',
    '/mdns/v2/',
    '/decisive/v2/',
    '/spine/v2/',
    '/sim/v2/',
    '/measure/v2/',
    '/account/v2/customers/',
    '/account/v2/who-can/',
    '/audit/v2/',
    '/wafmgmt/v2/',
    '/billing/v2/power-ups/',
    '/billing/v2/installed/',
    '/ssl/v2/',
    '/vsp/v2/assets/',
    '/vsp/v2/live-streams/',
    '/vsp/v2/balancers/',
    '/vsp/v2/peers/',
    '/vsp/v2/signed-urls/',
  ],
  acknowledged: ['/spine/v2/', '/web/v2/sites/', '/sim/v2/'],
  notification: ['/event/v2/notifications/', '/event/v2/webhooks/'],
  simulated: ['/sim/v2/', '/analytics/v2/sites/{site}/overview/', '/web/v2/sites/{site}/domains/{domain}/cdns/'],
}

/** True when a read of `path` is old after an event of this kind. */
export function isTouched(kind: Kind, path: string): boolean {
  return TOUCHED[kind].some((start) => path.startsWith(start))
}

/** True when the read is of one site alone, and none of these is it. A site that is not there may be any of them. */
function isOfAnother(queryClient: QueryClient, [path, input]: QueryKey, siteIds: ReadonlySet<string | null>): boolean {
  if (path !== sites.routes.list.path || siteIds.has(null)) return false
  if (typeof input !== 'object' || input === null || !('name' in input)) return false
  const row = queryClient.getQueryData<RouteOutput<typeof sites.routes.list>>([path, input])?.data[0]
  return row !== undefined && !siteIds.has(row.id)
}

/** Several nodes confirm within milliseconds of each other: one refetch is enough for all of them. */
const GATHER_MS = 80

/**
 * Follows the organisation's event stream and makes what it touches old. The browser reconnects by itself; after each
 * reconnect everything is
 * refetched, since events of the gap are lost. Answers a function that stops it.
 */
export function followEvents(queryClient: QueryClient, onEvent?: (event: Happened) => void): () => void {
  const source = new EventSource(overview.routes.events.path)
  const pending = new Map<Kind, Set<string | null>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dropped = false

  const flush = () => {
    timer = undefined
    const kinds = [...pending]
    pending.clear()
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => {
        const [path] = queryKey
        if (typeof path !== 'string') return false
        return kinds.some(([kind, ids]) => isTouched(kind, path) && !isOfAnother(queryClient, queryKey, ids))
      },
    })
  }
  source.addEventListener('message', (message: MessageEvent<string>) => {
    const event = overview.routes.events.out.safeParse(parseJson(message.data))
    if (!event.success) return
    onEvent?.(event.data)
    const { kind, siteId } = event.data
    pending.set(kind, (pending.get(kind) ?? new Set()).add(siteId))
    timer ??= setTimeout(flush, GATHER_MS)
  })
  source.addEventListener('error', () => {
    dropped = true
  })
  source.addEventListener('open', () => {
    if (dropped) void queryClient.invalidateQueries()
    dropped = false
  })
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
