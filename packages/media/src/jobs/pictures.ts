import fs from 'node:fs'
import path from 'node:path'
import { takePicture, takePoster } from '../ffmpeg/encode.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { type Places, StorageError } from '@fairway/platform'
import { NoRoom, sourceHere } from '../stored/source.ts'
import { type Place, folderOf } from './intake.ts'
import { writeMaster } from './master.ts'
import { thumbnailFolder } from './part-of.ts'
import type { Served } from './served.ts'
import { POSTER } from './show-pictures.ts'
import { thumbnailFailed, thumbnailMade, thumbnailWaits, thumbnailWanted } from './store.ts'

/** What cannot be had is told after so many. */
const MOST_OF_A_ROUND = 20

/**
 * Makes the pictures that owners have chosen: a moment of the film, or one that they sent. One at a time: organisations
 * take turns.
 */
export async function makeThumbnails(
  place: Place & { places: Places },
  served: Served,
  signal: AbortSignal,
): Promise<void> {
  const { config, database, log } = place
  let away: StorageError | null = null
  for (let made = 0; made < MOST_OF_A_ROUND && !signal.aborted; made++) {
    const wanted = await database.system((tx) => thumbnailWanted(tx, served.ids))
    if (wanted === undefined) break
    served.note(wanted.organization_id)
    let file = ''
    try {
      if (wanted.picture === null) file = await sourceHere(place, wanted)
    } catch (error) {
      if (!(error instanceof NoRoom || error instanceof StorageError)) throw error
      await database.system((tx) => thumbnailWaits(tx, wanted))
      if (error instanceof StorageError) away ??= error
      continue
    }
    // A recording is a file only when all of it is done.
    if (wanted.picture === null && !fs.existsSync(file)) {
      if (wanted.state === 'failed') await database.system((tx) => thumbnailFailed(tx, wanted, 30013, ''))
      else await database.system((tx) => thumbnailWaits(tx, wanted))
      continue
    }
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
  // Where files lie elsewhere, that is told after the others.
  if (away !== null) throw away
}
