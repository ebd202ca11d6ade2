import crypto from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { z } from 'zod'
import { openStorage } from '../../storage/open-storage.ts'
import type { S3Settings } from '../../storage/s3-storage.ts'
import { NotStored, type Storage } from '../../storage/storage.ts'
import { BackupError } from '../backup-error.ts'
import { openArchive, sealArchive } from '../sealed-archive.ts'

const Key = z.object({
  id: z.string(),
  key: z.base64(),
  systemIdentifier: z.string().regex(/^\d{1,20}$/),
  /** Major version of PostgreSQL: files are of one. */
  postgres: z.string().regex(/^\d{1,3}$/),
  segmentBytes: z
    .int()
    .min(1 << 20)
    .max(1 << 30),
  startedAt: z.iso.datetime(),
})
export type ChainFacts = Omit<z.infer<typeof Key>, 'key'>

const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
/** What was written by us and is larger once unpacked is not: a segment of the log is the largest of all. */
const LARGEST = 1 << 30
const pack = promisify(zlib.zstdCompress)
const unpack = promisify(zlib.zstdDecompress)

const ID = /^[0-9a-f]{16}$/
const FOLDER = /^chain-([0-9a-f]{16})$/
export const chainFolder = (id: string): string => `chain-${id}`
export const chainIdOf = (folder: string): string | null => FOLDER.exec(folder)?.[1] ?? null

/**
 * Backups of one database that stand on each other, and its log between them: sealed parts under one key, which the
 * passphrase wraps. Each is bound to its name and to the chain, so none passes for another; a part of content is named
 * by a keyed digest, so that what has not changed is there already.
 */
export class Chain implements AsyncDisposable {
  readonly storage: Storage
  readonly facts: ChainFacts
  #sealing: Buffer
  #naming: Buffer

  private constructor(storage: Storage, { key, ...facts }: z.infer<typeof Key>) {
    this.storage = storage
    this.facts = facts
    const derived = (use: string) =>
      Buffer.from(crypto.hkdfSync('sha256', Buffer.from(key, 'base64'), Buffer.from(facts.id), use, 32))
    this.#sealing = derived('seal')
    this.#naming = derived('name')
  }

  /** Begins a new one in a place. */
  static async begin(
    place: string,
    settings: S3Settings,
    passphrase: string,
    facts: Omit<ChainFacts, 'id' | 'startedAt'>,
  ): Promise<Chain> {
    const id = crypto.randomBytes(8).toString('hex')
    const made = {
      ...facts,
      id,
      key: crypto.randomBytes(32).toString('base64'),
      startedAt: new Date().toISOString(),
    }
    const storage = openStorage(placeOf(place, id), settings)
    await storage.put('key', sealArchive([Buffer.from(JSON.stringify(made))], passphrase))
    return new Chain(storage, made)
  }

  /** @throws BackupError when there is none, the passphrase is another one, or its key is damaged. */
  static async open(place: string, settings: S3Settings, id: string, passphrase: string): Promise<Chain> {
    if (!ID.test(id)) throw new BackupError(`${id} is no name of a chain of backups.`)
    const storage = openStorage(placeOf(place, id), settings)
    try {
      const opened = Buffer.concat(await Array.fromAsync(openArchive(storage.get('key'), passphrase)))
      const key = Key.parse(JSON.parse(opened.toString('utf8')))
      if (key.id !== id) throw new BackupError(`${storage.address('key')} belongs to another chain of backups.`)
      return new Chain(storage, key)
    } catch (error) {
      await storage[Symbol.asyncDispose]()
      if (error instanceof NotStored)
        throw new BackupError(`There is no chain of backups at ${storage.address()}: its key is missing.`, {
          cause: error,
        })
      throw error
    }
  }

  /** The name of some content, which says nothing of it to who has not the key. */
  nameOf(plain: Buffer): string {
    return `part-${crypto.createHmac('sha256', this.#naming).update(plain).digest('hex')}`
  }

  async put(name: string, plain: Buffer): Promise<number> {
    const nonce = crypto.randomBytes(NONCE_BYTES)
    const cipher = crypto.createCipheriv(CIPHER, this.#sealing, nonce).setAAD(this.#bound(name))
    const sealed = [Buffer.from([FORM]), nonce, cipher.update(await pack(plain)), cipher.final(), cipher.getAuthTag()]
    const { bytes } = await this.storage.put(name, [Buffer.concat(sealed)])
    return bytes
  }

  /** @throws BackupError that names what is missing or damaged */
  async get(name: string): Promise<Buffer> {
    let sealed: Buffer
    try {
      sealed = Buffer.concat(await Array.fromAsync(this.storage.get(name)))
    } catch (error) {
      if (!(error instanceof NotStored)) throw error
      throw new BackupError(`The chain of backups lacks ${this.storage.address(name)}.`, { cause: error })
    }
    try {
      if (sealed[0] !== FORM) throw new RangeError('another form')
      const [nonce, end] = [sealed.subarray(1, 1 + NONCE_BYTES), sealed.length - TAG_BYTES]
      const decipher = crypto.createDecipheriv(CIPHER, this.#sealing, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(this.#bound(name)).setAuthTag(sealed.subarray(end))
      const packed = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, end)), decipher.final()])
      return await unpack(packed, { maxOutputLength: LARGEST })
    } catch (error) {
      throw new BackupError(
        `${this.storage.address(name)} is damaged, or belongs to another chain of backups: it is not as it was written.`,
        { cause: error },
      )
    }
  }

  #bound(name: string): Buffer {
    return Buffer.from(`${this.facts.id}/${name}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.storage[Symbol.asyncDispose]()
  }
}

const placeOf = (place: string, id: string): string => `${place.replace(/\/+$/, '')}/${chainFolder(id)}`

/** Ids of the chains in a place. */
export async function chainsIn(place: string, settings: S3Settings): Promise<string[]> {
  await using storage = openStorage(place, settings)
  const found: string[] = []
  for await (const { key } of storage.list('chain-')) {
    const [folder = '', name, ...more] = key.split('/')
    const id = chainIdOf(folder)
    if (id !== null && name === 'key' && more.length === 0) found.push(id)
  }
  return found
}
