import type { Database, Log, Tx } from '@fairway/platform'
import type { EventStream } from '../http/streams.ts'
import { type Counter, beginEpoch, counterOf, isLost } from './epoch.ts'
import { type Followed, RecentPublications, missed, newestRevision, whole } from './recent-publications.ts'

/** Reads what is published once for all nodes, and wakes them. */
export type PublicationHub = AsyncDisposable & {
  /** Null until the database has been reached. */
  recent(): RecentPublications | null
  /** Of what `recent` has. */
  epoch(): string | null
  /** Resolves when more has been published. @throws when the database does not answer */
  next(signal: AbortSignal): Promise<void>
  /** A node has had this; where the counter has not reached it, the epoch is ended, and the node's stream with it. */
  had(taken: Counter): void
}

/** The notification is a hint; looking again that often is the guarantee. */
const LOOK_AGAIN_MS = 2_000

/** @param unhurried a transaction whose statements take as long as they take */
export function startHub(
  database: Database,
  unhurried: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  log: Log,
): PublicationHub {
  let recent: RecentPublications | null = null
  let epoch: string | null = null
  let told: Counter | null = null
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
  const stopping = new AbortController()
  let reading: Promise<void> | null = null
  let readAgain = false
  const settle = (how: (one: (typeof waiting)[number]) => void) => {
    const settled = waiting
    waiting = []
    for (const one of settled) how(one)
  }
  const readAll = async () => {
    try {
      for (let isMore = true; (isMore || readAgain) && !stopping.signal.aborted;) {
        readAgain = false
        const counter = await database.system(counterOf)
        // A database that was put in the place of the one before, and does not know what that has said last.
        const sent = recent && epoch !== null ? { epoch, revision: recent.until } : null
        const lost = [told, sent].find((one) => one !== null && isLost(counter, one))
        if (lost) {
          log.warn({ event: 'feed.publications-lost', published: lost.revision, found: counter.revision })
          await unhurried((tx) => beginEpoch(tx, lost))
          if (told === lost) told = null
          readAgain = true
          continue
        }
        if (recent === null || epoch !== counter.epoch) {
          recent = new RecentPublications(counter.revision)
          epoch = counter.epoch
          settle((one) => one.resolve())
        }
        const of = recent
        const before = of.until
        // Publications are counted where they are written: nothing is asked for while none is new.
        isMore = counter.revision > before && (await database.system((tx) => of.read(tx)))
        if (of.until > before) settle((one) => one.resolve())
      }
    } catch (error) {
      if (waiting.length > 0) log.warn({ event: 'feed.unread', nodes: waiting.length, err: error })
      settle((one) => one.reject(error))
    }
  }
  const read = () => {
    if (reading) readAgain = true
    else if (!stopping.signal.aborted) reading = readAll().finally(() => (reading = null))
  }
  const listener = database.listen('publication', read)
  const look = setInterval(read, LOOK_AGAIN_MS)
  read()
  return {
    recent: () => recent,
    epoch: () => epoch,
    had(taken) {
      told = taken
      read()
    },
    next: (signal) =>
      new Promise((resolve, reject) => {
        const one = {
          resolve: done,
          reject: (error: unknown) => (signal.removeEventListener('abort', left), reject(error)),
        }
        function done() {
          signal.removeEventListener('abort', left)
          resolve()
        }
        function left() {
          waiting = waiting.filter((other) => other !== one)
          resolve()
        }
        signal.addEventListener('abort', left, { once: true })
        waiting.push(one)
      }),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      clearInterval(look)
      settle((one) => one.resolve())
      await reading
      await listener[Symbol.asyncDispose]()
    },
  }
}

/**
 * Sends a node everything newer than its cursor, oldest first, then waits for more, until it goes away or the cursor's
 * epoch is over. Of a large zone
 * that it has had whole, a node that takes patches is sent the patch alone.
 */
export async function streamPublications(
  database: Database,
  hub: PublicationHub,
  { cursor: from, epoch: asked, ...followed }: Followed & { cursor: number; epoch?: string | undefined },
  stream: EventStream,
): Promise<void> {
  let cursor = from
  let epoch = asked ?? null
  let isWhole = false
  while (!stream.closed.aborted) {
    epoch ??= hub.epoch()
    // Whoever asks for more of another one is to ask again, with a cursor of this one.
    if (hub.epoch() !== null && hub.epoch() !== epoch) return
    const changed = hub.next(stream.closed)
    // Whoever waits no more hears of no fault.
    changed.catch(() => {})
    const recent = hub.recent()
    if (!recent?.reaches(cursor)) {
      cursor = await catchUp(database, cursor, followed, stream)
      continue
    }
    const { until } = recent
    for (const one of recent.after(cursor, followed)) {
      const text = one.json ?? (await database.system((tx) => whole(tx, one)))
      if (text !== null) await stream.sendText(text)
    }
    cursor = Math.max(cursor, until)
    if (recent.until > until) continue
    if (!isWhole) stream.comment('whole')
    isWhole = true
    await changed
  }
}

/** Sends what a node has missed from the database. Answers up to where it has everything now. */
async function catchUp(database: Database, from: number, followed: Followed, stream: EventStream): Promise<number> {
  for (let cursor = from; ;) {
    const { newest, rows } = await database.system(async (tx) => ({
      // First: what is committed later has a later revision.
      newest: await newestRevision(tx),
      rows: await missed(tx, cursor, followed),
    }))
    for (const { json, revision } of rows) {
      await stream.sendText(json)
      cursor = revision
    }
    if (rows.length === 0) return Math.max(cursor, newest)
    if (stream.closed.aborted) return cursor
  }
}
