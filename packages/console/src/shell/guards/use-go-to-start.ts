import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { accountRead } from '../access/session.ts'
import { landingOf } from './landing.ts'

/** To where somebody's work begins, by the product that they came for. What is still missing is asked for on the way. */
export function useGoToStart(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async () => {
    const account = await queryClient.ensureQueryData(accountRead).catch(() => null)
    router.history.push(account === null ? '/home' : landingOf(account))
  }
}
