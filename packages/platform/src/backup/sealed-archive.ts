import crypto from 'node:crypto'
import { BackupError } from './backup-error.ts'

/**
 * A sealed archive: a head, then the packed bytes in chunks of AES-256-GCM under a key of its own, which the head holds
 * wrapped by the passphrase (scrypt). A chunk's nonce is its number and whether it is the last, and the whole head is
 * bound into every chunk: nothing can be changed, moved, left out or added unnoticed.
 *
 * Head: magic (15), version (1), log2 of scrypt's N (1), salt (16), nonce (12), wrapped key (32), tag (16).
 */
const MAGIC = Buffer.from('fairway-backup\n')
const VERSION = 1
const COST_LOG2 = 16
/** What a foreign file may make us spend before it is known to be ours: 256 MB at 2^18. */
const COST_LOG2_MAX = 18
const BLOCK = 8
const SALT_BYTES = 16
const NONCE_BYTES = 12
const KEY_BYTES = 32
const TAG_BYTES = 16
const PLAIN_HEAD_BYTES = MAGIC.length + 2 + SALT_BYTES
const HEAD_BYTES = PLAIN_HEAD_BYTES + NONCE_BYTES + KEY_BYTES + TAG_BYTES
export const CHUNK_BYTES = 64 << 10
const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES
const CIPHER = 'aes-256-gcm'
const SHORTEST_PASSPHRASE = 12

/** @throws BackupError when it is too short to protect anything. */
export function checkPassphrase(passphrase: string): string {
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
  throw new BackupError(
    passphrase === ''
      ? 'A backup is sealed by a passphrase: put one into a file that only you can read and name it in FAIRWAY_BACKUP_PASSPHRASE_FILE, or set FAIRWAY_BACKUP_PASSPHRASE. Keep it apart from the backups: without it they cannot be opened.'
      : `The passphrase of backups must have at least ${SHORTEST_PASSPHRASE} characters.`,
  )
}

/** Seals bytes as they come, holding one chunk at a time. */
export async function* sealArchive(
  plain: AsyncIterable<Buffer> | Iterable<Buffer>,
  passphrase: string,
  costLog2 = COST_LOG2,
): AsyncGenerator<Buffer> {
  const key = crypto.randomBytes(KEY_BYTES)
  const open = Buffer.concat([MAGIC, Buffer.from([VERSION, costLog2]), crypto.randomBytes(SALT_BYTES)])
  const nonce = crypto.randomBytes(NONCE_BYTES)
  const wrap = crypto.createCipheriv(CIPHER, await keyOf(passphrase, open), nonce, OPTIONS).setAAD(open)
  const wrapped = Buffer.concat([wrap.update(key), wrap.final()])
  const head = Buffer.concat([open, nonce, wrapped, wrap.getAuthTag()])
  yield head
  let number = 0
  const sealed = (chunk: Buffer, isLast: boolean) => {
    const cipher = crypto.createCipheriv(CIPHER, key, nonceOf(number++, isLast), OPTIONS).setAAD(head)
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  const rest = new Bytes()
  for await (const bytes of plain) {
    rest.push(bytes)
    while (rest.length > CHUNK_BYTES) yield sealed(rest.take(CHUNK_BYTES), false)
  }
  yield sealed(rest.take(rest.length), true)
}

/**
 * Opens what `sealArchive` made; only bytes that were proven to be as written come out.
 * @throws BackupError that says in words what is wrong: foreign, newer, wrong passphrase, damaged, or cut short.
 */
export async function* openArchive(sealed: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const rest = new Bytes()
  let opened: { key: Buffer; head: Buffer } | null = null
  let number = 0
  for await (const bytes of sealed) {
    rest.push(bytes)
    if (!opened && rest.length < HEAD_BYTES) continue
    opened ??= await openHead(rest.take(HEAD_BYTES), passphrase)
    while (rest.length > SEALED_BYTES) yield unsealed(opened, rest.take(SEALED_BYTES), number++, false)
  }
  if (!opened) {
    const begun = rest.take(Math.min(rest.length, MAGIC.length))
    throw new BackupError(
      begun.length > 0 && MAGIC.subarray(0, begun.length).equals(begun)
        ? 'The backup is cut short: it ends within its head.'
        : 'This is not a backup of Fairway.',
    )
  }
  yield unsealed(opened, rest.take(rest.length), number, true)
}

async function openHead(head: Buffer, passphrase: string): Promise<{ key: Buffer; head: Buffer }> {
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new BackupError('This is not a backup of Fairway.')
  const version = head[MAGIC.length] ?? 0
  const cost = head[MAGIC.length + 1] ?? 0
  if (version !== VERSION)
    throw new BackupError(
      `The backup is written in form ${version}, and this Fairway knows form ${VERSION}: restore it with the version that made it.`,
    )
  if (cost < 10 || cost > COST_LOG2_MAX) throw new BackupError('The backup is damaged: its head was changed.')
  const open = head.subarray(0, PLAIN_HEAD_BYTES)
  const nonce = head.subarray(PLAIN_HEAD_BYTES, PLAIN_HEAD_BYTES + NONCE_BYTES)
  const wrapped = head.subarray(PLAIN_HEAD_BYTES + NONCE_BYTES, HEAD_BYTES - TAG_BYTES)
  const unwrap = crypto.createDecipheriv(CIPHER, await keyOf(passphrase, open), nonce, OPTIONS).setAAD(open)
  unwrap.setAuthTag(head.subarray(HEAD_BYTES - TAG_BYTES))
  try {
    return { key: Buffer.concat([unwrap.update(wrapped), unwrap.final()]), head }
  } catch {
    throw new BackupError('The passphrase is not the one of this backup, or the head of the backup was changed.')
  }
}

function unsealed(
  { key, head }: { key: Buffer; head: Buffer },
  chunk: Buffer,
  number: number,
  isLast: boolean,
): Buffer {
  const plain = attempt(key, head, chunk, nonceOf(number, isLast))
  if (plain) return plain
  const isCut = isLast && (chunk.length === 0 || attempt(key, head, chunk, nonceOf(number, false)) !== null)
  throw new BackupError(
    isCut
      ? 'The backup is cut short: what should come after its last piece is missing.'
      : `The backup is damaged${isLast ? ' or cut short' : ''}: piece ${number + 1} is not as it was written.`,
  )
}

function attempt(key: Buffer, head: Buffer, chunk: Buffer, nonce: Buffer): Buffer | null {
  if (chunk.length < TAG_BYTES) return null
  const decipher = crypto.createDecipheriv(CIPHER, key, nonce, OPTIONS).setAAD(head)
  decipher.setAuthTag(chunk.subarray(chunk.length - TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

const OPTIONS = { authTagLength: TAG_BYTES } as const

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(number, 4, 6)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

/** @param open the head's part that is not secret: cost and salt stand at its end */
function keyOf(passphrase: string, open: Buffer): Promise<Buffer> {
  const cost = 2 ** (open[MAGIC.length + 1] ?? COST_LOG2)
  const salt = open.subarray(MAGIC.length + 2)
  const options = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK }
  return new Promise((resolve, reject) =>
    crypto.scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

/** Bytes that came and were not taken yet. */
class Bytes {
  #parts: Buffer[] = []
  length = 0

  push(part: Buffer): void {
    this.#parts.push(part)
    this.length += part.length
  }

  take(count: number): Buffer {
    const all = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts)
    this.#parts = [all.subarray(count)]
    this.length = all.length - count
    return all.subarray(0, count)
  }
}
