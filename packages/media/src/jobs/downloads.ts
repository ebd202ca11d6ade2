import fs from 'node:fs'
import path from 'node:path'
import { readLivePlaylist } from '@fairway/domain'
import { type Places, StorageError, mediaFolders } from '@fairway/platform'
import { segmentsOf } from '../ffmpeg/measure.ts'
import { joinStreams, remux } from '../ffmpeg/remux.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { gather } from '../stored/bring-back.ts'
import { NoRoom, mustHaveRoom } from '../stored/source.ts'
import { type Place, fileOf, folderOf } from './intake.ts'
import { partOf } from './part-of.ts'
import {
  type DownloadRow,
  downloadAgain,
  downloadDone,
  downloadFailed,
  downloadRemoved,
  downloadWaits,
  downloadsOver,
  jobsOf,
  takeDownload,
} from './store.ts'

const MOST_ATTEMPTS = 3
type Makes = Place & { places: Places }

/** Takes away what was kept long enough. */
export async function removeDownloads({ config, database }: Place): Promise<void> {
  for (const id of await database.system(downloadsOver)) {
    fs.rmSync(fileOf(config, id), { force: true })
    await database.system((tx) => downloadRemoved(tx, id))
  }
}

/** Makes one file of the next rendition that somebody wants; false when there is none. */
export async function makeDownload(place: Makes, runner: string, signal: AbortSignal): Promise<boolean> {
  const { config, database, log } = place
  const wanted = await database.system((tx) => takeDownload(tx, runner))
  if (!wanted) return false
  const file = fileOf(config, wanted.id)
  try {
    if (wanted.attempt > MOST_ATTEMPTS) throw new MediaFailure(`given up after ${MOST_ATTEMPTS} attempts`)
    // Its parts are gathered first, and are as large.
    mustHaveRoom(config, wanted.bytes * 2)
    await write(place, wanted, file, signal)
    const { size } = fs.statSync(file)
    // Who removed the video meanwhile has nothing to take away any more.
    if (!(await database.system((tx) => downloadDone(tx, wanted, size)))) fs.rmSync(file, { force: true })
  } catch (error) {
    if (signal.aborted) return true
    if (error instanceof NoRoom) {
      await database.system((tx) => downloadWaits(tx, wanted))
      return true
    }
    // The place where its segments lie is away: no attempt was made at it.
    if (error instanceof StorageError) await database.system((tx) => downloadWaits(tx, wanted))
    if (!(error instanceof MediaFailure)) throw error
    if ((error.isOurs || place.disk.level() !== 'enough') && wanted.attempt < MOST_ATTEMPTS) {
      await database.system((tx) => downloadAgain(tx, wanted))
      return false
    }
    log.warn({ event: 'media.download-failed', asset: wanted.asset_id, rendition: wanted.name, why: error.said })
    await database.system((tx) => downloadFailed(tx, wanted))
  }
  return true
}

async function write(place: Makes, wanted: DownloadRow, file: string, signal: AbortSignal) {
  const { config, database } = place
  const asset = { id: wanted.asset_id, organization_id: wanted.organization_id }
  const home = folderOf(config, asset)
  const part = partOf({ name: wanted.name, attempt: wanted.part })
  const index = path.join(home, part, 'index.m3u8')
  if (!fs.existsSync(index)) throw new MediaFailure('nothing of it is there any more')
  const recorded = readLivePlaylist(fs.readFileSync(index, 'utf8'))
  const work = fs.mkdtempSync(path.join(mediaFolders(config).uploads, 'joining-'))
  try {
    const bring = async (of: string, names: readonly string[]) => {
      const to = path.join(work, of)
      await gather(place, asset, { part: of, names, to })
      return names.map((name) => path.join(to, name))
    }
    if (recorded) {
      // One of a recording has its sound in it, and breaks in its time.
      await bring(part, [...new Set(recorded.segments.flatMap(({ map, uri }) => [map, uri]))])
      return await remux({ folder: path.join(work, part), list: recorded, signal, file })
    }
    const audio = (await database.system((tx) => jobsOf(tx, wanted.asset_id))).find(({ kind }) => kind === 'audio')
    const streams: string[][] = []
    for (const of of [part, ...(audio ? [partOf(audio)] : [])])
      streams.push(await bring(of, namesIn(path.join(home, of))))
    await joinStreams({ streams, folder: work, signal, file })
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

const namesIn = (folder: string): string[] => [
  'init.mp4',
  ...segmentsOf(fs.readFileSync(path.join(folder, 'index.m3u8'), 'utf8')).map(({ name }) => name),
]
