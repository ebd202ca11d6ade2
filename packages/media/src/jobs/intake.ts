import fs from 'node:fs'
import path from 'node:path'
import { costOf, ladderOf } from '@fairway/domain'
import type { VideoSource } from '@fairway/contract'
import {
  type Config,
  type Database,
  type DiskGauge,
  type Log,
  PENDING_SHARE,
  type Places,
  StorageError,
  diskOf,
  mediaFolders,
  streamKey,
} from '@fairway/platform'
import { Refused, probe } from '../ffmpeg/probe.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { NoRoom, sourceHere } from '../stored/source.ts'
import type { Served } from './served.ts'
import {
  type AssetRow,
  MOST_VAIN_ATTEMPTS,
  type PlannedJob,
  type UploadingRow,
  arrived,
  fail,
  lookAgain,
  nextQueued,
  organizationsWith,
  plan,
  setState,
  uploading,
} from './store.ts'

/** What could not be looked into is told after so many. */
const MOST_OF_A_ROUND = 20

/** `isHome`: whether the disk is still the one that everything lies on. */
export type Intake = Place & { places: Places; isHome: () => boolean }

export type Place = { config: Config; database: Database; log: Log; disk: DiskGauge }

export const folderOf = (config: Config, asset: { id: string; organization_id: string }): string =>
  path.join(mediaFolders(config).assets, streamKey(asset.organization_id), asset.id)
export const fileOf = (config: Config, id: string): string => path.join(mediaFolders(config).uploads, id)

