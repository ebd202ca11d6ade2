import type { BuilderState, FromBuilder, Notice, Request, ToBuilder } from './messages.ts'

/** The builder's line to its server. */
export type ServerLink = { ask(request: Request): Promise<void>; tell(notice: Notice | BuilderState): void }

/** A segment may be large; longer than this means that the server hangs. */
const ANSWER_MS = 30_000

type Channel = {
  send?: (message: FromBuilder) => void
  on(event: 'message', listener: (message: ToBuilder) => void): unknown
}

/**
 * Speaks with the server over a process's channel to its parent. `ask` rejects with the server's reason when it says
 * no.
 */
export function serverLink(channel: Channel): ServerLink {
  const waiting = new Map<number, (problem: string | null) => void>()
  let last = 0
  channel.on('message', ({ id, problem }) => {
    waiting.get(id)?.(problem)
    waiting.delete(id)
  })
  return {
    tell: (notice) => channel.send?.(notice),
    ask: (request) =>
      new Promise((resolve, reject) => {
        const id = ++last
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new Error('the name server did not answer its builder in time'))
        }, ANSWER_MS)
        waiting.set(id, (problem) => {
          clearTimeout(timer)
          if (problem === null) resolve()
          else reject(new Error(problem))
        })
        channel.send?.({ ...request, id })
      }),
  }
}
