import crypto from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

/** Behind its first wrong key a place waits so long with the next one, behind each further one twice that. */
export const SLOW_MS = 250
const SLOWEST_MS = 8_000
const FORGIVEN_MS = 10 * 60_000
const MOST_REMEMBERED = 10_000
/** Wrong keys of one place that are told apart: as many as make it wait longest. */
const MOST_KEYS = 1 + Math.ceil(Math.log2(SLOWEST_MS / SLOW_MS))

/**
 * The more wrong keys one place tries, by whichever protocol, the longer it waits before the next one is asked for. An
 * encoder that repeats one, as they do for days, is no guesser: others behind its address send all the same.
 */
export class WrongKeys {
  readonly #wrong = new Map<string, { keys: Set<string>; at: number }>()
  #refused = 0

  get refused(): number {
    return this.#refused
  }

  /** As long as this place has to, null being one that stands for many. @throws Error when it is gone before */
  async hold(from: string | null, gone?: AbortSignal): Promise<void> {
    const before = this.#of(from).size
    if (before > 0) await wait(Math.min(SLOWEST_MS, SLOW_MS * 2 ** (before - 1)), gone)
  }

  note(from: string | null, key: string): void {
    this.#refused++
    const [keys, hash] = [this.#of(from), crypto.hash('sha256', key, 'base64')]
    if (from === null || keys.has(hash)) return
    if (keys.size < MOST_KEYS) keys.add(hash)
    // The place that was the longest without a new one is forgotten first.
    this.#wrong.delete(from)
    if (this.#wrong.size >= MOST_REMEMBERED) this.#wrong.delete(this.#wrong.keys().next().value ?? '')
    this.#wrong.set(from, { keys, at: Date.now() })
  }

  forgive(from: string | null): void {
    if (from !== null) this.#wrong.delete(from)
  }

  #of(from: string | null): Set<string> {
    const known = from === null ? undefined : this.#wrong.get(from)
    return known && Date.now() - known.at < FORGIVEN_MS ? known.keys : new Set()
  }
}

export const wait = (ms: number, gone?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { ref: false, ...(gone === undefined ? {} : { signal: gone }) })
