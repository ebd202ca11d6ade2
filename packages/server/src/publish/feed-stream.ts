import type { Database, Tx } from '@fairway/platform'
import type { EventStream } from '../http/streams.ts'

/** Wakes everyone who waits for publications; one database listener for all node connections. */
export type PublicationHub = AsyncDisposable & { next(signal: AbortSignal): Promise<void> }

export function startHub(database: Database): PublicationHub {
  let waiting: (() => void)[] = []
  const listener = database.listen('publication', () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  })
  return {
    next: (signal) =>
      new Promise((resolve) => {
        // The notification is a hint; looking again every 2 s is the guarantee.
        const timer = setTimeout(done, 2_000)
        function done() {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        signal.addEventListener('abort', done, { once: true })
        waiting.push(done)
      }),
    async [Symbol.asyncDispose]() {
      for (const wake of waiting) wake()
      await listener[Symbol.asyncDispose]()
    },
  }
}

const BATCH = 100

/** Sends a node everything newer than its cursor, oldest first, then waits for more, until it goes away. */
export async function streamPublications(
  database: Database,
  hub: PublicationHub,
  kinds: string[],
  from: number,
  stream: EventStream,
): Promise<void> {
  let cursor = from
  while (!stream.closed.aborted) {
    const changed = hub.next(stream.closed)
    const rows = await database.system((tx) => newer(tx, kinds, cursor))
    for (const row of rows) {
      await stream.send(row)
      cursor = row.revision
    }
    if (rows.length < BATCH) await changed
  }
}

function newer(tx: Tx, kinds: string[], cursor: number) {
  return tx.query<{ revision: number; kind: string; key: string; version: number; body: unknown }>(
    'SELECT revision, kind, key, version, body FROM publication WHERE revision > $1 AND kind = ANY($2) ORDER BY revision LIMIT $3',
    [cursor, kinds, BATCH],
  )
}
