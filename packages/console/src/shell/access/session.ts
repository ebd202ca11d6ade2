import { account } from '@fairway/contract'
import type { AccountInfo } from '@fairway/contract'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { read } from '../../api/queries.ts'
import { type Guarded, canCall } from './can-call.ts'
import { hasSignedIn } from './signed-in-sign.ts'

export const accountRead = read(account.routes.info, {})

/** The signed-in user. Inside the shell only: its loader has read it before anything shows. */
export function useAccount(): AccountInfo {
  return useSuspenseQuery(accountRead).data
}

/**
 * May this user call that route? The route's own declaration answers; a button of a route that may not be called is not
 * shown.
 */
export function useCanCall(route: Guarded): boolean {
  return canCall(useAccount(), route)
}

/** The signed-in user as far as it is known, where nothing may be waited for: the error pages. */
export function useKnownAccount(): AccountInfo | null {
  const known = useQueryClient().getQueryData(accountRead.queryKey)
  return known !== undefined && hasSignedIn() ? known : null
}
