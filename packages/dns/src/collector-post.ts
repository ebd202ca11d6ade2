import crypto from 'node:crypto'
import { askCollector, CollectorChoice, nodeToken, type Config, type Log } from '@fairway/platform/lean'

export type CollectorPostOptions<Row> = {
  config: Config
  /** The API in a collector's place. */
  at?: string
  route: '/dns-answers/' | '/dns-requests/' | '/nodes/v1/notices/'
  /** Body of one post. */
  body: (rows: Row[]) => object
  /** Rows of one post at most, and rows waiting at most: beyond that the oldest are dropped. */
  rowsPerPost: number
  waitingMost: number
  /** Keeps rows that could not be delivered for the next post; false where old rows are worth nothing. */
  repeats: boolean
  log: Log
}

const POST_TIMEOUT_MS = 1000
const AWAY_WARN_EVERY = 60

/** Sends rows to the collector, one post at a time; never waits for it and never grows without bound. */
export class CollectorPost<Row> {
  /** Rows that were never delivered. */
  dropped = 0
  readonly #options: CollectorPostOptions<Row>
  readonly #collectors: CollectorChoice
  #waiting: Row[] = []
  /** Sent without an answer: perhaps it was taken, so it goes again as it was, under its name. */
  #unsure: { id: string; rows: Row[] } | null = null
  #sending: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #failures = 0

  constructor(options: CollectorPostOptions<Row>) {
    this.#options = options
    this.#collectors = new CollectorChoice(options.config)
  }

  /** Queues rows, to be sent within `withinMs`. */
  add(rows: readonly Row[], withinMs: number): void {
    this.#waiting.push(...rows)
    this.#dropOldest()
    if (this.#timer && withinMs > 0) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#start(), withinMs)
  }

  /** Gives what is waiting one last chance. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#sending
    if (this.#isWaiting()) await this.#send()
  }

  #start(): void {
    this.#timer = null
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#isWaiting()) if (!(await this.#send())) return
  }

  #isWaiting(): boolean {
    return this.#unsure !== null || this.#waiting.length > 0
  }

  async #send(): Promise<boolean> {
    const { config, at, route, body, rowsPerPost, repeats, log } = this.#options
    const batch = this.#unsure ?? { id: crypto.randomUUID(), rows: this.#waiting.splice(0, rowsPerPost) }
    this.#unsure = null
    try {
      const text = JSON.stringify(body(batch.rows))
      const post = async (to: string) => {
        const headers = { 'content-type': 'application/json', 'x-fairway-batch': batch.id }
        const init = { method: 'POST', headers, body: text, signal: AbortSignal.timeout(POST_TIMEOUT_MS) }
        const url = new URL(route, to)
        const response = await (at === undefined
          ? askCollector(config, url, init)
          : fetch(url, { ...init, headers: { ...headers, authorization: `Bearer ${nodeToken(config)}` } }))
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`the collector answered ${response.status}`)
      }
      await (at === undefined ? this.#collectors.send(post) : post(at))
      this.#failures = 0
      return true
    } catch (error) {
      if (this.#failures++ % AWAY_WARN_EVERY === 0) log.warn({ event: 'collector.away', route, err: error })
      if (repeats) this.#unsure = batch
      else this.dropped += batch.rows.length
      this.#dropOldest()
      return false
    }
  }

  #dropOldest(): void {
    const { waitingMost } = this.#options
    const excess = (this.#unsure?.rows.length ?? 0) + this.#waiting.length - waitingMost
    if (excess <= 0) return
    const oldest = this.#unsure?.rows.splice(0, excess).length ?? 0
    if (this.#unsure?.rows.length === 0) this.#unsure = null
    this.#waiting.splice(0, excess - oldest)
    this.dropped += excess
  }
}
