import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { answered } from './answered.ts'
import { LOG_POSITION, type LogPosition, readLogPosition, readLsn } from './log-position.ts'

/** The database that replicas have to be of, and how far its log has come. */
export type Primary = { system: string; position: LogPosition }

/**
 * Why a replica is not asked. `behind`: it has not replayed enough. `leads`: it takes writes itself. `foreign`: it is of
 * another database. `forked`: it follows a log that nobody continues. `mute`: it does not say what it has replayed.
 * `away`: it does not answer. `new`: it was not looked at yet.
 */
export type ReplicaProblem = { kind: 'new' | 'away' | ReplicaUnfit['kind']; said: string }

/** A server that answers, and still may not be asked in the primary's place; the message goes on after its name. */
export class ReplicaUnfit extends Error {
  readonly kind: 'behind' | 'leads' | 'foreign' | 'forked' | 'mute'
  /** Of the log, where more of it is all that is missing. */
  readonly missingBytes: bigint
  constructor(kind: ReplicaUnfit['kind'], message: string, missingBytes = 0n) {
    super(message)
    this.kind = kind
    this.missingBytes = missingBytes
  }
}

export function problemOfReplica(error: unknown): ReplicaProblem {
  if (error instanceof ReplicaUnfit) return { kind: error.kind, said: error.message }
  return { kind: 'away', said: `does not answer: ${error instanceof Error ? error.message : String(error)}` }
}

/** For `Primary`, at the server that takes writes. */
export const OF_PRIMARY = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, ${LOG_POSITION} AS position`

/** @throws Error when the server that answered takes no writes */
export function readPrimary(rows: readonly Record<string, unknown>[]): Primary {
  const { system, position } = rows[0] ?? {}
  const read = typeof position === 'string' ? readLogPosition(position) : null
  if (typeof system !== 'string' || read === null) throw new Error('the primary does not say how far its log has come')
  return { system, position: read }
}

/**
 * The timeline that was replayed is told with delay by the control file, and at once by the receiver, to those who may
 * read statistics; it starts on a timeline only where that goes on from what was replayed.
 */
const OF_REPLICA = `SELECT pg_is_in_recovery() AS follows, (SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT upper(lpad(to_hex(greatest(c.timeline_id, r.min_recovery_end_timeline, w.received_tli)), 8, '0'))
     FROM pg_control_checkpoint() c, pg_control_recovery() r LEFT JOIN pg_stat_wal_receiver w ON true) AS timeline,
  pg_last_wal_replay_lsn()::text AS lsn`

type Found = { follows: boolean; system: string; timeline: string; lsn: string | null }

/** Looks come closer together at first: most are a few milliseconds behind. */
const LOOK_AGAIN_MS = [1, 2, 4, 8, 16]

/**
 * Settles once this connection leads to a server that shows everything up to there.
 * @param options.begin what is said before the first look
 * @param options.silentMs how long a look may take
 * @throws ReplicaUnfit when it is no replica of that database, or is not there in time
 */
export async function caughtUp(
  client: pg.ClientBase,
  { system, position }: Primary,
  { begin = '', silentMs, withinMs }: { begin?: string; silentMs: number; withinMs: number },
): Promise<void> {
  const giveUpAt = performance.now() + withinMs
  for (let look = 0; ; look++) {
    const answers = (await answered(client.query(`${look === 0 ? begin : ''}${OF_REPLICA}`), silentMs)) as unknown as
      | pg.QueryResult<Found>
      | pg.QueryResult<Found>[]
    const found = (Array.isArray(answers) ? answers.at(-1) : answers)?.rows[0]
    if (!found) throw new ReplicaUnfit('mute', 'does not say what it has replayed')
    const missing = missingOf(found, { system, position })
    if (missing <= 0n) return
    const waits = LOOK_AGAIN_MS[look] ?? LOOK_AGAIN_MS.at(-1) ?? 0
    if (performance.now() + waits > giveUpAt)
      throw new ReplicaUnfit('behind', `is behind: ${missing} bytes of the log are to be replayed`, missing)
    await sleep(waits)
  }
}

/** Bytes of the log that it has not replayed. */
function missingOf(found: Found, { system, position }: Primary): bigint {
  if (found.system !== system)
    throw new ReplicaUnfit(
      'foreign',
      `is no replica of this database: its system identifier is ${found.system}, the primary's ${system}`,
    )
  if (!found.follows) throw new ReplicaUnfit('leads', 'takes writes itself')
  if (found.lsn === null) throw new ReplicaUnfit('mute', 'does not say what it has replayed')
  if (found.timeline !== position.timeline)
    throw new ReplicaUnfit(
      'forked',
      `has replayed timeline ${found.timeline}, and the primary writes ${position.timeline}`,
    )
  return position.lsn - readLsn(found.lsn)
}
