import crypto from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Chain,
  type Config,
  DatabaseLog,
  type Log,
  type LogState,
  backupFolderOf,
  chainBackups,
  diskGauge,
  forgetLog,
  isMended,
  logState,
  noteLogState,
  segmentStart,
  stretchesOf,
  walKey,
  writeLsn,
  written,
} from '@fairway/platform'
import { secretsWithPassword } from '../home-files.ts'
import { carryLog } from './carry-log.ts'
import { contentOf, endOf, noteContent } from './chain-content.ts'
import { ownChain } from './own-chain.ts'

const LONGEST_WAIT_MS = 60_000
/** How often what the chain holds is looked at from the beginning. */
const LOOK_MS = 3_600_000

type Following = {
  log: DatabaseLog
  chain: Chain
  /** Up to where it is in the chain, and until when that is everything. */
  at: bigint
  known: number
  /** Pieces of the segment that is being written, which the whole one replaces. */
  pieces: string[]
  homeDigest: string
  lookedAt: number
}

/**
 * Carries the log of the embedded database into the chain of this home, every few seconds, until it is told to end. What
 * stands in the way is told and tried again; meanwhile the database keeps its log, up to a bound.
 */
export async function followLog(given: {
  config: Config
  passphrase: string
  log: Log
  signal: AbortSignal
}): Promise<void> {
  const { config, signal } = given
  const place = backupFolderOf(config)
  const disk = diskGauge(config)
  const state: LogState = {
    ...(logState(config.home, place) ?? { id: null, until: null, tornAt: null, wholeFrom: null }),
    place,
    waitingBytes: 0,
    stoppedAt: null,
    problem: null,
    writtenAt: Date.now(),
  }
  let following: Following | null = null
  let waitMs = config.backupLogSeconds * 1000
  try {
    while (!signal.aborted) {
      try {
        following ??= await begin(given, state)
        await round(config, following, state)
        Object.assign(state, { stoppedAt: null, problem: null, waitingBytes: 0 })
        waitMs = config.backupLogSeconds * 1000
      } catch (error) {
        if (signal.aborted) break
        if (state.stoppedAt === null) given.log.warn({ event: 'backup.log-stopped', err: error })
        state.stoppedAt ??= Date.now()
        state.problem = error instanceof Error ? error.message.slice(0, 500) : String(error)
        state.waitingBytes = (await waiting(config, following)) ?? state.waitingBytes
        await leave(following)
        following = null
        // Room for what is served comes before the way back: what waits is given up, which tears the log.
        if (disk.level() !== 'enough') await forgetLog(config).catch(() => {})
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      }
      note(given, state)
      await delay(waitMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    await leave(following)
  }
}

/** A full disk must not end what follows: the next look is told the same. */
function note({ config, log }: { config: Config; log: Log }, state: LogState): void {
  try {
    noteLogState(config.home, { ...state, writtenAt: Date.now() })
  } catch (error) {
    log.warn({ event: 'backup.log-state-not-noted', err: error })
  }
}

async function begin(
  { config, passphrase, log: told }: { config: Config; passphrase: string; log: Log },
  state: LogState,
): Promise<Following> {
  const log = await DatabaseLog.open(config)
  let chain: Chain | null = null
  try {
    chain = await ownChain(config, passphrase, log)
    const { from, hasLost } = await log.keep()
    const { timeline, to } = await log.place()
    const content = await contentOf(chain)
    const last = stretchesOf(content.wal).findLast((one) => one.timeline === timeline)
    const kept = segmentStart(from, log.segmentBytes)
    const goesOn = last !== undefined && last.to <= to && last.to >= kept
    const at = goesOn ? last.to : kept
    const isNew = state.id !== chain.facts.id
    if (isNew) Object.assign(state, { id: chain.facts.id, until: null, tornAt: null, wholeFrom: null })
    const following: Following = {
      log,
      chain,
      at,
      known: goesOn ? await endOf(chain, last, content.head) : 0,
      pieces: [],
      homeDigest: '',
      lookedAt: 0,
    }
    if (goesOn) {
      state.until = following.known
      const start = segmentStart(at, log.segmentBytes)
      following.pieces = content.wal.filter((part) => part.from >= start && part.to <= at).map(({ key }) => key)
    } else if (!isNew && content.bases.length > 0) tear(state, writeLsn(at), told)
    told.info({ event: 'backup.log-followed', chain: chain.facts.id, from: writeLsn(at), hasLost })
    return following
  } catch (error) {
    await chain?.[Symbol.asyncDispose]()
    await log[Symbol.asyncDispose]()
    throw error
  }
}

/** From here on nothing can be restored to a second before there is another backup. */
function tear(state: LogState, wholeFrom: string, told: Log): void {
  state.tornAt ??= state.until ?? Date.now()
  state.wholeFrom = wholeFrom
  told.error({ event: 'backup.log-torn', since: new Date(state.tornAt).toISOString() })
}

async function round(config: Config, following: Following, state: LogState): Promise<void> {
  const { chain, log } = following
  await putHome(config, following)
  const place = await log.place()
  const from = following.at
  const carried = await carryLog(chain, log, from, place, following.known)
  if (carried.isTorn) throw new Error('The database has thrown away some of its log before it was carried away.')
  const start = segmentStart(carried.to, log.segmentBytes)
  if (start > segmentStart(from, log.segmentBytes)) {
    for (const key of following.pieces) await chain.storage.delete(key)
    following.pieces = []
    await log.release(start)
  }
  const first = from > start ? from : start
  if (carried.to > first) following.pieces.push(walKey(place.timeline, first, carried.to, log.segmentBytes))
  Object.assign(following, { at: carried.to, known: carried.until })
  await chain.put('head', written({ until: place.until, to: writeLsn(carried.to), timeline: place.timeline }))
  state.until = carried.until
  if (isMended(state, chainBackups(config))) Object.assign(state, { tornAt: null, wholeFrom: null })
  if (Date.now() - following.lookedAt < LOOK_MS) return
  await noteContent(config, backupFolderOf(config), chain)
  following.lookedAt = Date.now()
}

/** Secrets are made when they are first used: without them what was sealed since the last backup is noise. */
async function putHome(config: Config, following: Following): Promise<void> {
  const files = written(secretsWithPassword(config.home))
  const digest = crypto.hash('sha256', files)
  if (digest === following.homeDigest) return
  await following.chain.put('home', files)
  following.homeDigest = digest
}

/** What is not in the chain yet; null while the database does not say. */
async function waiting(config: Config, following: Following | null): Promise<number | null> {
  try {
    if (following) return Number((await following.log.place()).to - following.at)
    await using log = await DatabaseLog.open(config)
    const from = await log.keptFrom()
    return from === null ? null : Number((await log.place()).to - from)
  } catch {
    return null
  }
}

async function leave(following: Following | null): Promise<void> {
  await following?.chain[Symbol.asyncDispose]().catch(() => {})
  await following?.log[Symbol.asyncDispose]().catch(() => {})
}
