import type pg from 'pg'
import type { Log } from '../log.ts'
import { NoAnswer } from './answered.ts'
import type { ReplicaAddress } from './connection.ts'
import { DatabaseAway } from './database-away.ts'
import { openPool } from './pool.ts'
import { type Primary, type ReplicaProblem, ReplicaUnfit, caughtUp, problemOfReplica } from './replica-fitness.ts'
import { PatientClient, cutOff } from './server-that-writes.ts'
import { type Views, viewsOf } from './transaction.ts'

/** Who reads waits so long for what the replica has not replayed, before the primary is asked. */
const CATCH_UP_MS = 100
/** A look at a replica takes this long at most; see `answered` for whose time is meant. */
const SILENT_MS = 500
/** How long one waits for a connection while all are taken: the primary has some, too. */
const TURN_WITHIN_MS = 300
/** What replays a change of a table holds it, and whoever reads waits behind that. */
const LOCK_PATIENCE = '500ms'
/** What ends sooner is not worth a word in the log. */
const TOLD_AFTER_MS = 2_000

export type ReplicaState = {
  /** Host and port. */
  name: string
  /** How long ago the primary was where the replica is; null while that is not known. */
  lagMs: number | null
  /** Why it is not asked, null while it is. */
  problem: ReplicaProblem | null
}

/** The primary as it was last seen, and when it was where. */
export type Seen = { latest: Primary | null; sinceMs(position: bigint): number }

/**
 * One replica: what reads from it, and a look at it now and then, which says whether it is asked. Each transaction looks
 * again by itself, because a name may lead to several servers.
 */
export class Replica {
  readonly name: string
  private readonly address: ReplicaAddress
  private readonly log: Log
  private readonly open: { most: number; patienceMs: number | undefined }
  private pool: pg.Pool | null = null
  /** All that the pool has, so that none waits for a server that is silent. */
  private readonly clients = new Set<pg.ClientBase>()
  private watcher: PatientClient | null = null
  private looking: Promise<void> | null = null
  private problem: ReplicaProblem | null = { kind: 'new', said: 'was not looked at yet' }
  private lagMs: number | null = null
  /** When it was last well, and whether it was told that it is not. */
  private wellAt = performance.now()
  private isTold = false
  private isStopped = false

  constructor(address: ReplicaAddress, log: Log, open: { most: number; patienceMs: number | undefined }) {
    this.name = address.name
    this.address = address
    this.log = log
    this.open = open
  }

  state(): ReplicaState {
    return { name: this.name, lagMs: this.lagMs, problem: this.problem }
  }

  get isFit(): boolean {
    return this.problem === null
  }

  /** Transactions that show everything up to there. They throw ReplicaUnfit, or DatabaseAway, where they cannot. */
  views(primary: Primary): Views {
    return viewsOf({
      connect: async () => {
        if (!this.pool) throw new DatabaseAway('the replica is away')
        const client = await this.pool.connect()
        return {
          client,
          release(broken) {
            if (broken) cutOff(client)
            client.release(broken)
          },
        }
      },
      async begin(client, who) {
        const begin = `BEGIN READ ONLY; SET LOCAL lock_timeout = '${LOCK_PATIENCE}'; ${who}; `
        await caughtUp(client, primary, { begin, silentMs: SILENT_MS, withinMs: CATCH_UP_MS })
      },
    })
  }

  /** Nobody asks it until the next look has found it well. */
  setAside(why: Error): void {
    this.problem ??= problemOfReplica(why)
  }

  /** Looks how it is; one look at a time. */
  look(seen: Seen): Promise<void> {
    const { latest } = seen
    if (latest === null || this.isStopped) return Promise.resolve()
    this.looking ??= this.lookNow(latest, seen).finally(() => (this.looking = null))
    return this.looking
  }

  private async lookNow(primary: Primary, seen: Seen): Promise<void> {
    const began = performance.now()
    try {
      this.watcher ??= await this.reach()
      await caughtUp(this.watcher, primary, { silentMs: SILENT_MS, withinMs: CATCH_UP_MS })
      this.lagMs = performance.now() - began
      this.problem = null
    } catch (error) {
      const why = error instanceof Error ? error : new Error(String(error))
      if (!(why instanceof ReplicaUnfit)) this.leave(why)
      this.lagMs =
        why instanceof ReplicaUnfit && why.kind === 'behind'
          ? seen.sinceMs(primary.position.lsn - why.missingBytes)
          : null
      this.problem = problemOfReplica(why)
    }
    this.tell()
  }

  /** A connection to look by, and a new pool: certificates are read anew, and nothing is left of what was there before. */
  private async reach(): Promise<PatientClient> {
    const server = this.address.server()
    const client = new PatientClient({ ...server, keepAlive: true })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      cutOff(client)
      throw error
    }
    if (this.isStopped) cutOff(client)
    else {
      const pool = openPool(server, this.log, { ...this.open, turnWithinMs: TURN_WITHIN_MS })
      pool.on('connect', (one) => this.clients.add(one))
      pool.on('remove', (one) => this.clients.delete(one))
      this.pool = pool
    }
    return client
  }

  private leave(why: Error): void {
    const { watcher, pool } = this
    this.watcher = null
    this.pool = null
    if (watcher) cutOff(watcher)
    // What waits for a silent server is asked of the primary now; what was refused by one that is there may go on.
    if (why instanceof NoAnswer) for (const client of this.clients) cutOff(client)
    void pool?.end().catch(() => {})
  }

  private tell(): void {
    const now = performance.now()
    if (this.problem === null) {
      if (this.isTold) this.log.info({ event: 'database.replica-well', replica: this.name })
      this.wellAt = now
      this.isTold = false
    } else if (!this.isTold && !this.isStopped && now - this.wellAt > TOLD_AFTER_MS) {
      this.isTold = true
      this.log.warn({ event: 'database.replica-unfit', replica: this.name, why: this.problem.said })
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.looking
    const { watcher, pool } = this
    this.watcher = null
    this.pool = null
    if (watcher) cutOff(watcher)
    await pool?.end()
  }
}
