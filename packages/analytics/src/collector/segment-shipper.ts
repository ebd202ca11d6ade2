import fs from 'node:fs'
import path from 'node:path'
import type { Log } from '@fairway/platform'
import { isMigrated } from '../store/migrate.ts'
import { StoreRefused } from '../store/store-error.ts'
import type { EventStore } from '../store/store.ts'
import type { RawTable } from '../store/tables.ts'
import { BatchOrder } from './batch-order.ts'
import { readBatches } from './spool-batches.ts'
import type { SpoolSegment } from './spool-segments.ts'

export type ShipperOptions = {
  folder: string
  table: RawTable
  store: EventStore
  log: Log
  /** Other collectors bring rows to the same table: of a batch that several took, one counts. */
  isShared?: boolean
  /** Rows have just reached the store: the earliest time of each hour that they are of, ms. */
  onStored?: (earliest: number[]) => void
}

const RETRY_MS = { first: 200, most: 3000 }

/**
 * Brings closed segments to the store, one after the other, and removes them. While the store is away it waits with
 * back-off; what the store refuses for good is put aside.
 */
export class SegmentShipper {
  readonly #options: ShipperOptions
  readonly #queue: SpoolSegment[]
  readonly counts = { waitingBytes: 0, storedRows: 0, refusedSegments: 0, repeatedBatches: 0 }
  readonly #order: BatchOrder
  /** Files that were tried before, also by the process before: they may have been brought there already. */
  readonly #tried: Set<string>
  #running: Promise<void> | null = null
  #stopped = false
  #wake = () => {}
  #migrated = false
  #retryMs = RETRY_MS.first

  constructor(options: ShipperOptions, leftBehind: SpoolSegment[]) {
    this.#options = options
    this.#queue = leftBehind
    this.#order = new BatchOrder(options.store, options.table)
    this.#tried = new Set(leftBehind.map(({ file }) => file))
    this.counts.waitingBytes = leftBehind.reduce((sum, one) => sum + one.bytes, 0)
    const refused = path.join(options.folder, 'refused')
    fs.mkdirSync(refused, { recursive: true })
    this.counts.refusedSegments = fs.readdirSync(refused).length
    this.#run()
  }

  get waiting(): number {
    return this.#queue.length
  }

  add(segment: SpoolSegment): void {
    this.#queue.push(segment)
    this.counts.waitingBytes += segment.bytes
    this.#run()
  }

  /** Lets the segment under way and one try of the rest end; what fails stays on disk for the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake()
    await this.#running
  }

  #run(): void {
    this.#running ??= this.#shipAll().finally(() => {
      this.#running = null
      if (this.#queue.length > 0 && !this.#stopped) this.#run()
    })
  }

  async #shipAll(): Promise<void> {
    for (let segment = this.#queue[0]; segment; segment = this.#queue[0]) {
      try {
        await this.#ship(segment)
      } catch (error) {
        // A store that has only just started may have its tables not yet, or as they were before: what it refuses until
        // they are known to be right is tried again, also what was refused a moment before.
        if (!(error instanceof StoreRefused) || !this.#migrated) {
          this.#migrated ||= await isMigrated(this.#options.store)
          await this.#waitForStore(error)
          if (this.#stopped) return
          continue
        }
        this.#putAside(segment, error)
      }
      this.counts.waitingBytes -= segment.bytes
      this.#queue.shift()
    }
  }

  async #ship({ file }: SpoolSegment): Promise<void> {
    const { table, store, onStored } = this.#options
    const bytes = fs.readFileSync(file)
    // A process killed in the middle of a write leaves a torn last line; it was not confirmed to anybody.
    const whole = await this.#unrepeated(file, bytes.subarray(0, bytes.lastIndexOf(10) + 1))
    await store.insertLines(table, whole, `${table}-${path.basename(file)}`)
    fs.rmSync(file, { force: true })
    this.#tried.delete(file)
    this.counts.storedRows += countLines(whole)
    this.#retryMs = RETRY_MS.first
    onStored?.(earliestOfHours(whole))
  }

  /** Rows of the segment without the batches that another collector brought to the store before. */
  async #unrepeated(file: string, whole: Buffer): Promise<Buffer> {
    const batches = readBatches(whole)
    if (batches === null) return whole
    if (batches.length === 0) return Buffer.alloc(0)
    const names = [...new Set(batches.map(({ name }) => name))]
    const mayHavePlace = this.#tried.has(file)
    this.#tried.add(file)
    const left = await this.#order.takenBefore(path.basename(file), names, mayHavePlace)
    this.counts.repeatedBatches += left.size
    return Buffer.concat(
      batches.flatMap(({ name, lines }) => {
        if (left.has(name)) return []
        left.add(name)
        return [lines]
      }),
    )
  }

  async #waitForStore(error: unknown): Promise<void> {
    const { log, table } = this.#options
    if (this.#retryMs === RETRY_MS.first)
      log.warn({ event: 'spool.store-away', table, segments: this.#queue.length, err: error })
    if (this.#stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#retryMs)
      this.#wake = () => (clearTimeout(timer), resolve())
    })
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most)
  }

  /** Data the store will never take must not hold up the rest; they stay for a person to look at. */
  #putAside({ file }: SpoolSegment, error: StoreRefused): void {
    this.#options.log.error({ event: 'spool.segment-refused', table: this.#options.table, file, err: error })
    fs.renameSync(file, path.join(this.#options.folder, 'refused', path.basename(file)))
    this.counts.refusedSegments++
    this.#tried.delete(file)
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

const TIME = { starts: '{"at":"', length: '2000-01-01 00:00:00.000'.length, hour: '2000-01-01 00'.length }

/** What a node kept while nobody took it is older than its segment. Every row begins with its time. */
function earliestOfHours(lines: Buffer): number[] {
  const earliest = new Map<string, string>()
  for (let at = 0; at < lines.length;) {
    const begin = lines.toString('latin1', at, at + TIME.starts.length + TIME.length)
    const time = begin.slice(TIME.starts.length)
    const hour = time.slice(0, TIME.hour)
    if (begin.startsWith(TIME.starts) && time < (earliest.get(hour) ?? '~')) earliest.set(hour, time)
    const end = lines.indexOf(10, at)
    at = end < 0 ? lines.length : end + 1
  }
  return [...earliest.values()].map((time) => Date.parse(`${time.replace(' ', 'T')}Z`))
}
