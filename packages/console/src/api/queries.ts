import type { RouteInput, RouteOutput } from '@fairway/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { type CallableRoute, api } from './client.ts'
import { mayRead } from './held-reads.ts'

/** Identity of a read: the route's path, then its input. Everything of one route is matched by its path alone. */
export type ReadKey = readonly [path: string, input: unknown]

/** Options of a read, for loaders (`queryClient.ensureQueryData`) and hooks alike. */
export function read<R extends CallableRoute>(route: R, input: RouteInput<R>) {
  const queryKey: ReadKey = [route.path, input]
  return queryOptions<RouteOutput<R>, ApiError, RouteOutput<R>, ReadKey>({
    queryKey,
    queryFn: async ({ signal }) => {
      await mayRead(route)
      return api(route, input, signal)
    },
  })
}

type ReadSettings<Data> = {
  /** Asks again on its own after so many ms, or never with false; for figures that no event announces. */
  everyMs?: number | ((data: Data | undefined) => number | false)
  /** Waits until the input is known. */
  enabled?: boolean
}

/** Reads a route and stays current. While a new input loads, the data before it stays (`isPlaceholderData`). */
export function useRead<R extends CallableRoute>(
  route: R,
  input: RouteInput<R>,
  settings: ReadSettings<RouteOutput<R>> = {},
) {
  const { everyMs = false, enabled = true } = settings
  return useQuery({
    ...read(route, input),
    placeholderData: keepPreviousData,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) : everyMs,
    enabled,
  })
}
