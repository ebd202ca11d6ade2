import fs from 'node:fs'
import path from 'node:path'
import { takePicture, takePoster } from '../ffmpeg/encode.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import type { Places } from '@fairway/platform'
import { NoRoom, sourceHere } from '../stored/source.ts'
import { type Place, folderOf } from './intake.ts'
import { writeMaster } from './master.ts'
import { thumbnailFolder } from './part-of.ts'
import { POSTER } from './show-pictures.ts'
import { thumbnailFailed, thumbnailMade, thumbnailsWanted } from './store.ts'

/** It waits for some, and others go on. */
function withoutRoom(error: unknown): null {
  if (error instanceof NoRoom) return null
  throw error
}

/** Makes the pictures that owners have chosen: a moment of the film, or one that they sent. */
export async function makeThumbnails(place: Place & { places: Places }, signal: AbortSignal): Promise<void> {
  const { config, database, log } = place
  for (const wanted of await database.system(thumbnailsWanted)) {
    if (signal.aborted) return
    const file = wanted.picture === null ? await sourceHere(place, wanted).catch(withoutRoom) : ''
    if (file === null) continue
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
