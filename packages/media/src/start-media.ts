import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Counter } from 'prom-client'
import {
  type Config,
  type HeldSockets,
  type Log,
  Places,
  StorageError,
  diskGauge,
  makeMetrics,
  mediaFolders,
  migrate,
  openDatabase,
  saidOfDisk,
  startControl,
  watchDue,
} from '@fairway/platform'
import { Balancers } from './delivery/balancers.ts'
import { embedFacts } from './delivery/embed-facts.ts'
import { remembered } from './delivery/remembered.ts'
import { startListener } from './delivery/listener.ts'
import { loadPlayer } from './delivery/player-files.ts'
import { hasFfmpeg } from './ffmpeg/run.ts'
import { startLive } from './live/live.ts'
import { LONG_ENDED } from './live/store.ts'
import { Tails } from './live/tail.ts'
import { makeDownload, removeDownloads } from './jobs/downloads.ts'
import { HomeLease } from './jobs/home-lease.ts'
import { bringUploads, takeIn } from './jobs/intake.ts'
import { olderManifests, writeTexts } from './jobs/master.ts'
import { makeThumbnails } from './jobs/pictures.ts'
import { removeFiles } from './jobs/remove-files.ts'
import { Served } from './jobs/served.ts'
import { isLeft, leave, noteRunner, takeBack } from './jobs/store.ts'
import { TURN_MS, workOnce } from './jobs/work.ts'
import { bringBack } from './stored/bring-back.ts'
import { type NotHere, putAway } from './stored/put-away.ts'
import { removeStored } from './stored/remove-stored.ts'
import { removeDrafts } from './stored/source.ts'
import { waitingToBeStored } from './stored/store.ts'

const POLL_MS = 1_000
/** For what the questions below might not see, and for what is old. */
const GUARANTEE_MS = 60_000
/** What each loop has to do, asked once a second for all of them together: too broad is no harm, too narrow is. */
const DUE = {
  intake: `SELECT FROM stream_asset WHERE state IN ('uploading', 'queued') AND deleted_at IS NULL`,
  uploads: `SELECT FROM stream_asset WHERE state = 'uploading' AND upload_in <> '' AND deleted_at IS NULL`,
  files: `SELECT FROM stream_asset WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL
    UNION ALL SELECT FROM stream_live WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL
    UNION ALL SELECT FROM ${LONG_ENDED}`,
  texts: `SELECT FROM stream_caption WHERE applied_at IS NULL UNION ALL SELECT FROM stream_gone WHERE files_removed_at IS NULL
    UNION ALL SELECT FROM stream_asset WHERE NOT chapters_applied AND is_playable AND deleted_at IS NULL`,
  thumbnails: `SELECT FROM stream_thumbnail WHERE applied_at IS NULL AND reason_code IS NULL AND (next_try_at IS NULL OR next_try_at <= now())`,
  downloads: `SELECT FROM stream_download WHERE state = 'waiting' AND (next_try_at IS NULL OR next_try_at <= now())
    UNION ALL SELECT FROM stream_download d JOIN stream_asset a ON a.id = d.asset_id WHERE a.deleted_at IS NOT NULL`,
  storage: `SELECT FROM stream_asset WHERE stored_revision < files_revision AND deleted_at IS NULL AND storer IS NULL`,
  removal: `SELECT FROM stream_asset WHERE stored_in <> '' AND deleted_at IS NOT NULL AND files_removed_at IS NOT NULL
    UNION ALL SELECT FROM stream_asset WHERE upload_in <> '' AND (deleted_at IS NOT NULL OR (state = 'failed' AND source IS NULL AND reason_code IS DISTINCT FROM 30013))
    UNION ALL SELECT FROM stream_gone g JOIN stream_asset a ON a.id = g.asset_id WHERE a.stored_in <> '' AND g.files_removed_at IS NOT NULL AND g.stored_removed_at IS NULL`,
  live: `SELECT FROM stream_live WHERE deleted_at IS NULL AND (is_on OR applied_revision IS DISTINCT FROM revision)
    UNION ALL SELECT FROM stream_live WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL
    UNION ALL SELECT FROM stream_run WHERE ended_at IS NULL UNION ALL SELECT FROM stream_recording WHERE state = 'running'`,
  work: `SELECT FROM stream_job j JOIN stream_asset a ON a.id = j.asset_id WHERE j.state = 'waiting' AND a.state = 'processing'`,
}
const OTHER_HOME = 'videos of this database are worked on in another home: this one delivers only'
const WAITS = new Set(['storage', 'removal', 'files'])

