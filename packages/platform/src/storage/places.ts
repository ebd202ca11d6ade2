import path from 'node:path'
import type { Config } from '../config.ts'
import { streamKey } from '../stream-place.ts'
import { isS3Place, openStorage } from './open-storage.ts'
import type { Patience } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** Where uploads and finished videos are put from now on; empty when they stay on the disk of the home. */
export const mediaPlace = ({ mediaStorage }: Pick<Config, 'mediaStorage'>): string =>
  mediaStorage === '' || isS3Place(mediaStorage) ? mediaStorage : path.resolve(mediaStorage)

/** Before the pieces of a file that is uploaded. */
export const uploadPrefix = (organizationId: string, fileId: string): string =>
  `uploads/${streamKey(organizationId)}/${fileId}/`

/** Places that videos are kept in, each opened once. A video stays where it was put, whatever the setting says later. */
export class Places implements AsyncDisposable {
  readonly #config: Config
  readonly #opened = new Map<string, Storage>()

  constructor(config: Config) {
    this.#config = config
  }

  get wanted(): string {
    return mediaPlace(this.#config)
  }

  /** @throws StorageError when it is no place */
  at(place: string, patience: Patience = 'long'): Storage {
    const name = `${patience} ${place}`
    const storage = this.#opened.get(name) ?? openStorage(place, this.#config, patience)
    this.#opened.set(name, storage)
    return storage
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#opened.values()].map((storage) => storage[Symbol.asyncDispose]()))
  }
}
