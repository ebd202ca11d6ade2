import { type EventStore, type QueryBound, StoreAway } from '@fairway/analytics'
import { callEnds } from './call-transaction.ts'

/** How long the engine works on one statement of a person, who waits no longer, unless the caller says. */
const SECONDS = 8
/** Statements under way at once, in all and of one organisation. */
type Most = { inAll: number; ofOne: number }
/** The engine has four reading sessions: one is left to scores and billing, one to whoever else asks. */
const EMBEDDED: Most = { inAll: 3, ofOne: 2 }
/** A process has sixteen connections to a server. */
const OUTSIDE: Most = { inAll: 12, ofOne: 4 }

/**
 * The event store as people ask it: by turns of their organisations. A turn ends with its statement, which may be long
 * after the one who asked has left; one that has not begun by then never does.
 */
export function fairStore(store: EventStore, { clickhouseUrl }: { clickhouseUrl: string }): EventStore {
  const takeTurn = storeTurns(clickhouseUrl === '' ? EMBEDDED : OUTSIDE)
  return {
    ...store,
    async query(sql, parameters, bound = { seconds: SECONDS }) {
      const giveBack = await takeTurn(String(parameters?.['organization'] ?? ''), bound, callEnds())
      try {
        return await store.query(sql, parameters, bound)
      } finally {
        giveBack()
      }
    },
  }
}

type Waiting = { key: string; go(): void }

/** Whoever has least under way is next, first come first served among equals. */
export function storeTurns({ inAll, ofOne }: Most) {
  const running = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let all = 0
  const of = ({ key }: Waiting) => running.get(key) ?? 0
  const begin = (key: string) => {
    all += 1
    running.set(key, (running.get(key) ?? 0) + 1)
  }
  const end = (key: string) => {
    all -= 1
    const left = (running.get(key) ?? 1) - 1
    if (left === 0) running.delete(key)
    else running.set(key, left)
    let next: Waiting | undefined
    for (const one of waiting) if (of(one) < ofOne && (next === undefined || of(one) < of(next))) next = one
    if (next === undefined) return
    waiting.delete(next)
    begin(next.key)
    next.go()
  }
  /** @throws StoreAway when none has come up in time, or before `left` says that nobody waits for it any more */
  return async (key: string, { seconds }: QueryBound, left?: AbortSignal): Promise<() => void> => {
    if (left?.aborted) throw new StoreAway('nobody waits for this question any more')
    if (all < inAll && (running.get(key) ?? 0) < ofOne) begin(key)
    else
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          settle()
          waiting.delete(one)
          reject(new StoreAway('the store is busy with other questions'))
        }
        const timer = setTimeout(leave, seconds * 1000)
        const settle = () => {
          clearTimeout(timer)
          left?.removeEventListener('abort', leave)
        }
        const one = {
          key,
          go() {
            settle()
            resolve()
          },
        }
        left?.addEventListener('abort', leave)
        waiting.add(one)
      })
    return () => end(key)
  }
}
