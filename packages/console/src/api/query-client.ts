import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** Called when any read finds that the session has ended. Set by the shell, which knows where to go. */
export type OnSignedOut = () => void

export function makeQueryClient(onSignedOut: OnSignedOut): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSignedOut(error)) onSignedOut()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => count < 2 && isWorthRetrying(error),
        retryDelay: (count) => 400 * 2 ** count,
      },
      mutations: { retry: false },
    },
  })
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Only what may pass by itself: no answer, or a server that is starting. */
function isWorthRetrying(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 0 || error.status === 502 || error.status === 503 || error.status === 504)
  )
}
