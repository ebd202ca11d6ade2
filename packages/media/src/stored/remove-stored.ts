import { type Places, type Storage, uploadPrefix } from '@fairway/platform'
import type { Place } from '../jobs/intake.ts'
import { keyOf } from './places.ts'
import {
  foldersStored,
  removedStored,
  storedFolderRemoved,
  storedRemoved,
  uploadRemoved,
  uploadsUnwanted,
} from './store.ts'

const AT_A_TIME = 8

/**
 * Removes where they were put what is gone from the disk already, so that no viewer waits for it. A place that is away
 * keeps no other from being seen to. @throws StorageError for the first that was
 */
export async function removeStored({ database, places }: Place & { places: Places }): Promise<void> {
  const failures: unknown[] = []
  const away = new Set<string>()
  const each = async (place: string, once: () => Promise<void>) => {
    if (away.has(place)) return
    await once().catch((error: unknown) => {
      away.add(place)
      failures.push(error)
    })
  }
  for (const asset of await database.system(removedStored))
    await each(asset.stored_in, async () => {
      await removeAll(places.at(asset.stored_in), keyOf(asset))
      await database.system((tx) => storedRemoved(tx, asset.id))
    })
  for (const asset of await database.system(foldersStored))
    await each(asset.stored_in, async () => {
      await removeAll(places.at(asset.stored_in), keyOf(asset, `${asset.folder}/`))
      await database.system((tx) => storedFolderRemoved(tx, asset.id, asset.folder))
    })
  for (const upload of await database.system(uploadsUnwanted))
    await each(upload.upload_in, async () => {
      await removeAll(places.at(upload.upload_in), uploadPrefix(upload.organization_id, upload.file_id))
      await database.system((tx) => uploadRemoved(tx, upload.id))
    })
  if (failures.length > 0) throw failures[0]
}

async function removeAll(storage: Storage, prefix: string): Promise<void> {
  let some: string[] = []
  const remove = () => Promise.all(some.map((key) => storage.delete(key)))
  for await (const { key } of storage.list(prefix)) {
    some.push(key)
    if (some.length < AT_A_TIME) continue
    await remove()
    some = []
  }
  await remove()
}
