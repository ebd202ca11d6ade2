import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'

/**
 * Room that is taken while there is plenty, and given up when there is none, so that who has to write to free some can.
 * In pieces, one at a time: whoever fills the disk faster than we look would else take all of it in one go.
 */
const PIECE_MB = 32
const MB = 2 ** 20
/** As much as the database takes at once for its log. */
const NO_ROOM_BYTES = 24 * MB
const NAME = /^\d{1,4}$/

type ReserveSettings = Pick<Config, 'home' | 'diskReserveMb'>

const folderOf = (home: string): string => path.join(home, 'reserve')

function piecesOf(home: string): { name: string; bytes: number }[] {
  try {
    return fs
      .readdirSync(folderOf(home))
      .filter((name) => NAME.test(name))
      .map((name) => ({ name, bytes: fs.statSync(path.join(folderOf(home), name)).size }))
  } catch {
    // There is none, or a piece was given up this moment.
    return []
  }
}

/** What the reserve holds now. */
export const heldReserve = (home: string): number => piecesOf(home).reduce((sum, { bytes }) => sum + bytes, 0)

/** What it lacks of what the settings want. */
export function missingReserve({ home, diskReserveMb }: ReserveSettings): number {
  return Math.max(0, diskReserveMb * MB - heldReserve(home))
}

/** Gives up one piece when nearly nothing is free. True when it did. */
export function giveUpReserve(home: string, freeBytes: number): boolean {
  if (freeBytes >= NO_ROOM_BYTES) return false
  const piece = piecesOf(home).at(-1)
  if (!piece) return false
  fs.rmSync(path.join(folderOf(home), piece.name), { force: true })
  return true
}

/**
 * Makes it what the settings want, as far as `spareBytes` allow. Written out, and with what cannot be packed: a file
 * system may give nothing away for zeros.
 */
export async function fillReserve({ home, diskReserveMb }: ReserveSettings, spareBytes: number): Promise<void> {
  const folder = folderOf(home)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of fs.readdirSync(folder))
    if (!NAME.test(name) || Number(name) * PIECE_MB >= diskReserveMb)
      fs.rmSync(path.join(folder, name), { force: true })
  let spare = spareBytes
  for (let number = 0; number * PIECE_MB < diskReserveMb; number++) {
    const [file, bytes] = [path.join(folder, `${number}`), Math.min(PIECE_MB, diskReserveMb - number * PIECE_MB) * MB]
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) === bytes) continue
    spare -= bytes
    if (spare < 0) return
    await writePiece(file, bytes)
  }
}

async function writePiece(file: string, bytes: number): Promise<void> {
  const draft = `${file}.draft`
  try {
    await using handle = await fs.promises.open(draft, 'w', 0o600)
    const block = crypto.randomBytes(MB)
    for (let at = 0; at < bytes; at += MB) {
      // Each block another, or they would be kept once.
      block.writeUInt32LE(at / MB, 0)
      await handle.write(block, 0, Math.min(MB, bytes - at))
    }
    await handle.sync()
    await fs.promises.rename(draft, file)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}
