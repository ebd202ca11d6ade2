import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config, Log, Tx } from '@fairway/platform'

/** From so many records on a zone is built whole by a thread of its own: everybody's changes would wait for it. */
export const LARGE_ZONE_RECORDS = 50_000
/** What a thread may take; a million records need about a third. */
const HEAP_MB = 4_096
/** Nothing has become better a moment after a failure, and each try is dear. */
const AFTER_FAILURE_MS = 60_000

const THREAD = path.join(import.meta.dirname, 'large-zone-thread.ts')

export async function isLargeZone(tx: Tx, siteId: string, from: number): Promise<boolean> {
  return (await tx.query('SELECT FROM site WHERE id = $1 AND record_count >= $2', [siteId, from])).length > 0
}

/** Large zones on their way, one at a time, so that two of them do not take the memory of all. */
export class LargeZones implements AsyncDisposable {
  readonly #config: Config
  readonly #log: Log
  readonly #done: () => void
  readonly #failedAt = new Map<string, number>()
  #waiting = new Set<string>()
  #running: { worker: Worker; ended: Promise<void> } | null = null
  #isStopped = false

  /** `done` is called when one has ended: what was asked for meanwhile may only need a patch. */
  constructor(config: Config, log: Log, done: () => void) {
    this.#config = config
    this.#log = log
    this.#done = done
  }

  /** Builds and publishes the zone as soon as it is its turn. */
  build(key: string): void {
    if (performance.now() - (this.#failedAt.get(key) ?? -Infinity) < AFTER_FAILURE_MS) return
    this.#waiting.add(key)
    this.#next()
  }

  #next(): void {
    const [key] = this.#waiting
    if (key === undefined || this.#running || this.#isStopped) return
    this.#waiting.delete(key)
    const worker = new Worker(THREAD, {
      workerData: { config: this.#config, key },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    let problem: unknown = null
    worker.on('error', (error) => (problem = error))
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        this.#running = null
        if (problem === null) this.#failedAt.delete(key)
        else {
          this.#failedAt.set(key, performance.now())
          this.#log.error({ event: 'outbox.large-zone', key, err: problem })
        }
        resolve()
        this.#done()
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
