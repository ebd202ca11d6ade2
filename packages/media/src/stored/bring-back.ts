import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { NotStored, type Places, type Storage } from '@fairway/platform'
import { MediaFailure } from '../ffmpeg/run.ts'
import { type Place, folderOf } from '../jobs/intake.ts'
import { keyOf, noteStored, storedIn } from './places.ts'
import { putAwayAfter } from './store.ts'

/**
 * A machine whose disk is new gets back what is small of each video that was put away: playlists, captions, pictures.
 * Segments stay where they are. @throws StorageError
 */
export async function bringBack({ config, database, places }: Place & { places: Places }): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const some = await database.system((tx) => putAwayAfter(tx, after))
    for (const asset of some) {
      const home = folderOf(config, asset)
      if (fs.existsSync(home)) continue
      // There whole or not at all: what is missing would be taken for what was removed.
      const draft = `${home}.bringing`
      fs.rmSync(draft, { recursive: true, force: true })
      fs.mkdirSync(draft, { recursive: true, mode: 0o700 })
      const storage = places.at(asset.stored_in)
      for await (const { key } of storage.list(keyOf(asset)))
        if (!key.endsWith('.m4s')) await bring(storage, key, path.join(draft, key.slice(keyOf(asset).length)))
      noteStored(draft, asset.stored_in)
      fs.renameSync(draft, home)
    }
    const last = some.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Files of a video's folder beside each other in a folder to work in, wherever they lie. @throws MediaFailure, StorageError */
export async function gather(
  { config, places }: Pick<Place, 'config'> & { places: Places },
  asset: { id: string; organization_id: string },
  { part, names, to }: { part: string; names: readonly string[]; to: string },
): Promise<void> {
  const home = folderOf(config, asset)
  fs.mkdirSync(to, { recursive: true, mode: 0o700 })
  const place = await storedIn(home)
  for (const name of names) {
    const [from, file] = [path.join(home, part, name), path.join(to, name)]
    if (await isLinked(from, file)) continue
    if (place === null) throw new MediaFailure('nothing of it is there any more')
    await bring(places.at(place), keyOf(asset, `${part}/${name}`), file).catch((error: unknown) => {
      throw error instanceof NotStored ? new MediaFailure('nothing of it is there any more') : error
    })
  }
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await fs.promises.link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function bring(storage: Storage, key: string, file: string): Promise<void> {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  await pipeline(storage.get(key), fs.createWriteStream(file, { mode: 0o600 }))
}
