import type { ServerResponse } from 'node:http'
import type { Database } from '@fairway/platform'
import { Failure } from './failure.ts'

/** Of one user at once: some browsers with some tabs each. */
const MOST_STREAMS = 20
const MOST_OF_SANDBOX = 400

/**
 * The event streams that are open, by user, and no more than a person needs: whoever is suspended or removed hears no more, whichever process they are
 * connected to.
 */
export function openStreams(database: Database): {
  /** @throws Failure 1531 when the user has as many as one may. */
  refuseMore(user: { userId: string; sandbox: boolean }): void
  add(userId: string, response: ServerResponse): void
} {
  const byUser = new Map<string, Set<ServerResponse>>()
  database.listen('access-ended', (userId) => {
    for (const response of byUser.get(userId) ?? []) response.end()
  })
  return {
    refuseMore({ userId, sandbox }) {
      // Everybody who looks around is the same user.
      if ((byUser.get(userId)?.size ?? 0) >= (sandbox ? MOST_OF_SANDBOX : MOST_STREAMS))
        throw new Failure(1531, { retryAfterSeconds: 10 })
    },
    add(userId, response) {
      const open = byUser.get(userId) ?? new Set()
      byUser.set(userId, open.add(response))
      response.on('close', () => {
        open.delete(response)
        if (open.size === 0) byUser.delete(userId)
      })
    },
  }
}
