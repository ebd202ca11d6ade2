import { Problem } from '../problem.ts'

export type StoredObject = { key: string; bytes: number; /** Epoch ms. */ changedAt: number }

/** From the first byte on, and up to one that is left out; none is all. */
export type ByteRange = { from: number; to?: number }

/**
 * Where large things are kept: a folder or a bucket; nobody above sees which. Bytes pass through and are never held
 * whole. Keys are names with slashes between, relative to the place.
 */
export type Storage = {
  /** How people name the place, or an object in it. */
  address(key?: string): string
  /** The object is there when this resolves, whole, and before that not at all. @throws StorageError */
  put(key: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<StoredObject>
  /** @throws StorageError, also while it is read; `NotStored` when there is none. */
  get(key: string, range?: ByteRange): AsyncGenerator<Buffer>
  /** Null when there is none. */
  head(key: string): Promise<StoredObject | null>
  /** Those whose keys begin so, in the order of their keys. */
  list(prefix?: string): AsyncGenerator<StoredObject>
  /** One that is not there is no failure. */
  delete(key: string): Promise<void>
  /**
   * Takes away what a killed `put` of such a key has left, where that lies about. Only while nobody else puts one.
   */
  sweep(prefix: string): Promise<void>
} & AsyncDisposable

/** The place cannot be used; the message is a sentence for who runs the installation. */
export class StorageError extends Problem {}

export class NotStored extends StorageError {}

/** Neither what steers a terminal nor what separates folders. */
const SEGMENT = /^[^\p{C}\\/]{1,200}$/u

/** @throws StorageError for a key that could lead out of the place, or that not every place can hold */
export function checkKey(key: string): string {
  const parts = key.split('/')
  if (key.length > 900 || parts.some((part) => !SEGMENT.test(part) || part.startsWith('.')))
    throw new StorageError(`${JSON.stringify(key.slice(0, 100))} is no name that something can be stored under.`)
  return key
}
