import fs from 'node:fs'
import {
  type Database,
  type HeldSockets,
  OutgoingGate,
  isWebrtcOffered,
  readPublishToken,
  streamKeyHash,
} from '@fairway/platform'
import { type Place, folderOf } from '../jobs/intake.ts'
import { removeGently } from '../jobs/remove-files.ts'
import { Broadcast, type Pulled, type Source } from './broadcast.ts'
import { Pull } from './pull.ts'
import { Recordings } from './recordings.ts'
import { type RtmpServer, startRtmp } from './rtmp/server.ts'
import {
  type LiveRow,
  applied,
  clearTest,
  liveEmptied,
  liveFilesRemoved,
  liveRows,
  longEnded,
  nextSession,
  noteAsked,
  noteLive,
  noteRunning,
  removedLive,
  streamOfKey,
  streamOfToken,
} from './store.ts'
import type { Tails } from './tail.ts'
import { TestEncoder, type TestPicture, tapeOf, type Tape } from './test-encoder.ts'
import { openDoor } from './whip/door.ts'
import { type Whip, WhipRefusal, startWhip } from './whip/whip.ts'
import { WrongKeys } from './wrong-keys.ts'

export type Live = AsyncDisposable & {
  /** One round: takes in what was changed, ends what is over, writes down what comes in. */
  look(): Promise<void>
  /** Removes files of streams that were removed, and of broadcasts that ended long ago. */
  clear(signal: AbortSignal): Promise<void>
  facts: () => ReturnType<RtmpServer['facts']> & ReturnType<Whip['facts']>
  /** What the API passes on of who sends by WebRTC. */
  whip: Pick<Whip, 'isAsked' | 'answer'>
  /** Viewers ask for a playlist of this stream or video. */
  asked(id: string): void
}

/** As the mint makes them: nothing else is looked for. */
const KEY = /^live_[\w-]{32}$/
/** Keys that are looked for at a time, by one connection. */
const MOST_ASKED = 64
/** First segments of pulled streams that are fetched and looked at side by side, and of one organisation's. */
const MOST_BEGINNING = 4
const MOST_BEGINNING_OWN = 2
/** How often it is written down that streams run. */
const RUNNING_MS = 5_000
/** A test picture that ended by itself is not begun again at once. */
const TEST_AGAIN_MS = 15_000

