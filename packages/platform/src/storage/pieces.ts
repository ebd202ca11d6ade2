import type { Storage, StoredObject } from './storage.ts'

/**
 * A file that grows at its end, in a place where objects are whole or not at all: it lies there in pieces, each named by
 * where it begins. Whoever goes on, from whichever machine, needs nothing but what is there.
 */

/** A killed process loses what it has not put away of one piece. */
const PIECE_BYTES = 8 << 20
const DIGITS = 15

const nameOf = (from: number): string => `${from}`.padStart(DIGITS, '0')

/**
 * What has arrived, from the beginning on. Of two who wrote at once, one may have left a piece that begins within
 * another: it is passed over.
 */
async function* piecesOf(storage: Storage, prefix: string): AsyncGenerator<StoredObject> {
  let end = 0
  for await (const piece of storage.list(prefix)) {
    const from = piece.key.slice(prefix.length)
    if (from !== nameOf(end)) continue
    yield piece
    end += piece.bytes
  }
}

/** Bytes that have arrived. @throws StorageError */
export async function piecesEnd(storage: Storage, prefix: string): Promise<number> {
  let end = 0
  for await (const { bytes } of piecesOf(storage, prefix)) end += bytes
  return end
}

/** Objects that lie there, also those that are passed over. @throws StorageError */
export async function countPieces(storage: Storage, prefix: string): Promise<number> {
  let count = 0
  for await (const _ of storage.list(prefix)) count++
  return count
}

/** Who sends a file of so many bytes may be cut off often, and not make each byte an object. */
export const mostPieces = (bytes: number): number => Math.floor((bytes / PIECE_BYTES) * 4) + 64

/** @throws StorageError, also while it is read */
export async function* readPieces(storage: Storage, prefix: string): AsyncGenerator<Buffer> {
  for await (const { key } of piecesOf(storage, prefix)) yield* storage.get(key)
}

/**
 * Appends what comes, and says where it ends then. What came before it broke off is kept; `arrived` is told of each
 * piece that is there, and may end it. @throws StorageError, and what `bytes` or `arrived` throws
 */
export async function appendPieces(
  storage: Storage,
  prefix: string,
  from: number,
  bytes: AsyncIterable<Buffer>,
  arrived: (piece: StoredObject, end: number) => Promise<void>,
): Promise<number> {
  const source = bytes[Symbol.asyncIterator]()
  let end = from
  let broken: { error: unknown } | null = null
  let rest: Buffer | null = null
  const next = async (): Promise<Buffer | null> => {
    for (;;) {
      const found: IteratorResult<Buffer> = await source.next().catch((error: unknown) => {
        broken = { error }
        return { done: true, value: undefined }
      })
      if (found.done === true) return null
      if (found.value.length > 0) return found.value
    }
  }
  const piece = async function* (first: Buffer): AsyncGenerator<Buffer> {
    let room = PIECE_BYTES
    for (let part: Buffer | null = first; part !== null; part = await next()) {
      yield part.subarray(0, room)
      if (part.length >= room) {
        rest = part.length > room ? part.subarray(room) : null
        return
      }
      room -= part.length
    }
  }
  for (;;) {
    const first = (rest as Buffer | null) ?? (await next())
    rest = null
    if (first === null) break
    const stored = await storage.put(`${prefix}${nameOf(end)}`, piece(first))
    end += stored.bytes
    await arrived(stored, end)
  }
  const found = broken as { error: unknown } | null
  if (found !== null) throw found.error
  return end
}
