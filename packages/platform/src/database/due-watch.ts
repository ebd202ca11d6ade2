import type { Database } from './database.ts'

/** A SELECT that has a row when there is something to do; it may be too broad, never too narrow. */
type Due = string | (() => string)

/** Asked for all together so often: what is due by time is seen within a second. */
const LOOK_MS = 1_000

type Watched = { due: Due; isWanted: () => boolean; wake: () => void }

const WATCHES = new WeakMap<Database, DueWatch>()

/**
 * Wakes who has something to do by time: one question a second for all who ask, where each by itself would cost a
 * transaction. When it cannot be asked all are woken, so that each meets the trouble itself.
 *
 * @param options.everyMs who has more time than a second is asked for less often, in whole seconds
 */
export function watchDue(
  database: Database,
  due: Due,
  wake: () => void,
  { everyMs = LOOK_MS, isWanted = () => true }: { everyMs?: number; isWanted?: () => boolean } = {},
): Disposable {
  let watch = WATCHES.get(database)
  if (!watch) WATCHES.set(database, (watch = new DueWatch(database)))
  return watch.add({ due, isWanted, wake }, Math.max(1, Math.round(everyMs / LOOK_MS)))
}

class DueWatch {
  readonly #database: Database
  /** By the looks from one question to the next: the same question each time, which the database plans once. */
  readonly #groups = new Map<number, Set<Watched>>()
  #looks = 0
  #timer: NodeJS.Timeout | null = null

  constructor(database: Database) {
    this.#database = database
  }

  add(one: Watched, every: number): Disposable {
    const group = this.#groups.get(every) ?? new Set()
    this.#groups.set(every, group.add(one))
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS)
    return {
      [Symbol.dispose]: () => {
        group.delete(one)
        if (this.#timer === null || [...this.#groups.values()].some(({ size }) => size > 0)) return
        clearTimeout(this.#timer)
        this.#timer = null
      },
    }
  }

  async #look(): Promise<void> {
    const at = this.#looks++
    for (const [every, group] of this.#groups) if (at % every === 0) await this.#wake(every, group)
    if (this.#timer !== null) this.#timer = setTimeout(() => void this.#look(), LOOK_MS)
  }

  async #wake(every: number, group: ReadonlySet<Watched>): Promise<void> {
    const asked = [...group]
    // Of one who does not want to know it is asked along with the others, and not by itself.
    if (!asked.some(({ isWanted }) => isWanted())) return
    const isDue = await this.#ask(every, asked).catch(() => null)
    for (const [at, one] of asked.entries())
      if (group.has(one) && isDue?.[`due${at}`] !== false && one.isWanted()) one.wake()
  }

  #ask(every: number, asked: readonly Watched[]): Promise<Record<string, boolean> | undefined> {
    const columns = asked.map(({ due }, at) => `EXISTS (${typeof due === 'string' ? due : due()}) AS due${at}`)
    return this.#database.repeated(`due every ${every}`, `SELECT ${columns.join(', ')}`)
  }
}
