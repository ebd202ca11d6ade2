import type { ServerResponse } from 'node:http'
import type { Database } from '@fairway/platform'

/**
 * The event streams that are open, by user: whoever is suspended or removed hears no more, whichever process they are
 * connected to.
 */
export function openStreams(database: Database): { add(userId: string, response: ServerResponse): void } {
  const byUser = new Map<string, Set<ServerResponse>>()
  database.listen('access-ended', (userId) => {
    for (const response of byUser.get(userId) ?? []) response.end()
  })
  return {
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
