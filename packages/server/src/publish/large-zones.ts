import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config, Log, Tx } from '@fairway/platform'

/** From so many records on a zone is built whole by a thread of its own: everybody's changes would wait for it. */
export const LARGE_ZONE_RECORDS = 50_000
/** What a thread may take; a million records need about a third. */
const HEAP_MB = 4_096
/** Nothing has become better a moment after a failure, and each try is dear. */
const AFTER_FAILURE_MS = 60_000
/** From so many failures in a row on it is the zone that the database gives up on. */
const TOLD_AFTER = 3

/** Between two builds of a zone while parts of an import come: most imports are over by then, and are built once. */
export const REST_MS = 180_000
/** An import of which no part has come for so long has stopped. */
const QUIET_MS = 10_000

const THREAD = path.join(import.meta.dirname, 'large-zone-thread.ts')

export async function isLargeZone(tx: Tx, siteId: string, from: number): Promise<boolean> {
  return (await tx.query('SELECT FROM site WHERE id = $1 AND record_count >= $2', [siteId, from])).length > 0
}

/** What begins so is the database's problem, and not the zone's unless it goes on. */
export const AWAY = 'database away: '
const isAway = (problem: unknown): boolean => problem instanceof Error && problem.message.startsWith(AWAY)

/** What a thread does: builds a zone and publishes it, or puts what has changed into what was published whole. */
export type LargeZoneWork = 'build' | 'fold'

export type LargeZonesOptions = {
  /** One has ended: what was asked for meanwhile may only need a patch. */
  done: () => void
  /** One could not be built, of which those who wait for it are to be told. */
  failed: (key: string, problem: unknown) => Promise<unknown>
}

/** Large zones on their way, one at a time, so that two of them do not take the memory of all. */
export class LargeZones implements AsyncDisposable {
  readonly #config: Config
  readonly #log: Log
  readonly #on: LargeZonesOptions
  readonly #failed = new Map<string, { at: number; times: number }>()
  #waiting = new Map<string, LargeZoneWork>()
  #running: { worker: Worker; ended: Promise<void> } | null = null
  #isStopped = false

  constructor(config: Config, log: Log, on: LargeZonesOptions) {
    this.#config = config
    this.#log = log
    this.#on = on
  }

  /** Builds and publishes the zone as soon as it is its turn. */
  build(key: string): void {
    this.#ask(key, 'build')
  }

  /** The same for its patch, which has become long. */
  fold(key: string): void {
    if (!this.#waiting.has(key)) this.#ask(key, 'fold')
  }

  #ask(key: string, work: LargeZoneWork): void {
    if (performance.now() - (this.#failed.get(key)?.at ?? -Infinity) < AFTER_FAILURE_MS) return
    this.#waiting.set(key, work)
    this.#next()
  }

  /**
   * Parts of an import wait for those that follow: to build the zone for each costs more than the import itself.
   * `firstMs` and `lastMs` are since the first and the newest of them came.
   */
  rests({ firstMs, lastMs }: { firstMs: number; lastMs: number }): boolean {
    return lastMs < QUIET_MS && firstMs < REST_MS
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined || this.#running || this.#isStopped) return
    const [key, work] = first
    this.#waiting.delete(key)
    const worker = new Worker(THREAD, {
      workerData: { config: this.#config, key, work },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    let problem: unknown = null
    worker.on('error', (error) => (problem = error))
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', async () => {
        if (problem === null) this.#failed.delete(key)
        else {
          const times = (this.#failed.get(key)?.times ?? 0) + 1
          this.#failed.set(key, { at: performance.now(), times })
          this.#log.error({ event: 'outbox.large-zone', key, err: problem })
          // Where the database is away still, nobody can be told.
          if (work === 'build' && (!isAway(problem) || times >= TOLD_AFTER))
            await this.#on
              .failed(key, problem)
              .catch((error: unknown) => this.#log.warn({ event: 'outbox.large-zone-untold', key, err: error }))
        }
        this.#running = null
        resolve()
        this.#on.done()
        this.#next()
      })
    })
    this.#running = { worker, ended }
  }

  /** A transaction that is cut off changes nothing: whoever comes next builds it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    const { worker, ended } = this.#running ?? {}
    await worker?.terminate()
    await ended
  }
}