/** Looks at what has arrived whole, and plans what is to be made of it. One at a time: organisations take turns. */
export async function takeIn(place: Intake, canEncode: boolean, served: Served, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const seen: string[] = []
  while (seen.length < MOST_OF_A_ROUND && !signal.aborted) {
    // What has arrived meanwhile takes part.
    failures.push(...(await lookForAll(place, canEncode, signal, (asset) => asset.upload_in === '')))
    const asset = canEncode && (await place.database.system((tx) => nextQueued(tx, served.ids, seen)))
    if (!asset) break
    seen.push(asset.id)
    served.note(asset.organization_id)
    await lookInto(place, asset, signal).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Brings here what has arrived elsewhere: of each organisation one file at a time, beside what is taken in, and nothing
 * more while what it has here has its share of the disk.
 */
export async function bringUploads(place: Intake, canEncode: boolean, signal: AbortSignal): Promise<void> {
  const had = new Set<string>()
  const most = diskOf(mediaFolders(place.config).uploads).totalBytes * PENDING_SHARE
  const full = new Set(await place.database.system((tx) => organizationsWith(tx, most)))
  const failures = await lookForAll(
    place,
    canEncode,
    signal,
    ({ upload_in: at, organization_id: owner, loaded, size }) =>
      at !== '' && !had.has(owner) && (loaded < size || !full.has(owner)),
    ({ organization_id: owner }) => had.add(owner),
  )
  if (failures.length > 0) throw failures[0]
}

/** One that cannot be had keeps no other waiting; it is told after. */
async function lookForAll(
  place: Intake,
  canEncode: boolean,
  signal: AbortSignal,
  isAsked: (asset: UploadingRow) => boolean,
  had: (asset: UploadingRow) => void = () => {},
): Promise<unknown[]> {
  const { config, database } = place
  const failures: unknown[] = []
  for (const asset of await database.system(uploading)) {
    if (signal.aborted) break
    if (!isAsked(asset)) continue
    try {
      const found = await lookFor(place, asset, canEncode)
      if (found === 'whole') had(asset)
      if (found === 'whole') await database.system((tx) => setState(tx, asset.id, 'queued'))
      else if (found === 'missing' && place.isHome() && isAbandoned(config, asset)) {
        fs.rmSync(fileOf(config, asset.file_id), { force: true })
        await database.system((tx) => fail(tx, asset.id, 30012, ''))
      }
    } catch (error) {
      // Its place is away, and so it is for the others there.
      if (error instanceof StorageError) had(asset)
      failures.push(error)
    }
  }
  return failures
}

/** Nothing came for so long: whoever sends by a poor line comes back within hours. */
const QUIET_SECONDS = 48 * 3600

/** What came to a disk is known by its file alone: where there is none, it may come to the disk of another home. */
function isAbandoned(
  config: Config,
  { is_old: isOld, quiet_seconds: quiet, upload_in: at, file_id: id }: UploadingRow,
): boolean {
  if (isOld || at !== '') return isOld || quiet > QUIET_SECONDS
  const written = fs.statSync(fileOf(config, id), { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && Date.now() - written > QUIET_SECONDS * 1000
}

/** Plans what is to be made of a file. What is no film goes; what could not be looked into stays, and is again. */
async function lookInto(
  place: Place & { places: Places },
  asset: AssetRow & { attempts: number },
  signal: AbortSignal,
): Promise<void> {
  const { config, database, log, disk } = place
  try {
    const source = await probe(mustBeHere(await sourceHere(place, asset)), signal)
    await database.system((tx) => plan(tx, asset, source, jobsFor(source)))
  } catch (error) {
    if (signal.aborted) return
    // Room comes back by itself, and is no attempt at the file.
    if (error instanceof NoRoom) return
    if (!(error instanceof Refused || error instanceof MediaFailure)) throw error
    const isOurs = error instanceof MediaFailure || disk.level() !== 'enough'
    if (isOurs && asset.attempts + 1 < MOST_VAIN_ATTEMPTS) {
      log.warn({ event: 'media.not-looked-into', asset: asset.id, why: error.message })
      await database.system((tx) => lookAgain(tx, asset))
      return
    }
    const code = error instanceof Refused ? error.code : 30013
    log.info({ event: 'media.refused', asset: asset.id, code, why: error.message })
    // One that lies elsewhere stays there, and is brought again when somebody wants it.
    if (error instanceof Refused || asset.upload_in !== '') fs.rmSync(fileOf(config, asset.file_id), { force: true })
    await database.system((tx) => fail(tx, asset.id, code, error.message))
  }
}

/** A disk that is not there says nothing of the file. @throws MediaFailure */
export function mustBeHere(file: string): string {
  if (!fs.existsSync(file)) throw new MediaFailure('its file is not on this machine', { isOurs: true })
  return file
}

/** What lies elsewhere is brought here when it is whole, and waits for room. */
async function lookFor(
  place: Place & { places: Places },
  asset: UploadingRow,
  canEncode: boolean,
): Promise<'whole' | 'missing' | 'waits'> {
  const here = () => fs.statSync(fileOf(place.config, asset.file_id), { throwIfNoEntry: false })?.size ?? 0
  if (asset.upload_in === '') return here() >= asset.size ? 'whole' : 'missing'
  if (asset.loaded < asset.size) return 'missing'
  if (!canEncode || place.disk.level() !== 'enough') return 'waits'
  try {
    await sourceHere(place, asset)
  } catch (error) {
    if (error instanceof NoRoom) return 'waits'
    throw error
  }
  if (here() >= asset.size) return 'whole'
  // Of two who wrote at once, one has counted what the other took away.
  const bytes = here()
  fs.rmSync(fileOf(place.config, asset.file_id), { force: true })
  await place.database.system((tx) => arrived(tx, asset.id, bytes))
  return 'missing'
}

/** Sound, then the cheapest picture, which together can be played; then what makes it nicer. */
export function jobsFor(source: VideoSource): PlannedJob[] {
  const videos = ladderOf(source).map((rung): PlannedJob => ({
    kind: 'video',
    name: rung.name,
    spec: rung,
    cost: costOf(rung) * source.seconds,
  }))
  const one = videos[0]?.cost ?? 1
  return [
    ...(source.audioCodec === null
      ? []
      : [{ kind: 'audio', name: 'audio', spec: {}, cost: one / 10 } satisfies PlannedJob]),
    ...videos.slice(0, 1),
    { kind: 'pictures', name: 'pictures', spec: {}, cost: one / 10 },
    ...videos.slice(1),
  ]
}
