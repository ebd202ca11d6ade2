import type { AccountInfo } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { isPathInside, landingOf } from '../../shell/guards/landing.ts'
import { accountRead } from '../../shell/access/session.ts'

const MONTHS = 3

export type Entering = {
  /**
   * A session is open: goes on to the page that was asked for, or asks first whether an old password should be changed.
   */
  enter: (next?: string) => Promise<void>
  /** The question about the old password; null while there is none. */
  oldPassword: { since: number; later: () => void; change: () => void } | null
}

/** After signing in: nothing that another user read stays, and the visitor goes to the page that was asked for. */
export function useEnter(): Entering {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [waiting, setWaiting] = useState<{ since: number; to: string } | null>(null)
  const enter = async (next?: string) => {
    await queryClient.resetQueries({ queryKey: accountRead.queryKey })
    const user = await queryClient.ensureQueryData(accountRead).catch(() => null)
    const to = isPathInside(next) ? next : user === null ? '/home' : landingOf(user)
    if (user !== null && isOld(user, Date.now())) setWaiting({ since: user.passwordMtime, to })
    else router.history.push(to)
  }
  const oldPassword = waiting && {
    since: waiting.since,
    later: () => router.history.push(waiting.to),
    change: () => router.history.push('/account/user-profile?open=password'),
  }
  return { enter, oldPassword }
}

/** Unchanged for three months. A demonstration's password is nobody's to change, nor is one whose page is hidden. */
export function isOld(
  { passwordMtime, sandboxMode, hideFeature }: Pick<AccountInfo, 'passwordMtime' | 'sandboxMode' | 'hideFeature'>,
  now: number,
): boolean {
  const limit = new Date(now)
  limit.setMonth(limit.getMonth() - MONTHS)
  return !sandboxMode && !hideFeature.includes('account') && passwordMtime < limit.getTime()
}
