import fs from 'node:fs'
import path from 'node:path'
import { type Config, type Storage, openStorage, streamKey } from '@fairway/platform'

/** In the folder of a video: where what is not here any more lies. Nobody is asked for it by that name. */
const MARK = '.stored'

/**
 * Places that finished videos are kept in, each opened once. A video stays where it was put, whatever the setting says
 * later; its folder on the disk knows that without the database.
 */
export class Places implements AsyncDisposable {
  readonly #config: Config
  readonly #opened = new Map<string, Storage>()

  constructor(config: Config) {
    this.#config = config
  }

  /** Where videos are put from now on; empty when they stay on the disk. */
  get wanted(): string {
    const { mediaStorage } = this.#config
    return mediaStorage === '' || mediaStorage.startsWith('s3://') ? mediaStorage : path.resolve(mediaStorage)
  }

  /** @throws StorageError when it is no place */
  at(place: string, patience: 'long' | 'short' = 'long'): Storage {
    const name = `${patience} ${place}`
    const storage = this.#opened.get(name) ?? openStorage(place, this.#config, patience)
    this.#opened.set(name, storage)
    return storage
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#opened.values()].map((storage) => storage[Symbol.asyncDispose]()))
  }
}

export const noteStored = (home: string, place: string): void => fs.writeFileSync(path.join(home, MARK), place)

/** Where the rest of a folder lies; null when all of it is here. */
export const storedIn = (home: string): Promise<string | null> =>
  fs.promises.readFile(path.join(home, MARK), 'utf8').catch(() => null)

export const keyOf = (asset: { id: string; organization_id: string }, name = ''): string =>
  storedKey(streamKey(asset.organization_id), asset.id, name)
export const storedKey = (organizationKey: string, id: string, name: string): string =>
  `videos/${organizationKey}/${id}/${name}`