/** Live streams of this process: who sends with a key of one that is on becomes its picture. */
export async function startLive(
  place: Place,
  runner: string,
  canEncode: () => boolean,
  tails: Tails,
  strangers: Database,
  sockets?: HeldSockets,
): Promise<Live> {
  const { config, database, log, disk } = place
  const streams = new Map<string, Broadcast>()
  const noted = new Map<string, string>()
  const recordings = new Recordings(place)
  const gate = new OutgoingGate({ config, log })
  const pulls = new Map<string, Pull>()
  let stopping = false
  const of = (row: LiveRow): Broadcast => {
    const known = streams.get(row.id)
    known?.update(row)
    const folder = folderOf(config, row)
    const stream = known ?? new Broadcast(folder, row, tails.open(folder))
    streams.set(row.id, stream)
    return stream
  }
  // Who comes back takes the place of its own.
  const isTooMuch = (stream: Broadcast) => {
    const others = [...streams.values()].filter((one) => one !== stream && one.isTaken)
    const own = others.filter(({ organizationId }) => organizationId === stream.organizationId)
    return others.length >= config.liveMost || own.length >= Math.max(1, config.liveMost - 1)
  }
  let askedFor = 0
  /** Whoever comes with any key has no connection of those that the role writes down by. */
  const find = async (bearer: string, withTokens: boolean): Promise<LiveRow | undefined> => {
    // What is thrown is refused too, and is no wrong key: it is not held against the address.
    if (stopping || !canEncode()) throw new WhipRefusal(503, 'away')
    const token = withTokens ? readPublishToken(config, bearer, Date.now()) : null
    if (token === null && !KEY.test(bearer)) return undefined
    if (askedFor >= MOST_ASKED) throw new WhipRefusal(503, 'away')
    askedFor++
    try {
      return await strangers.system((tx) =>
        token === null ? streamOfKey(tx, streamKeyHash(bearer)) : streamOfToken(tx, token),
      )
    } finally {
      askedFor--
    }
  }
  const mayBegin = (row: LiveRow): Broadcast => {
    if (stopping || !canEncode()) throw new WhipRefusal(503, 'away')
    if (!row.is_on) throw new WhipRefusal(409, 'off')
    const stream = of(row)
    const why = isTooMuch(stream) ? 'too-many' : disk.level() === 'enough' ? null : 'no-room'
    if (why === null) return stream
    stream.refuse(why)
    throw new WhipRefusal(503, why)
  }
  const begin = async (row: LiveRow, source: Source) => {
    mayBegin(row)
    const session = await database.system((tx) => nextSession(tx, row.id, row.key_hash))
    if (session === undefined) throw new WhipRefusal(409, 'off')
    const stream = mayBegin(row)
    log.info({ event: 'live.begins', stream: row.id, session })
    return stream.begin(session, source)
  }
  const wrong = new WrongKeys()
  const rtmp = await startRtmp(
    { at: config.rtmpListen, proxies: config.trustedProxies, wrong, ...(sockets === undefined ? {} : { sockets }) },
    async (key, publisher) => {
      const row = await find(key, false)
      return row === undefined ? null : begin(row, publisher)
    },
  )
  const door =
    config.webrtcListen && isWebrtcOffered(config)
      ? openDoor(config.webrtcListen, (error) => log.error({ event: 'live.no-webrtc', err: error }))
      : null
  const whip = startWhip({
    config,
    log,
    door,
    wrong,
    find: async (bearer) => (await find(bearer, true)) ?? null,
    mayBegin,
    begin,
  })
  const beginning = new Set<{ organizationId: string }>()
  const enter = (organizationId: string): Disposable | null => {
    const own = [...beginning].filter((one) => one.organizationId === organizationId).length
    if (beginning.size >= MOST_BEGINNING || own >= MOST_BEGINNING_OWN) return null
    const turn = { organizationId }
    beginning.add(turn)
    return { [Symbol.dispose]: () => void beginning.delete(turn) }
  }
  /** Begins to fetch what is on, and is fetched already or not. */
  const pull = (row: LiveRow, stream: Broadcast) => {
    if (row.origin_url === null || pulls.has(row.id) || !canEncode() || stopping) return
    const obstacle = () => {
      if (stopping || isTooMuch(stream)) return 'too-many' as const
      return disk.level() === 'enough' ? null : ('no-room' as const)
    }
    const begin = async (pulled: Pulled) => {
      const found = obstacle()
      if (found !== null) return found
      const session = await database.system((tx) => nextSession(tx, row.id, row.key_hash))
      if (session === undefined) throw new Error('it was switched off')
      log.info({ event: 'live.begins', stream: row.id, session })
      return stream.beginPulled(session, pulled)
    }
    const { organization_id: organizationId, origin_url: url } = row
    const problem = (why: string) => stream.refuse(why)
    pulls.set(
      row.id,
      new Pull({
        organizationId,
        url,
        gate,
        folder: stream.folder,
        obstacle,
        enter: () => enter(organizationId),
        begin,
        problem,
      }),
    )
  }
  const stopPull = async (id: string) => {
    const one = pulls.get(id)
    pulls.delete(id)
    await one?.stop()
  }
  const tests = new Map<string, { encoder: TestEncoder | null; at: number }>()
  const tapes = new Map<TestPicture, Promise<Tape>>()
  const ending = new AbortController()
  const tape = (picture: TestPicture) => {
    const known = tapes.get(picture) ?? tapeOf(config.home, picture, ending.signal)
    tapes.set(picture, known)
    // Tried again when it is next wanted.
    known.catch(() => tapes.delete(picture))
    return known
  }
  /** Sends a test picture to what has nothing else, without keeping others waiting while it is made. */
  const test = async (row: LiveRow, stream: Broadcast) => {
    const { test_picture: picture, test_until: until } = row
    const found = tests.get(row.id)
    if (picture === null || (until !== null && until.getTime() <= Date.now())) {
      if (found?.encoder) await stream.endTest()
      return void tests.delete(row.id)
    }
    if (stream.isTaken || !canEncode() || stopping || row.key_hash === null) return
    if (found && (found.encoder === null || found.encoder.isOver) && Date.now() - found.at < TEST_AGAIN_MS) return
    if (isTooMuch(stream)) return stream.refuse('too-many')
    if (disk.level() !== 'enough') return stream.refuse('no-room')
    const mine: { encoder: TestEncoder | null; at: number } = { encoder: null, at: Date.now() }
    tests.set(row.id, mine)
    void tape(picture)
      .then(async (played) => {
        if (stopping || stream.isTaken || tests.get(row.id) !== mine || streams.get(row.id) !== stream) return
        // Whoever sends takes its place: what was to last some minutes does not come back after that.
        const encoder = new TestEncoder(played, () => {
          mine.at = Date.now()
          if (!stopping && until !== null) void database.system((tx) => clearTest(tx, row.id)).catch(() => {})
        })
        const session = await database.system((tx) => nextSession(tx, row.id, row.key_hash))
        // An encoder that has come meanwhile is not put aside.
        if (session === undefined || stream.isTaken || streams.get(row.id) !== stream) return
        log.info({ event: 'live.begins', stream: row.id, session, picture })
        const sink = await stream.begin(session, encoder, played)
        mine.encoder = encoder
        encoder.play(sink)
      })
      .catch((error: unknown) => log.warn({ event: 'live.no-test-picture', err: error }))
  }
  const watched = new Set<string>()
  let runningAt = 0
  const running = async () => {
    if (Date.now() - runningAt < RUNNING_MS) return
    await database.system((tx) => noteRunning(tx, runner))
    const asked = [...watched]
    watched.clear()
    if (asked.length > 0) await database.system((tx) => noteAsked(tx, asked))
    runningAt = Date.now()
  }
  /** Its files are removed apart from this: they may be many. */
  const remove = async (row: { id: string; organization_id: string }) => {
    if (!streams.has(row.id) && !pulls.has(row.id)) return
    await stopPull(row.id)
    await streams.get(row.id)?.end(true)
    streams.delete(row.id)
    noted.delete(row.id)
    tests.delete(row.id)
    tails.close(folderOf(config, row))
  }
  const clear = async (signal: AbortSignal) => {
    const failures: unknown[] = []
    const each = async <T extends { id: string; organization_id: string }>(
      rows: readonly T[],
      once: (row: T, folder: string, aside: string) => Promise<void>,
    ) => {
      for (const row of rows) {
        if (signal.aborted) return
        const folder = folderOf(config, row)
        await once(row, folder, `${folder}.gone`).catch((error: unknown) => failures.push(error))
      }
    }
    await each(await database.system(removedLive), async ({ id }, folder, aside) => {
      // First it is ended.
      if (streams.has(id) || pulls.has(id)) return
      for (const gone of [folder, aside]) await removeGently(gone)
      await database.system((tx) => liveFilesRemoved(tx, id))
    })
    await each(await database.system(longEnded), async ({ id }, folder, aside) => {
      await removeGently(aside)
      // In one step, so that a broadcast that begins meanwhile has a folder of its own.
      const stream = streams.get(id)
      if (stream && !stream.empty()) return
      if (fs.existsSync(folder)) fs.renameSync(folder, aside)
      if (stream) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      await removeGently(aside)
      log.info({ event: 'live.emptied', stream: id })
      await database.system((tx) => liveEmptied(tx, id))
    })
    if (failures.length > 0) throw failures[0]
  }
  const take = async (row: LiveRow) => {
    if (row.is_on) {
      const stream = of(row)
      pull(row, stream)
      await test(row, stream)
    } else {
      tests.delete(row.id)
      await stopPull(row.id)
      // What was on air when the process before this one died ends, too.
      const stream = streams.get(row.id) ?? (row.input && row.input.state !== 'ended' ? of(row) : undefined)
      await stream?.end(true)
      if (stream) await note(row.id, stream)
      // Switched on again meanwhile, it may be on air.
      if (stream?.isOver ?? true) {
        streams.delete(row.id)
        tails.close(folderOf(config, row))
      }
    }
    if (row.applied_revision !== row.revision || row.runner !== runner)
      await database.system((tx) => applied(tx, row, runner))
  }
  const round = async () => {
    // One whose folder cannot be written keeps no other from being noted, billed and recorded; it is told after.
    const failures: unknown[] = []
    const each = async <T>(all: Iterable<T>, once: (one: T) => void | Promise<void>) => {
      for (const one of all)
        try {
          await once(one)
        } catch (error) {
          failures.push(error)
        }
    }
    await each(await database.system(removedLive), remove)
    await each(await database.system((tx) => liveRows(tx, runner)), take)
    await running()
    await each(streams.values(), (stream) => stream.look(Date.now()))
    await each(streams, ([id, stream]) => note(id, stream))
    await recordings.look(streams)
    if (failures.length > 0) throw failures[0]
  }
  const note = async (id: string, stream: Broadcast) => {
    const facts = { input: stream.input(Date.now()), renditions: stream.ladder, isPlayable: stream.isPlayable }
    const text = JSON.stringify(facts)
    if (noted.get(id) === text) return
    await database.system((tx) => noteLive(tx, id, facts))
    noted.set(id, text)
  }
  return {
    look: round,
    clear,
    facts: () => ({ ...rtmp.facts(), ...whip.facts() }),
    whip,
    asked(id) {
      if (streams.has(id)) watched.add(id)
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      ending.abort()
      whip.close()
      await rtmp[Symbol.asyncDispose]()
      await Promise.all([...pulls.keys()].map(stopPull))
      for (const stream of streams.values()) await stream.end(false)
      await door?.[Symbol.asyncDispose]()
    },
  }
}
