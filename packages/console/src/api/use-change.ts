import { account, sites } from '@fairway/contract'
import type { RouteInput, RouteOutput } from '@fairway/contract'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useReportFailure } from '../ui/layers/snackbar.tsx'
import { ApiError, SandboxRefusal } from './api-error.ts'
import { type CallableRoute, api } from './client.ts'
import { isTouched } from './events.ts'
import { read } from './queries.ts'

type ChangeSettings<R extends CallableRoute> = {
  onDone?: (output: RouteOutput<R>, input: RouteInput<R>) => void
  /** Subject of the snackbar that says why it failed; null when the screen shows `error` itself. */
  subject?: string | null
}

/**
 * Calls a mutating route. When it is done, everything that a change of a site touches is read again and the site's
 * newest version is known at once.
 * In a sandbox nothing is called and the refusal is said.
 */
export function useChange<R extends CallableRoute>(route: R, { onDone, subject = route.path }: ChangeSettings<R> = {}) {
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  return useMutation<RouteOutput<R>, ApiError | SandboxRefusal, RouteInput<R>>({
    mutationFn: (input) => change(queryClient, route, input),
    onSuccess: (output, input) => onDone?.(output, input),
    onError: (error) => {
      if (subject !== null) reportFailure(subject, error)
    },
  })
}

/** One change, outside of React's life cycle: what a snackbar's Undo calls after its screen is gone. */
export async function change<R extends CallableRoute>(
  queryClient: QueryClient,
  route: R,
  input: RouteInput<R>,
): Promise<RouteOutput<R>> {
  const { queryKey } = read(account.routes.info, {})
  if (queryClient.getQueryData(queryKey)?.sandboxMode === true) throw new SandboxRefusal()
  const output = await api(route, input)
  noteVersion(queryClient, input, output)
  // Few changes touch the account, so it is not read at once; whoever would be refused a page because of it is asked
  // about anew first.
  void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && isTouched('version', path),
  })
  return output
}

/**
 * The receipt names the version that holds the change: the site is *deploying* from now on, before any event says so.
 */
function noteVersion(queryClient: QueryClient, input: Record<string, unknown>, output: unknown): void {
  const version = versionOf(output)
  if (version === null) return
  queryClient.setQueriesData<RouteOutput<typeof sites.routes.list>>({ queryKey: [sites.routes.list.path] }, (old) =>
    // A list without the site stays as old as it was.
    old?.data.some(({ id }) => id === input['site'])
      ? {
          ...old,
          data: old.data.map((site) =>
            site.id === input['site'] && site.version < version ? { ...site, version, deployState: 'deploying' } : site,
          ),
        }
      : undefined,
  )
}

function versionOf(output: unknown): number | null {
  if (typeof output !== 'object' || output === null || !('meta' in output)) return null
  const { meta } = output
  return typeof meta === 'object' && meta !== null && 'version' in meta && typeof meta.version === 'number'
    ? meta.version
    : null
}
