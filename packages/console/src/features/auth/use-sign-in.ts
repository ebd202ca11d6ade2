import type { SignedIn } from '@fairway/contract'
import { useNavigate } from '@tanstack/react-router'
import { forgetStep, keepStep } from './second-step-store.ts'
import { type Entering, useEnter } from './use-enter.ts'

type SignIn = Pick<Entering, 'oldPassword'> & {
  /** What the API answered to any way of signing in: goes on in, or to what is missing. */
  goOn: (answer: SignedIn, more?: { next?: string | undefined; email?: string }) => Promise<void>
}

export function useSignIn(): SignIn {
  const navigate = useNavigate()
  const { enter, oldPassword } = useEnter()
  return {
    oldPassword,
    goOn: async (answer, { next, email } = {}) => {
      if (answer.next === 'second-step') {
        keepStep(answer, next)
        return navigate({ to: '/mfa-verify' })
      }
      if (answer.next === 'verify-email')
        return navigate({ to: '/verify-email', search: email === undefined ? {} : { email } })
      if (answer.next === 'set-password')
        return navigate({ to: '/reset-password', search: { token: answer.ticket ?? '' } })
      forgetStep()
      return enter(next)
    },
  }
}
