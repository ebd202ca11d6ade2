import crypto from 'node:crypto'
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import {
  type Config,
  type HeldSockets,
  type Log,
  StorageError,
  diskGauge,
  makeMetrics,
  mediaFolders,
  migrate,
  openDatabase,
  saidOfDisk,
  startControl,
} from '@fairway/platform'
import { Balancers } from './delivery/balancers.ts'
import { startListener } from './delivery/listener.ts'
import { hasFfmpeg } from './ffmpeg/run.ts'
import { startLive } from './live/live.ts'
import { Tails } from './live/tail.ts'
import { makeDownload, removeDownloads } from './jobs/downloads.ts'
import { takeIn } from './jobs/intake.ts'
import { writeTexts } from './jobs/master.ts'
import { makeThumbnails } from './jobs/pictures.ts'
import { leave, noteRunner, takeBack } from './jobs/store.ts'
import { workOnce } from './jobs/work.ts'
import { bringBack } from './stored/bring-back.ts'
import { Places } from './stored/places.ts'
import { type NotHere, putAway } from './stored/put-away.ts'
import { removeStored } from './stored/remove-stored.ts'
import { waitingToBeStored } from './stored/store.ts'

const POLL_MS = 1_000
const WAITS = new Set(['storage', 'removal'])

/**
 * The role `media`: looks into uploaded videos, encodes them, and is the origin that the edge fetches them from. Without
 * ffmpeg on this machine it delivers what was made before, and says so.
 */
export async function startMedia({
  config,
  log,
  sockets = {},
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
}): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  await migrate(config, log)
  for (const folder of Object.values(mediaFolders(config))) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const canEncode = hasFfmpeg()
  if (!canEncode) log.warn({ event: 'media.no-ffmpeg', why: 'ffmpeg is missing: videos are neither taken nor encoded' })
  const database = started.use(openDatabase(config, log, { connections: 4 }))
  const balancers = new Balancers(log)
  await database.system((tx) => balancers.refresh(tx))
  const tails = new Tails()
  const places = started.use(new Places(config))
  started.use(await startListener({ config, log, balancers, tails, places, sockets }))
  const place = { config, database, log, disk: diskGauge(config), places }
  const runner = `${config.nodeName}/${crypto.randomUUID()}`
  await database.system((tx) => noteRunner(tx, runner, canEncode))
  const live = started.use(await startLive(place, runner, canEncode, tails, sockets))
  const stop = new AbortController()
  const problems = new Map<string, string>()
  const over = async (name: string, once: () => Promise<boolean>) => {
    while (!stop.signal.aborted) {
      const more = await once().then(
        (worked) => (problems.delete(name), worked),
        (error: unknown) => {
          const why = error instanceof Error ? error.message : String(error)
          if (problems.get(name) !== why && !stop.signal.aborted)
            // What a library says of its service may hold more than its sentence.
            log.error({ event: `media.${name}-failed`, ...(error instanceof StorageError ? { why } : { err: error }) })
          problems.set(name, why)
          return false
        },
      )
      if (!more) await pause(stop.signal)
    }
  }
  const notHere: NotHere = new Set()
  let [isBroughtBack, toStore] = [false, 0]
  const running = Promise.all([
    over('lease', async () => {
      await database.system((tx) => noteRunner(tx, runner, canEncode))
      await database.system(takeBack)
      return false
    }),
    over('intake', async () => {
      await takeIn(place, canEncode, stop.signal)
      return false
    }),
    over('texts', async () => {
      await writeTexts(place)
      return false
    }),
    over('thumbnails', async () => {
      if (canEncode && place.disk.level() === 'enough') await makeThumbnails(place, stop.signal)
      return false
    }),
    over('downloads', async () => {
      await removeDownloads(place)
      return canEncode && place.disk.level() === 'enough' && (await makeDownload(place, runner, stop.signal))
    }),
    over('storage', async () => {
      if (!isBroughtBack) await bringBack(place)
      isBroughtBack = true
      toStore = places.wanted === '' ? 0 : await database.system(waitingToBeStored)
      return putAway(place, runner, notHere, stop.signal)
    }),
    over('removal', async () => {
      await removeStored(place)
      return false
    }),
    over('live', async () => {
      await live.look()
      return false
    }),
    over('balancers', async () => {
      await database.system((tx) => balancers.refresh(tx))
      return false
    }),
    over(
      'work',
      // What waits to be encoded waits until there is room for what is made of it.
      async () => canEncode && place.disk.level() === 'enough' && (await workOnce(place, runner, stop.signal)),
    ),
  ])
  started.defer(async () => {
    stop.abort()
    await running
    await database.system((tx) => leave(tx, runner)).catch(() => {})
  })
  const metrics = makeMetrics('media')
  started.use(
    await startControl({
      config,
      role: 'media',
      log,
      metrics: () => metrics.metrics(),
      ready: () => ({
        // What was put away may wait for its place: all else goes on.
        ready: [...problems.keys()].every((name) => WAITS.has(name)),
        reasons: [...[...problems].map(([name, why]) => `${name}: ${why}`), saidOfDisk(place.disk)].filter(
          (reason) => reason !== null,
        ),
        facts: { canEncode, storage: places.wanted, toStore, ...live.facts() },
      }),
    }),
  )
  const all = started.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const pause = (signal: AbortSignal): Promise<void> => setTimeout(POLL_MS, undefined, { signal }).catch(() => {})
