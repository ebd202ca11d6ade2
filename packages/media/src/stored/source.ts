import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type Config,
  type Places,
  diskOf,
  mediaFolders,
  readPieces,
  roomForVideo,
  uploadPrefix,
} from '@fairway/platform'

const DRAFT = '.bringing'

/** A file lies elsewhere that the disk has no room for now, with what is made of it. */
export class NoRoom extends Error {}

/**
 * The file as it was uploaded, on this disk: brought here when it lies elsewhere, whole or not at all. It may not be
 * there, as that of a recording that is still made. @throws StorageError, NoRoom
 */
export async function sourceHere(
  { config, places }: { config: Config; places: Places },
  upload: { organization_id: string; file_id: string; upload_in: string; size: number },
): Promise<string> {
  const file = path.join(mediaFolders(config).uploads, upload.file_id)
  if (upload.upload_in === '' || fs.existsSync(file)) return file
  if (diskOf(mediaFolders(config).uploads).freeBytes < roomForVideo(upload.size))
    throw new NoRoom('a file lies elsewhere that the disk has no room for')
  const draft = `${file}.${crypto.randomUUID()}${DRAFT}`
  try {
    const pieces = readPieces(places.at(upload.upload_in), uploadPrefix(upload.organization_id, upload.file_id))
    await pipeline(pieces, fs.createWriteStream(draft, { mode: 0o600 }))
    fs.renameSync(draft, file)
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return file
}

/** What is made of a file that is here already may be as large. @throws NoRoom */
export function mustHaveRoom(config: Config, bytes: number): void {
  if (diskOf(mediaFolders(config).uploads).freeBytes < roomForVideo(bytes / 2))
    throw new NoRoom('there is no room for what is to be made')
}

/** What a process has left that died while it brought a file. */
export function removeDrafts({ config }: { config: Config }): void {
  const { uploads } = mediaFolders(config)
  for (const name of fs.readdirSync(uploads))
    if (name.endsWith(DRAFT)) fs.rmSync(path.join(uploads, name), { force: true })
}
