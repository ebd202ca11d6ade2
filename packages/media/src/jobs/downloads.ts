import fs from 'node:fs'
import path from 'node:path'
import { readLivePlaylist } from '@fairway/domain'
import { mediaFolders } from '@fairway/platform'
import { segmentsOf } from '../ffmpeg/measure.ts'
import { joinStreams, remux } from '../ffmpeg/remux.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { type Place, fileOf, folderOf } from './intake.ts'
import { partOf } from './part-of.ts'
import {
  type DownloadRow,
  downloadDone,
  downloadFailed,
  downloadRemoved,
  downloadsOver,
  jobsOf,
  takeDownload,
} from './store.ts'

const MOST_ATTEMPTS = 3

/** Takes away what was kept long enough. */
export async function removeDownloads({ config, database }: Place): Promise<void> {
  for (const id of await database.system(downloadsOver)) {
    fs.rmSync(fileOf(config, id), { force: true })
    await database.system((tx) => downloadRemoved(tx, id))
  }
}

/** Makes one file of the next rendition that somebody wants; false when there is none. */
export async function makeDownload(place: Place, runner: string, signal: AbortSignal): Promise<boolean> {
  const { config, database, log } = place
  const wanted = await database.system((tx) => takeDownload(tx, runner))
  if (!wanted) return false
  const file = fileOf(config, wanted.id)
  try {
    if (wanted.attempt > MOST_ATTEMPTS) throw new MediaFailure(`given up after ${MOST_ATTEMPTS} attempts`)
    await write(place, wanted, file, signal)
    const { size } = fs.statSync(file)
    // Who removed the video meanwhile has nothing to take away any more.
    if (!(await database.system((tx) => downloadDone(tx, wanted, size)))) fs.rmSync(file, { force: true })
  } catch (error) {
    if (signal.aborted) return true
    if (!(error instanceof MediaFailure)) throw error
    log.warn({ event: 'media.download-failed', asset: wanted.asset_id, rendition: wanted.name, why: error.said })
    await database.system((tx) => downloadFailed(tx, wanted))
  }
  return true
}

async function write({ config, database }: Place, wanted: DownloadRow, file: string, signal: AbortSignal) {
  const home = folderOf(config, { id: wanted.asset_id, organization_id: wanted.organization_id })
  const folder = path.join(home, partOf({ name: wanted.name, attempt: wanted.part }))
  const index = path.join(folder, 'index.m3u8')
  if (!fs.existsSync(index)) throw new MediaFailure('nothing of it is there any more')
  const text = fs.readFileSync(index, 'utf8')
  const recorded = readLivePlaylist(text)
  // One of a recording has its sound in it, and breaks in its time.
  if (recorded) return remux({ folder, list: recorded, signal, file })
  const audio = (await database.system((tx) => jobsOf(tx, wanted.asset_id))).find(({ kind }) => kind === 'audio')
  const sound = audio && path.join(home, partOf(audio))
  const work = fs.mkdtempSync(path.join(mediaFolders(config).uploads, 'joining-'))
  try {
    await joinStreams({ streams: [folder, ...(sound ? [sound] : [])].map(filesOf), folder: work, signal, file })
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

const filesOf = (folder: string): string[] =>
  ['init.mp4', ...segmentsOf(fs.readFileSync(path.join(folder, 'index.m3u8'), 'utf8')).map(({ name }) => name)].map(
    (name) => path.join(folder, name),
  )
