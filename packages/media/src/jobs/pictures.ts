import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Tx } from '@fairway/platform'
import { takePicture, takePoster } from '../ffmpeg/encode.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { type Place, fileOf, folderOf } from './intake.ts'
import { writeMaster } from './master.ts'
import { partOf } from './part-of.ts'
import {
  type HeldAsset,
  type JobRow,
  shownThumbnail,
  thumbnailFailed,
  thumbnailMade,
  thumbnailsWanted,
} from './store.ts'

const POSTER = 'poster.jpg'
const SPRITE = ['sprite.jpg', 'sprite.vtt']
const thumbnailFolder = (number: number): string => `poster-${number}`

/** Beside the playlist, by names that never change, stands what is right now; what it is taken from never changes. */
export async function showPictures(tx: Tx, { id }: HeldAsset, jobs: readonly JobRow[], home: string): Promise<void> {
  const job = jobs.find(({ kind, state }) => (kind === 'pictures' || kind === 'recording') && state === 'done')
  const own = await shownThumbnail(tx, id)
  if (job) for (const name of SPRITE) show(path.join(home, partOf(job), name), path.join(home, name))
  const from = own === null ? job && partOf(job) : thumbnailFolder(own)
  if (from) show(path.join(home, from, POSTER), path.join(home, POSTER))
}

function show(file: string, as: string): void {
  const found = fs.statSync(file, { throwIfNoEntry: false })
  if (!found || fs.statSync(as, { throwIfNoEntry: false })?.ino === found.ino) return
  const draft = `${as}.${crypto.randomUUID()}`
  fs.linkSync(file, draft)
  fs.renameSync(draft, as)
}

/** Makes the pictures that owners have chosen: a moment of the film, or one that they sent. */
export async function makeThumbnails(place: Place, signal: AbortSignal): Promise<void> {
  const { config, database, log } = place
  for (const wanted of await database.system(thumbnailsWanted)) {
    if (signal.aborted) return
    const file = fileOf(config, wanted.file_id)
    // A recording is a file only when all of it is done.
    if (wanted.picture === null && !fs.existsSync(file)) continue
    const folder = path.join(folderOf(config, { ...wanted, id: wanted.asset_id }), thumbnailFolder(wanted.number))
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      if (wanted.picture) await takePicture({ picture: wanted.picture, folder, signal })
      else await takePoster({ file, source: wanted.source, folder, signal, at: wanted.at })
      if (!fs.existsSync(path.join(folder, POSTER))) throw new MediaFailure('no picture at that time')
      await database.system((tx) => thumbnailMade(tx, wanted))
      await writeMaster(place, wanted.asset_id)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof MediaFailure)) throw error
      log.info({ event: 'media.thumbnail-refused', asset: wanted.asset_id, why: error.said })
      fs.rmSync(folder, { recursive: true, force: true })
      await database.system((tx) => thumbnailFailed(tx, wanted, wanted.picture ? 30024 : 30013, error.said))
    }
  }
}
