import type { Database } from '@fairway/platform'
import type { ConsoleEvent } from '../../http/context.ts'
import type { EventStream } from '../../http/streams.ts'

/** Who is allowed to see what may change; a stream ends now and then so that the next one is asked for who it is. */
const STREAM_MS = 15 * 60_000

export type ConsoleEvents = { follow(organizationId: string, stream: EventStream): Promise<void> }

/** One database listener for all consoles. Each hears of its own organisation only. */
export function consoleEvents(database: Database): ConsoleEvents {
  const followers = new Set<{ organizationId: string; heard: (event: Omit<ConsoleEvent, 'organizationId'>) => void }>()
  database.listen('console', (payload) => {
    // Empty: notifications may have been missed, so everyone looks again.
    const event = payload ? (JSON.parse(payload) as ConsoleEvent) : null
    for (const follower of followers) {
      if (!event) follower.heard({ kind: 'version', siteId: null })
      else if (follower.organizationId === event.organizationId)
        follower.heard({ kind: event.kind, siteId: event.siteId })
    }
  })
  return {
    async follow(organizationId, stream) {
      // A slow console gets each thing once, however often it has happened since.
      const waiting = new Map<string, Omit<ConsoleEvent, 'organizationId'>>()
      let wake = () => {}
      const follower = {
        organizationId,
        heard: (event: Omit<ConsoleEvent, 'organizationId'>) => (
          waiting.set(`${event.kind} ${event.siteId}`, event),
          wake()
        ),
      }
      const ended = AbortSignal.any([stream.closed, AbortSignal.timeout(STREAM_MS)])
      const onEnd = () => wake()
      ended.addEventListener('abort', onEnd, { once: true })
      followers.add(follower)
      try {
        while (!ended.aborted) {
          const [first] = waiting
          if (first) {
            waiting.delete(first[0])
            await stream.send(first[1])
          } else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        followers.delete(follower)
      }
    },
  }
}