/**
 * The role `media`: looks into uploaded videos, encodes them, and is the origin that the edge fetches them from. Without
 * ffmpeg on this machine it delivers what was made before, and says so.
 */
export async function startMedia({
  config,
  log,
  sockets = {},
  playerFolder = null,
  turnMs = TURN_MS,
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
  /** Where the player was built; without one none is given. */
  playerFolder?: string | null
  /** How long one organisation's video is encoded while others wait. */
  turnMs?: number
}): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  await migrate(config, log)
  for (const folder of Object.values(mediaFolders(config))) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeDrafts({ config })
  const hasPrograms = hasFfmpeg()
  if (!hasPrograms)
    log.warn({ event: 'media.no-ffmpeg', why: 'ffmpeg is missing: videos are neither taken nor encoded' })
  const database = started.use(openDatabase(config, log, { connections: 4 }))
  // Whatever strangers ask, what the role itself has to write down has connections of its own.
  const strangers = started.use(openDatabase(config, log, { connections: 1 }))
  const balancers = new Balancers(log)
  await database.system((tx) => balancers.refresh(tx))
  const tails = new Tails()
  const places = started.use(new Places(config))
  const metrics = makeMetrics('media')
  const answers = new Counter({
    name: 'fairway_media_answers_total',
    help: 'Answers of the origin of videos, mostly to edges',
    labelNames: ['status'],
    registers: [metrics],
  })
  const answered = (status: number) => answers.inc({ status })
  const player = {
    files: loadPlayer(playerFolder, path.join(config.home, 'media', 'player')),
    facts: remembered((key: string, id: string) => strangers.system((tx) => embedFacts(tx, config, key, id))),
  }
  const lease = new HomeLease(config, database)
  const place = { config, database, log, disk: diskGauge(config), places, isHome: () => lease.isHeld }
  const runner = `${config.nodeName}/${crypto.randomUUID()}`
  const canEncode = () => hasPrograms && lease.isHeld
  const hold = async () => {
    const before = lease.isHeld
    let left = false
    await lease.look(async (tx, isHeld) => {
      await noteRunner(tx, runner, hasPrograms && isHeld)
      left = await isLeft(tx)
    })
    if (before && !lease.isHeld) log.error({ event: 'media.other-home', why: OTHER_HOME })
    // By itself: rows that somebody holds must not keep our own word back.
    if (left) await database.system(takeBack)
  }
  await hold()
  const live = started.use(await startLive(place, runner, canEncode, tails, strangers, sockets))
  const { asked, whip } = live
  started.use(await startListener({ config, log, balancers, tails, places, player, answered, asked, whip, sockets }))
  const stop = new AbortController()
  const problems = new Map<string, string>()
  const away = new Set<string>()
  /** What is done on the disk of the home that has it. */
  const work = (name: string, due: string | null, once: () => Promise<boolean>) =>
    over(name, due, async () => lease.isHeld && (await once()))
  const over = async (name: string, due: string | (() => string) | null, once: () => Promise<boolean>) => {
    const woken = new Wakeful()
    using _watch = due === null ? null : watchDue(database, due, () => woken.wake())
    while (!stop.signal.aborted) {
      const more = await once().then(
        (worked) => (problems.delete(name), worked),
        (error: unknown) => {
          const why = error instanceof Error ? error.message : String(error)
          if (problems.get(name) !== why && !stop.signal.aborted)
            // What a library says of its service may hold more than its sentence.
            log.error({ event: `media.${name}-failed`, ...(error instanceof StorageError ? { why } : { err: error }) })
          problems.set(name, why)
          if (error instanceof StorageError) away.add(name)
          else away.delete(name)
          return false
        },
      )
      if (!more)
        await (due === null || problems.has(name)
          ? pause(stop.signal, POLL_MS)
          : woken.sleep(stop.signal, GUARANTEE_MS))
    }
  }
  const notHere: NotHere = new Set()
  const served = { intake: new Served(), pictures: new Served() }
  const writeOlder = olderManifests(place)
  let [isBroughtBack, toStore] = [false, 0]
  const running = Promise.all([
    over('lease', null, async () => {
      await hold()
      await pause(stop.signal, POLL_MS)
      return false
    }),
    work('intake', DUE.intake, async () => {
      await takeIn(place, canEncode(), served.intake, stop.signal)
      return false
    }),
    work('uploads', DUE.uploads, async () => {
      await bringUploads(place, canEncode(), stop.signal)
      return false
    }),
    work('files', DUE.files, async () => {
      const [videos, streams] = await Promise.allSettled([removeFiles(place, stop.signal), live.clear(stop.signal)])
      for (const one of [videos, streams]) if (one.status === 'rejected') throw one.reason
      return false
    }),
    work('texts', DUE.texts, async () => {
      await writeTexts(place)
      return writeOlder()
    }),
    work('thumbnails', DUE.thumbnails, async () => {
      if (canEncode() && place.disk.level() === 'enough') await makeThumbnails(place, served.pictures, stop.signal)
      return false
    }),
    work('downloads', DUE.downloads, async () => {
      await removeDownloads(place)
      return canEncode() && place.disk.level() === 'enough' && (await makeDownload(place, runner, stop.signal))
    }),
    work('storage', places.wanted === '' ? `${DUE.storage} AND stored_in <> ''` : DUE.storage, async () => {
      if (!isBroughtBack) await bringBack(place)
      isBroughtBack = true
      toStore = places.wanted === '' ? 0 : await database.system(waitingToBeStored)
      return putAway(place, runner, notHere, stop.signal)
    }),
    work('removal', DUE.removal, async () => {
      await removeStored(place)
      return false
    }),
    work('live', DUE.live, async () => {
      await live.look()
      return false
    }),
    over(
      'balancers',
      () => balancers.newer(),
      async () => {
        await database.system((tx) => balancers.refresh(tx))
        return false
      },
    ),
    work(
      'work',
      DUE.work,
      // What waits to be encoded waits until there is room for what is made of it.
      async () =>
        canEncode() && place.disk.level() === 'enough' && (await workOnce(place, runner, stop.signal, turnMs)),
    ),
  ])
  started.defer(async () => {
    stop.abort()
    await running
    await database.system((tx) => leave(tx, runner)).catch(() => {})
  })
  started.use(
    await startControl({
      config,
      role: 'media',
      log,
      metrics: () => metrics.metrics(),
      ready: () => ({
        // What lies elsewhere may wait for its place: all else goes on.
        ready: [...problems.keys()].every((name) => WAITS.has(name) || away.has(name)),
        reasons: [
          ...[...problems].map(([name, why]) => `${name}: ${why}`),
          lease.isHeld ? null : OTHER_HOME,
          saidOfDisk(place.disk),
        ].filter((reason) => reason !== null),
        facts: { canEncode: canEncode(), storage: places.wanted, toStore, ...live.facts() },
      }),
    }),
  )
  const all = started.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const pause = (signal: AbortSignal, ms: number): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {})

/** A sleep that ends early when there is something to do; what was said meanwhile is not forgotten. */
class Wakeful {
  #isWoken = false
  #end: AbortController | null = null

  wake(): void {
    this.#isWoken = true
    this.#end?.abort()
  }

  async sleep(stopped: AbortSignal, ms: number): Promise<void> {
    this.#end = new AbortController()
    if (!this.#isWoken) await pause(AbortSignal.any([stopped, this.#end.signal]), ms)
    this.#end = null
    this.#isWoken = false
  }
}
