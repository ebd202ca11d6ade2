import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import { BackupError } from './backup-error.ts'
import { CHUNK_BYTES, checkPassphrase, openArchive, sealArchive } from './sealed-archive.ts'

const PASSPHRASE = 'a passphrase of some length'
const HEAD_BYTES = 93
/** What guessing costs is not what is tried here. */
const CHEAP = 10

let plain: Buffer
let sealed: Buffer

before(async () => {
  plain = crypto.randomBytes(2 * CHUNK_BYTES + 1000)
  sealed = await whole(sealArchive([plain], PASSPHRASE, CHEAP))
})

test('what was sealed opens again, whatever pieces it comes in', async () => {
  for (const piece of [1000, CHUNK_BYTES, 10 * CHUNK_BYTES])
    assert.deepEqual(await whole(openArchive(inPieces(sealed, piece), PASSPHRASE)), plain)
})

test('lengths around a chunk open again', async () => {
  for (const length of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES]) {
    const some = plain.subarray(0, length)
    const back = await whole(
      openArchive(inPieces(await whole(sealArchive([some], PASSPHRASE, CHEAP)), 999), PASSPHRASE),
    )
    assert.deepEqual(back, some, `${length} bytes`)
  }
})

test('a change of any one byte is refused', async () => {
  const place = fc.oneof(
    fc.nat(HEAD_BYTES - 1),
    fc.nat(sealed.length - 1),
    fc.integer({ min: sealed.length - 40, max: sealed.length - 1 }),
  )
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ mask
      await refused(changed, /damaged|changed|not a backup|form \d+/)
    }),
    { numRuns: 120 },
  )
})

test('one that is cut short anywhere is refused, and so is one with bytes after it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(sealed.length - 1), (length) =>
      refused(sealed.subarray(0, length), /cut short|not a backup/),
    ),
    { numRuns: 60 },
  )
  await refused(sealed.subarray(0, HEAD_BYTES + CHUNK_BYTES + 16), /cut short/)
  await refused(Buffer.concat([sealed, Buffer.from('x')]), /damaged/)
})

test('pieces that change places are refused', async () => {
  const [first, second] = [HEAD_BYTES, HEAD_BYTES + CHUNK_BYTES + 16].map((at) =>
    sealed.subarray(at, at + CHUNK_BYTES + 16),
  )
  assert.ok(first && second)
  const rest = sealed.subarray(HEAD_BYTES + 2 * (CHUNK_BYTES + 16))
  await refused(Buffer.concat([sealed.subarray(0, HEAD_BYTES), second, first, rest]), /damaged/)
})

test('another passphrase, a foreign file and a form of the future are named as such', async () => {
  await refused(sealed, /passphrase is not the one/, 'another passphrase')
  await refused(Buffer.from('PGDMP and then some'.repeat(20)), /not a backup of Fairway/)
  const newer = Buffer.from(sealed)
  newer[15] = 2
  await refused(newer, /form 2/)
})

test('a short passphrase seals nothing', () => {
  assert.throws(() => checkPassphrase(''), /FAIRWAY_BACKUP_PASSPHRASE_FILE/)
  assert.throws(() => checkPassphrase('too short'), /at least 12/)
  assert.equal(checkPassphrase(PASSPHRASE), PASSPHRASE)
})

async function refused(bytes: Buffer, why: RegExp, passphrase = PASSPHRASE): Promise<void> {
  await assert.rejects(whole(openArchive(inPieces(bytes, 50_000), passphrase)), (error: Error) => {
    assert.ok(error instanceof BackupError, String(error))
    assert.match(error.message, why)
    return true
  })
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(parts))
}
