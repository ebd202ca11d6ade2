import type { Database, Log } from '@fairway/platform'
import { noteNodeEvents } from './nodes-store.ts'

const EVERY_MS = 3_000
const LOCK = 4715

/** Notices nodes that are missed and those that are back; of several workers one writes it down. */
export function startNodeWatch(database: Database, log: Log): AsyncDisposable {
  let running: Promise<void> | null = null
  const look = async () => {
    try {
      const events = await database.system(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
        return noteNodeEvents(tx)
      })
      for (const { node_id: node, kind } of events) log.info({ event: `node.${kind}`, node })
    } catch (error) {
      log.warn({ event: 'node-watch.failed', err: error })
    }
  }
  const timer = setInterval(() => (running ??= look().finally(() => (running = null))), EVERY_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
