import type { Database } from './database.ts'

/** A SELECT that has a row when there is something to do; it may be too broad, never too narrow. */
type Due = string | (() => string)

/** Asked for all together so often: what is due by time is seen within a second. */
const LOOK_MS = 1_000

type Watched = { due: Due; everyMs: number; isWanted: () => boolean; wake: () => void; askedAt: number }

const WATCHES = new WeakMap<Database, DueWatch>()

/**
 * Wakes who has something to do by time: one question a second for all who ask, where each by itself would cost a
 * transaction. When it cannot be asked all are woken, so that each meets the trouble itself.
 *
 * @param options.everyMs who has more time than a second is asked for less often
 */
export function watchDue(
  database: Database,
  due: Due,
  wake: () => void,
  { everyMs = LOOK_MS, isWanted = () => true }: { everyMs?: number; isWanted?: () => boolean } = {},
): Disposable {
  let watch = WATCHES.get(database)
  if (!watch) WATCHES.set(database, (watch = new DueWatch(database)))
  return watch.add({ due, everyMs, isWanted, wake, askedAt: -Infinity })
}

class DueWatch {
  readonly #database: Database
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | null = null

  constructor(database: Database) {
    this.#database = database
  }

  add(one: Watched): Disposable {
    this.#watched.add(one)
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS)
    return { [Symbol.dispose]: () => this.#remove(one) }
  }

  #remove(one: Watched): void {
    this.#watched.delete(one)
    if (this.#watched.size > 0 || this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    const now = performance.now()
    // Half a look early: a timer is late now and then, and would cost a whole one.
    const asked = [...this.#watched].filter((one) => one.isWanted() && now - one.askedAt >= one.everyMs - LOOK_MS / 2)
    for (const one of asked) one.askedAt = now
    const isDue = await this.#ask(asked).catch(() => null)
    for (const [at, one] of asked.entries()) if (this.#watched.has(one) && isDue?.[`due${at}`] !== false) one.wake()
    if (this.#timer !== null) this.#timer = setTimeout(() => void this.#look(), LOOK_MS)
  }

  async #ask(asked: readonly Watched[]): Promise<Record<string, boolean> | undefined> {
    if (asked.length === 0) return {}
    const columns = asked
      .map(({ due }, at) => `EXISTS (${typeof due === 'string' ? due : due()}) AS due${at}`)
      .join(', ')
    const [row] = await this.#database.system((tx) => tx.query<Record<string, boolean>>(`SELECT ${columns}`))
    return row
  }
}
