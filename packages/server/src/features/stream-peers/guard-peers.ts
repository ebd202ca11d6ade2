import { type EventStore, sourcesWithPeers, streamPeerTotals } from '@fairway/analytics'
import { judgePeers } from '@fairway/domain'
import type { Database, Log } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { type RoundOf, eachByItself, unlessStoreIsAway } from '../../loops/unless-store-is-away.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { notify } from '../notifications/notify.ts'
import { figuresSince, groupOf } from './service.ts'
import { holdPeers, type PeersRow, peersOf, arePeersOn, peersThatAreOn, stopPeers } from './store.ts'

const EVERY_MS = 20_000
/** Where nobody told anything since the last look, nothing has changed. */
const LATELY_SECONDS = 120

/** Switches peers off where viewers wait more with them than without. */
export function startPeerGuard(database: Database, events: EventStore, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'guard-peers',
    isElected: true,
    pollMs: EVERY_MS,
    round: ({ stopped }) =>
      unlessStoreIsAway(events, log, () => guardPeers(database, events, Date.now(), { log, stopped })),
  })
}

/** One look at all that were watched lately. `now` is epoch ms. */
export async function guardPeers(
  database: Database,
  events: EventStore,
  now: number,
  { log, stopped }: RoundOf,
): Promise<void> {
  const of = { database, events, log, stopped }
  if (!(await database.system(arePeersOn))) return
  const seconds = Math.floor(now / 1000)
  const watched = await sourcesWithPeers(events, seconds - LATELY_SECONDS)
  if (watched.size === 0) return
  const rows = await database.system((tx) => peersThatAreOn(tx, [...watched]))
  const look = async (row: PeersRow) => {
    const totals = await streamPeerTotals(events, {
      organizationId: row.organization_id,
      source: row.source_id,
      from: Math.floor(figuresSince(row, now) / 1000),
      now: seconds,
    })
    if (judgePeers(totals.peers, totals.control) === 'harmful') await stop(database, row, totals, now)
  }
  await eachByItself({ ...of, event: 'guard-peers.stream-failed' }, rows, look, (row) => row.organization_id)
}

async function stop(
  database: Database,
  { source_id: id, on_since: onSince }: PeersRow,
  totals: Awaited<ReturnType<typeof streamPeerTotals>>,
  now: number,
): Promise<void> {
  const figures = {
    at: new Date(now).toISOString(),
    peers: groupOf(totals.peers),
    control: groupOf(totals.control),
  }
  await database.system(async (tx) => {
    await holdPeers(tx, id)
    const row = await peersOf(tx, id)
    // What was looked at may have been switched in the meantime, or looked at by another worker.
    if (!row?.is_on || row.on_since?.getTime() !== onSince?.getTime()) return
    const { organization_id: organizationId, name, with_signed: withSigned } = row
    await stopPeers(tx, id, figures)
    await enqueue(tx, organizationId, ['stream-peers'], id)
    await notify(tx, {
      organizationId,
      event: 'peers-stopped',
      fields: {
        stream: name,
        withPeers: percentText(figures.peers.rebufferPercent),
        without: percentText(figures.control.rebufferPercent),
      },
    })
    await writeAudit(tx, {
      organizationId,
      action: 'stream-peers.stop',
      userId: null,
      userLabel: 'system',
      source: 'system',
      changes: [
        {
          entity: 'stream-peers',
          id,
          label: name,
          before: { isOn: true, withSigned },
          after: { isOn: false, withSigned },
        },
      ],
    })
  })
}

const percentText = (percent: number | null): string => (percent ?? 0).toFixed(1)
