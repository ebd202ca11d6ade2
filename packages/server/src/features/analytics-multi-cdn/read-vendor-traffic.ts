import { StoreAway, StoreRefused, type EventStore, writeVendorTraffic } from '@fairway/analytics'
import { CDN_DRIVERS, type DriverContext, TryLater, type VendorTraffic } from '@fairway/drivers'
import type { Database, Log } from '@fairway/platform'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import {
  type DueTraffic,
  noteLater,
  noteProblem,
  noteRead,
  restAccount,
  takeDueTraffic,
} from './vendor-traffic-store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const AT_ONCE = 6
const EVERY_MS = 5 * MINUTE_MS
/** A bucket that has just ended is asked for so much later: vendors need some time to gather it. */
const GATHERED_MS = MINUTE_MS
/** As far back as raw logs go; what is older when it is first asked for is not read. */
const OLDEST_MS = 30 * 24 * HOUR_MS
/** One turn makes no more calls than this; what is left comes with the next. */
const MOST_CALLS = 8
const STORE_AGAIN_MS = 15_000
const LONGEST_WAIT_MS = 30 * MINUTE_MS

/**
 * Asks vendors what their CDNs have served, each by itself, and goes on where it stopped. See
 * docs/decisions/0025-vendor-traffic.md.
 */
export function startVendorTraffic(
  database: Database,
  events: EventStore,
  context: DriverContext,
  log: Log,
): RunningLoop {
  return startLeasedWork<DueTraffic>(database, log, {
    name: 'vendor-traffic',
    channel: 'vendor-traffic',
    atOnce: AT_ONCE,
    due: `SELECT FROM vendor_traffic WHERE due_at <= now() AND (leased_until IS NULL OR leased_until < now())`,
    take: takeDueTraffic,
    async work(row) {
      const source = CDN_DRIVERS[row.driver].traffic
      if (!source) return
      try {
        const read = await readOn(events, context, source, row)
        await database.system((tx) => noteRead(tx, row, read))
      } catch (error) {
        const now = Date.now()
        if (error instanceof StoreAway || error instanceof StoreRefused) {
          await database.system((tx) => noteLater(tx, row, now + STORE_AGAIN_MS))
          if (error instanceof StoreAway) return
          throw error
        }
        const dueAt =
          now + (error instanceof TryLater ? error.afterMs : Math.min(LONGEST_WAIT_MS, MINUTE_MS * 2 ** row.attempts))
        await database.system(async (tx) => {
          await noteProblem(tx, row, { problem: error instanceof Error ? error.message : String(error), dueAt })
          if (error instanceof TryLater) await restAccount(tx, row.account, dueAt)
        })
      }
    },
  })
}

async function readOn(
  events: EventStore,
  context: DriverContext,
  source: VendorTraffic,
  { order, organizationId, isBilled, readUntil, settledAt }: DueTraffic,
): Promise<{ readUntil: number; settledAt: number | null; dueAt: number }> {
  const now = Date.now()
  const { from, until, isSettling } = rangeToRead(source, { readUntil, settledAt, now })
  const of = { organizationId, siteId: order.siteId, domainId: order.domainId, cdnId: order.cdnId, isBilled }
  let at = from
  for (let calls = 0; at < until && calls < MOST_CALLS; calls++) {
    const end = Math.min(until, at + source.spanMs)
    const buckets = await source.read(context, order, at, end)
    await writeVendorTraffic(events, of, { from: at, until: end, bucketMs: source.bucketMs }, buckets, Date.now())
    at = end
  }
  const isDone = at >= until
  const every = Math.max(EVERY_MS, source.bucketMs)
  return {
    readUntil: at,
    settledAt: isSettling && isDone ? now : null,
    dueAt: isDone ? Math.floor(now / every) * every + every + GATHERED_MS : now,
  }
}

/**
 * What is to be asked for: buckets that have ended since the last time, and those before them that the vendor may have
 * corrected, once an hour as far back as it corrects them.
 * It begins at a whole hour, since hours are replaced as a whole. Epoch ms.
 */
export function rangeToRead(
  { bucketMs, settlesMs, spanMs }: Pick<VendorTraffic, 'bucketMs' | 'settlesMs' | 'spanMs'>,
  { readUntil, settledAt, now }: { readUntil: number; settledAt: number | null; now: number },
): { from: number; until: number; isSettling: boolean } {
  const until = Math.floor(now / bucketMs) * bucketMs
  const isBehind = until - readUntil > spanMs
  const isSettling = !isBehind && now - (settledAt ?? 0) >= HOUR_MS
  const from = Math.max(
    readUntil - (isBehind ? 0 : isSettling ? settlesMs : Math.min(settlesMs, HOUR_MS / 4)),
    now - OLDEST_MS,
  )
  return { from: Math.floor(from / HOUR_MS) * HOUR_MS, until, isSettling }
}
