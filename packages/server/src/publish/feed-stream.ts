import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import { patchedZone } from '@fairway/domain'
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

/**
 * Sends a node everything newer than its cursor, oldest first, then waits for more, until it goes away. Of a large zone
 * that it has had whole, a node that takes patches is sent the patch alone.
 */
export async function streamPublications(
  database: Database,
  hub: PublicationHub,
  { kinds, cursor: from, patches }: { kinds: string[]; cursor: number; patches: boolean },
  stream: EventStream,
): Promise<void> {
  let cursor = from
  while (!stream.closed.aborted) {
    const changed = hub.next(stream.closed)
    const rows = await database.system((tx) => newer(tx, { kinds, cursor, patches }))
    for (const row of rows) {
      await stream.send(published(row))
      cursor = row.revision
    }
    if (rows.length < BATCH) await changed
  }
}

type Row = { revision: number; kind: string; key: string; version: number; body: unknown; patch: DnsZonePatch | null }

/** A whole that has been patched since is sent as it is now. */
function published({ patch, ...row }: Row): object {
  if (!patch) return row
  return row.body === null ? { ...row, patch } : { ...row, body: patchedZone(row.body as DnsZone, patch) }
}

function newer(
  tx: Tx,
  { kinds, cursor, patches }: { kinds: string[]; cursor: number; patches: boolean },
): Promise<Row[]> {
  return tx.query<Row>(
    `SELECT revision, kind, key, version, CASE WHEN patch IS NULL OR NOT $4 OR base_revision > $1 THEN body END AS body, patch FROM publication
     WHERE revision > $1 AND kind = ANY($2) ORDER BY revision LIMIT $3`,
    [cursor, kinds, BATCH, patches],
  )
}
