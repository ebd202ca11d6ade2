import { setTimeout as delay } from 'node:timers/promises'

/**
 * Asks again and again until the answer is truthy, and gives it. @throws Error with what was seen last when that takes
 * too long.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  patienceMs: number,
  everyMs = 20,
): Promise<NonNullable<Exclude<T, false>>> {
  for (const giveUpAt = Date.now() + patienceMs; ; await delay(everyMs)) {
    const seen = await ask()
    // Truthy, which the type says too.
    if (seen) return seen as NonNullable<Exclude<T, false>>
    if (Date.now() > giveUpAt) throw new Error(`${what}: not within ${patienceMs} ms`)
  }
}
