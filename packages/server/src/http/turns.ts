import { Failure } from './failure.ts'

/** Takes a turn of `key`; answers how it is given back. @throws Failure 429 when none has come up in time */
export type TakeTurn = (key: string, patienceMs?: number) => Promise<() => void>

/** At most so many turns of one key at once; who comes later waits, first come first served. */
export function turnsOf(most: number, usualPatienceMs: number): TakeTurn {
  const running = new Map<string, { count: number; waiting: Set<() => void> }>()
  return async (key, patienceMs = usualPatienceMs) => {
    const of = running.get(key) ?? { count: 0, waiting: new Set() }
    running.set(key, of)
    let isGiven = false
    const giveBack = () => {
      if (isGiven) return
      isGiven = true
      const [next] = of.waiting
      if (next) {
        of.waiting.delete(next)
        next()
      } else if (--of.count === 0) running.delete(key)
    }
    if (of.count < most) of.count += 1
    else
      await new Promise<void>((resolve, reject) => {
        const go = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          of.waiting.delete(go)
          reject(new Failure(429, { internal: `${key} has as many calls under way as it may`, retryAfterSeconds: 1 }))
        }, patienceMs)
        of.waiting.add(go)
      })
    return giveBack
  }
}
