import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { DatabaseAway } from './database-away.ts'
import { replicaAddresses } from './connection.ts'
import { readLogPosition } from './log-position.ts'
import { ALL_TAKEN, TOO_SLOW } from './pool.ts'
import { Replica, type ReplicaState, type Seen } from './replica.ts'
import { OF_PRIMARY, type Primary, ReplicaUnfit, readPrimary } from './replica-fitness.ts'
import type { Views } from './transaction.ts'

/** A replica that dies or is silent is found out about in less than a second. */
const LOOK_EVERY_MS = 300
/** Where the primary is, is asked with each of so many looks: whoever reads knows it anyway. */
const LOOKS_OF_PRIMARY = 3
/** Where the primary was when, for two minutes. */
const MOST_MARKS = 133

export type ReplicaFigures = {
  replicas: (ReplicaState & { reads: number })[]
  /** Reads that a replica might have answered and the primary has. */
  primaryReads: number
}

export type Replicas = AsyncDisposable & {
  /** The primary has told how far its log has come: one that cannot is never asked with something else. */
  readonly isAble: boolean
  read<T>(position: string | null, primary: Views, ask: (from: Views) => Promise<T>): Promise<T>
  figures(): ReplicaFigures
}

type Options = {
  /** To each of them. */
  connections: number
  patienceMs: number | undefined
  askPrimary(sql: string): Promise<Record<string, unknown>[]>
}

/** Replicas that the settings name, each looked at all the while. */
export function openReplicas(config: Config, log: Log, { connections, patienceMs, askPrimary }: Options): Replicas {
  const all = replicaAddresses(config).map((address) => new Replica(address, log, { most: connections, patienceMs }))
  const reads = new Map(all.map((replica) => [replica, 0]))
  let primaryReads = 0
  let turn = 0
  const seen = new Marks()
  const askOne = singly(async () => seen.add(readPrimary(await askPrimary(OF_PRIMARY))))
  let looks = 0
  const look = () => {
    if (seen.latest === null || ++looks % LOOKS_OF_PRIMARY === 0) askOne()
    for (const replica of all) void replica.look(seen)
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  askOne()
  const next = (): Replica | undefined => {
    const fit = all.filter(({ isFit }) => isFit)
    return fit[turn++ % fit.length]
  }
  return {
    get isAble() {
      return seen.latest !== null
    },
    async read(text, primary, ask) {
      const position = readLogPosition(text)
      if (position === null) return ask(primary)
      const replica = seen.latest && next()
      if (seen.latest && replica) {
        try {
          const answer = await ask(replica.views({ system: seen.latest.system, position }))
          reads.set(replica, (reads.get(replica) ?? 0) + 1)
          return answer
        } catch (error) {
          // What takes too long there takes as long at the primary, which is everybody's.
          if (failedBy(TOO_SLOW, error)) throw error
          if (error instanceof ReplicaUnfit || error instanceof DatabaseAway) {
            if (!failedBy(ALL_TAKEN, error)) replica.setAside(error)
          }
          // What the database refuses may be the replica's alone: a row that replaying has removed under the reader.
          else if (!(error instanceof pg.DatabaseError)) throw error
        }
      }
      primaryReads += 1
      return ask(primary)
    },
    figures: () => ({
      replicas: all.map((replica) => ({ ...replica.state(), reads: reads.get(replica) ?? 0 })),
      primaryReads,
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await Promise.all(all.map((replica) => replica.stop()))
    },
  }
}

/** Where the primary's log was when, newest last. */
class Marks implements Seen {
  latest: Primary | null = null
  private readonly marks: { at: number; lsn: bigint }[] = []

  add(primary: Primary): void {
    // Another timeline counts anew: what is left of the former one says nothing of it.
    if (this.latest?.position.timeline !== primary.position.timeline) this.marks.length = 0
    this.latest = primary
    this.marks.push({ at: performance.now(), lsn: primary.position.lsn })
    if (this.marks.length > MOST_MARKS) this.marks.shift()
  }

  /** How long ago the primary left that place, in ms; at most as long as is remembered. */
  sinceMs(lsn: bigint): number {
    const left = this.marks.find((mark) => mark.lsn > lsn)
    return left ? performance.now() - left.at : 0
  }
}

const failedBy = (said: RegExp, error: unknown): boolean =>
  error instanceof DatabaseAway && error.cause instanceof Error && said.test(error.cause.message)

/** Calls that come while one is under way are left out; what fails is tried again with the next. */
function singly(work: () => Promise<void>): () => void {
  let isUnderWay = false
  return () => {
    if (isUnderWay) return
    isUnderWay = true
    work()
      .catch(() => {})
      .finally(() => (isUnderWay = false))
  }
}
