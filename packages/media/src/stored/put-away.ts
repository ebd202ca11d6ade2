import fs from 'node:fs'
import path from 'node:path'
import type { Places, Storage, Tx } from '@fairway/platform'
import { type Place, fileOf, folderOf } from '../jobs/intake.ts'
import { partOf, thumbnailFolder } from '../jobs/part-of.ts'
import { captionsOf, holdAsset, jobsOf, shownThumbnail } from '../jobs/store.ts'
import { keyOf, noteStored } from './places.ts'
import { type StoredAsset, isStillWanted, letGo, stored, takeToStore } from './store.ts'

const AT_A_TIME = 4
/** What the listener gives away. */
const NAME = /^[a-z0-9]{1,20}\.(?:m3u8|mpd|m4s|mp4|jpg|vtt|json)$/
/** All else is small, is kept on the disk as well, and says what there is without asking anybody. */
const isBulk = (name: string): boolean => name.endsWith('.m4s')

/** Found on no disk of this machine: another runner's to put away. */
export type NotHere = Set<string>

/**
 * Puts the next whole video where finished ones are kept, and takes its segments off the disk, each when the place has
 * confirmed it: whoever comes after a dead process goes on with what is still here. False when there is none.
 * @throws StorageError while the place is away; everything is still here then, and plays.
 */
export async function putAway(
  place: Place & { places: Places },
  runner: string,
  notHere: NotHere,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, config, places, log } = place
  const asset = await database.system((tx) => takeToStore(tx, runner, { place: places.wanted, except: [...notHere] }))
  if (!asset) return false
  const home = folderOf(config, asset)
  try {
    if (!fs.existsSync(path.join(home, 'master.m3u8'))) {
      notHere.add(asset.id)
      return true
    }
    // Before the first file is away, so that each is found wherever it is.
    noteStored(home, asset.stored_in)
    const names = filesOf(home, await database.system((tx) => foldersNow(tx, asset.id)))
    const storage = places.at(asset.stored_in)
    for (let at = 0; at < names.length; at += AT_A_TIME) {
      const some = names.slice(at, at + AT_A_TIME)
      await Promise.all(some.map((name) => put(storage, { home, asset, name })))
      const goesOn = !signal.aborted && (await database.system((tx) => isStillWanted(tx, asset.id, runner)))
      if (!goesOn) {
        // Whoever removes it may have been there between: what came after goes, too.
        if (!signal.aborted) await takeBackIfRemoved(place, asset, some)
        return true
      }
      for (const name of some) if (isBulk(name)) fs.rmSync(path.join(home, name), { force: true })
    }
    await database.system((tx) => stored(tx, asset, runner))
    // As it was uploaded it lies there, too, and is brought here again when something is made of it.
    if (asset.upload_in !== '') fs.rmSync(fileOf(config, asset.file_id), { force: true })
    log.info({ event: 'media.stored', asset: asset.id, files: names.length, in: asset.stored_in })
    return true
  } finally {
    await database.system((tx) => letGo(tx, asset.id, runner)).catch(() => {})
  }
}

/** What viewers may ask for by now: not what an attempt has left that died, nor what is gone but for its last viewers. */
async function foldersNow(tx: Tx, id: string): Promise<string[]> {
  const asset = await holdAsset(tx, id)
  const own = await shownThumbnail(tx, id)
  return [
    ...(await jobsOf(tx, id)).filter(({ state }) => state === 'done').map(partOf),
    ...(await captionsOf(tx, id)).map(({ number }) => `text-${number}`),
    ...(asset?.chapters_number == null ? [] : [`chapters-${asset.chapters_number}`]),
    ...(own === null ? [] : [thumbnailFolder(own)]),
  ]
}

/** Playlists after what they name, and the main one last. */
function filesOf(home: string, folders: readonly string[]): string[] {
  const below = folders.flatMap((folder) => namesIn(path.join(home, folder)).map((name) => `${folder}/${name}`))
  return [...below, ...namesIn(home)].toSorted((a, b) => rank(a) - rank(b))
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => NAME.test(name))
  } catch {
    return []
  }
}

const rank = (name: string): number =>
  name === 'master.m3u8' ? 3 : /\.(?:m3u8|mpd)$/.test(name) ? 2 : isBulk(name) ? 0 : 1

async function put(storage: Storage, { home, asset, name }: { home: string; asset: StoredAsset; name: string }) {
  const file = path.join(home, name)
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size
  // Removed meanwhile.
  if (bytes === undefined) return
  const there = await storage.put(keyOf(asset, name), fs.createReadStream(file) as AsyncIterable<Buffer>)
  // A playlist may be written anew while it is put: that is another revision.
  if (isBulk(name) && there.bytes !== bytes) throw new Error(`${name} has ${there.bytes} of ${bytes} bytes there`)
}

async function takeBackIfRemoved(place: Place & { places: Places }, asset: StoredAsset, names: readonly string[]) {
  const [row] = await place.database.system((tx) =>
    tx.query<{ is_removed: boolean }>('SELECT deleted_at IS NOT NULL AS is_removed FROM stream_asset WHERE id = $1', [
      asset.id,
    ]),
  )
  if (row?.is_removed === false) return
  const storage = place.places.at(asset.stored_in)
  for (const name of names) await storage.delete(keyOf(asset, name))
}
