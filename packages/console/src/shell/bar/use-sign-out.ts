import { auth } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { holdReads } from '../../api/held-reads.ts'
import { isSignedOut } from '../../api/query-client.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import { forgetUser } from './end-session.ts'
import { noteSignedOut } from '../access/signed-in-sign.ts'

/** Ends the session, forgets everything read with it, and goes to sign in. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  const reportFailure = useReportFailure()
  return async () => {
    const release = holdReads()
    try {
      await queryClient.cancelQueries()
      await api(auth.routes.logout, {}).catch((error: unknown) => {
        if (!isSignedOut(error)) throw error
      })
      noteSignedOut()
      await router.navigate({ to: '/login', search: {} })
      forgetUser(queryClient)
    } catch (error) {
      reportFailure('sign-out', error)
    } finally {
      release()
    }
  }
}
