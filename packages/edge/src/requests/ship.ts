import crypto from 'node:crypto'
import { askCollector, CollectorChoice, type Config, type DiskGauge, type Log, diskGauge } from '@fairway/platform'
import { readLogLine } from './log-line.ts'
import { spool } from './spool.ts'

export type ShippedCounts = { sent: number; lost: number; unreadable: number; refused: number; spoolBytes: number }
export type Shipper = AsyncDisposable & {
  counts(): ShippedCounts
  /** One round now, as the timer does it. */ round(): Promise<void>
}

const ROUND_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const SPOOL_MAX_BYTES = 64 << 20
/** What may wait on a disk that is nearly full: a collector that is there takes it within a round. */
const SCARCE_SPOOL_BYTES = 2 << 20
const BATCH_LINES = 1000
/** The collector takes 4 MiB, and what stands before it may take less. */
const BATCH_BYTES = 3_000_000
const BATCHES_PER_ROUND = 50

/**
 * Ships nginx's request log to the collector once a second. While the collector is away the log's closed files wait on
 * disk, the oldest are dropped beyond 64 MB, or 2 MB on a disk that is nearly full.
 */
export function shipRequests(options: {
  config: Config
  requestLog: string
  reopen: () => void
  log: Log
  disk?: DiskGauge
  spoolMaxBytes?: number
}): Shipper {
  const { config, log, disk = diskGauge(config) } = options
  const waiting = spool(options.requestLog, options.spoolMaxBytes ?? SPOOL_MAX_BYTES, BATCH_LINES)
  const counts = { sent: 0, lost: 0, unreadable: 0, refused: 0 }
  const stopping = new AbortController()
  const collectors = new CollectorChoice(config)
  let failures = 0
  let pausedUntil = 0

  /** Lines of the next batch; halved when one was too large for the collector. */
  let most = BATCH_LINES
  const shipOne = async (): Promise<boolean> => {
    const batch = waiting.next()
    if (!batch) return false
    const { lines, requests } = beginning(batch.lines, most)
    const answer = requests.length === 0 ? 'taken' : await post(requests)
    if (answer === 'too-large' && lines > 1) {
      most = Math.floor(lines / 2)
      return true
    }
    most = Math.min(BATCH_LINES, most * 2)
    if (answer === 'taken') counts.sent += requests.length
    else {
      counts.refused += requests.length
      log.error({ event: 'requests.refused', why: answer, count: requests.length })
    }
    counts.unreadable += lines - requests.length
    batch.done(lines)
    return true
  }
  /** @throws Error when the collector may take it later */
  const post = (requests: string[]): Promise<'taken' | 'too-large' | 'refused'> => {
    // The name of the batch is made of what it holds: one that went without an answer is known when it comes again,
    // also after a restart, and to another collector.
    const text = `{"node":${JSON.stringify(`${config.nodeName}/edge`)},"requests":[${requests.join(',')}]}`
    const batch = crypto.createHash('sha256').update(text).digest('hex')
    return collectors.send(async (collector) => {
      const response = await askCollector(config, `${collector}/edge-requests/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-fairway-batch': batch,
          // A kept connection to a collector that has restarted since would fail, and cost a pause.
          connection: 'close',
        },
        body: text,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(10_000)]),
      })
      await response.arrayBuffer()
      if (response.ok) return 'taken'
      if (response.status === 413) return 'too-large'
      if (response.status === 400 || response.status === 422) return 'refused'
      throw new Error(`the collector answered ${response.status}`)
    })
  }
  const round = async () => {
    waiting.cut(options.reopen)
    counts.lost += waiting.trim(disk.level() === 'enough' ? undefined : SCARCE_SPOOL_BYTES)
    if (performance.now() < pausedUntil) return
    try {
      for (let i = 0; i < BATCHES_PER_ROUND && (await shipOne()); i++);
      failures = 0
    } catch (error) {
      if (stopping.signal.aborted) return
      if (failures++ % 20 === 0) log.warn({ event: 'requests.waiting', bytes: waiting.sizeBytes(), err: error })
      pausedUntil = performance.now() + Math.min(LONGEST_PAUSE_MS, ROUND_MS * 2 ** Math.min(failures, 5))
    }
  }
  let running: Promise<void> = Promise.resolve()
  const inTurn = () =>
    (running = running.then(round).catch((error: unknown) => log.error({ event: 'requests.failed', err: error })))
  const timer = setInterval(() => void inTurn(), ROUND_MS)
  return {
    counts: () => ({ ...counts, spoolBytes: waiting.sizeBytes() }),
    round: inTurn,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/** As many lines as one batch may have, and the texts of the requests in them. */
function beginning(all: string[], most: number): { lines: number; requests: string[] } {
  const requests: string[] = []
  let bytes = 0
  let lines = 0
  for (const line of all.slice(0, most)) {
    const request = readLogLine(line)
    if (request !== null) {
      const text = JSON.stringify(request)
      bytes += Buffer.byteLength(text) + 1
      if (bytes > BATCH_BYTES && lines > 0) break
      requests.push(text)
    }
    lines += 1
  }
  return { lines, requests }
}
