import path from 'node:path'
import { diskStorage } from './disk-storage.ts'
import { type Patience, type S3Settings, readS3Place, s3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

export const isS3Place = (place: string): boolean => place.startsWith('s3://')

/** What `s3://bucket/prefix` or a folder stands for. @throws StorageError when it is neither */
export function openStorage(place: string, settings: S3Settings, patience: Patience = 'long'): Storage {
  const s3 = readS3Place(place)
  return s3 === null ? diskStorage(path.resolve(place)) : s3Storage(s3, settings, patience)
}

/** The place and the key of one object, named as `address` names it. */
export function openStored(address: string, settings: S3Settings): { storage: Storage; key: string } {
  if (!isS3Place(address)) {
    const file = path.resolve(address)
    return { storage: diskStorage(path.dirname(file)), key: path.basename(file) }
  }
  const at = address.lastIndexOf('/')
  return { storage: openStorage(address.slice(0, at), settings), key: address.slice(at + 1) }
}
