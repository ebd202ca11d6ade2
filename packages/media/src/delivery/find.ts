import fs from 'node:fs'
import path from 'node:path'
import type { ByteRange, Places } from '@fairway/platform'
import { storedIn, storedKey } from '../stored/places.ts'

/** A file of a video, wherever it lies. Its bytes pass through; who does not read them closes it. */
export type Found = {
  size: number
  at: Date
  read(range: Required<ByteRange>): AsyncIterable<Buffer>
  close(): Promise<void>
}

/**
 * What is small lies on the disk at all times. A segment may have been put away; it is asked for only where the playlist
 * beside it, which is here, names it, so that made-up names cost nothing. @throws StorageError while the place is away
 */
export async function find(
  { root, places }: { root: string; places: Places },
  { key, id, name }: { key: string; id: string; name: string },
): Promise<Found | null> {
  const home = path.join(root, key, id)
  const here = await open(path.join(home, name))
  if (here !== null) return here
  const part = path.posix.dirname(name)
  if (part === '.' || !(await isNamed(path.join(home, part, 'index.m3u8'), path.posix.basename(name)))) return null
  const place = await storedIn(home)
  if (place === null) return null
  const storage = places.at(place, 'short')
  const stored = await storage.head(storedKey(key, id, name))
  if (stored === null || stored.bytes === 0) return null
  return {
    size: stored.bytes,
    at: new Date(stored.changedAt),
    read: (range) => storage.get(stored.key, range),
    async close() {},
  }
}

type Named = { at: number; names: ReadonlySet<string> }
/** Of the playlists that were asked last, so many. */
const MOST_LISTS = 32
const lists = new Map<string, Named>()

/** Whether a playlist on this disk names a segment. */
async function isNamed(playlist: string, name: string): Promise<boolean> {
  const at = await fs.promises.stat(playlist).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  )
  if (at === null) return false
  const known = lists.get(playlist)
  const list = known?.at === at ? known : { at, names: await namesIn(playlist) }
  // What is asked again is the last to go.
  lists.delete(playlist)
  lists.set(playlist, list)
  for (const oldest of lists.keys()) {
    if (lists.size <= MOST_LISTS) break
    lists.delete(oldest)
  }
  return list.names.has(name)
}

async function namesIn(playlist: string): Promise<ReadonlySet<string>> {
  const text = await fs.promises.readFile(playlist, 'utf8').catch(() => '')
  return new Set(text.match(/\b[a-z0-9]{1,20}\.m4s\b/g))
}

async function open(file: string): Promise<Found | null> {
  try {
    const handle = await fs.promises.open(file)
    const { size, mtime } = await handle.stat()
    if (size > 0)
      return {
        size,
        at: mtime,
        // What is written on meanwhile does not make the answer longer than it said. Closes the file when it ends.
        read: ({ from, to }) => handle.createReadStream({ start: from, end: to - 1 }) as AsyncIterable<Buffer>,
        close: () => handle.close(),
      }
    await handle.close()
    return null
  } catch {
    return null
  }
}
