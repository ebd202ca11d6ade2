import { setTimeout as delay } from 'node:timers/promises'

const PATIENCE_MS = 30_000
const FIRST_PAUSE_MS = 10
/** Asking costs what the other process could use to get there: longer pauses the longer it takes. */
const LONGEST_PAUSE_MS = 80
const LONGER = 1.4

/**
 * Asks again until the answer is something; what is awaited comes from another process or connection. @throws Error
 * when it does not come.
 */
export async function until<T>(ask: () => Promise<T | undefined | null | false>, patienceMs = PATIENCE_MS): Promise<T> {
  const giveUpAt = Date.now() + patienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * LONGER)) {
    const answer = await ask()
    if (answer !== undefined && answer !== null && answer !== false) return answer
    if (Date.now() > giveUpAt) throw new Error(`did not happen within ${patienceMs} ms: ${ask.toString()}`)
    await delay(pauseMs)
  }
}
