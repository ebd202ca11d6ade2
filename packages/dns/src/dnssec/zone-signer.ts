import crypto from 'node:crypto'
import type { ZoneSigning } from '@fairway/contract'
import { ByteWriter } from '../wire/bytes.ts'
import { CLASS_IN } from '../wire/codes.ts'
import { labelStarts } from '../wire/name.ts'

/** ECDSA P-256 with SHA-256 (RFC 6605). */
export const ALGORITHM = 13
/** What private keys are sealed for. */
export const ZONE_KEYS = 'zone-keys'
/**
 * For resolvers whose clocks are late, and for our own where it is early: one that is a day ahead, and what it signed
 * until it was put right, must not make zones bogus.
 */
const INCEPTION_BACK_SECONDS = 2 * 86_400

/** Opens what was sealed for the nodes. @throws Error when it cannot be opened */
export type OpenKey = (sealed: string) => string

/** Epoch seconds. */
export type Validity = { inception: number; expiration: number }

type SigningKey = { tag: number; key: crypto.KeyObject; signs: boolean }

/**
 * An RRset to be signed: `owner` in lower case; with `labels` fewer than the owner has it stands for the names below
 * (wildcard).
 */
export type Signable = { owner: Uint8Array; type: number; ttlSeconds: number; rdata: readonly Uint8Array[] }

/** Signs RRsets of one zone (RFC 4034 3, 6). Keys sign the set of keys all together, one of them everything else. */
export class ZoneSigner {
  readonly tag: number
  readonly #origin: Uint8Array
  readonly #keys: readonly SigningKey[]

  /** @throws Error when a key cannot be opened or none signs */
  constructor(
    origin: Uint8Array,
    keys: readonly Pick<ZoneSigning['keys'][number], 'tag' | 'sealedPrivateKey' | 'signs'>[],
    open: OpenKey,
  ) {
    this.#origin = origin
    this.#keys = keys.map(({ tag, sealedPrivateKey, signs }) => ({
      tag,
      signs,
      key: crypto.createPrivateKey({
        key: Buffer.from(open(sealedPrivateKey), 'base64'),
        format: 'der',
        type: 'pkcs8',
      }),
    }))
    const signing = this.#keys.find(({ signs }) => signs)
    if (!signing) throw new Error('no key signs the zone')
    this.tag = signing.tag
  }

  /** Rdata of the RRSIG of a set. */
  sign(set: Signable, validity: Validity): Uint8Array<ArrayBuffer> {
    const [first] = this.#signatures(
      set,
      validity,
      this.#keys.filter(({ signs }) => signs),
    )
    if (!first) throw new Error('no key signs the zone')
    return first
  }

  /** Rdata of the RRSIGs of the set of keys, one by each key. */
  signByAll(set: Signable, validity: Validity): Uint8Array<ArrayBuffer>[] {
    return this.#signatures(set, validity, this.#keys)
  }

  #signatures(
    { owner, type, ttlSeconds, rdata }: Signable,
    { inception, expiration }: Validity,
    keys: readonly SigningKey[],
  ): Uint8Array<ArrayBuffer>[] {
    const sorted = [...rdata].sort((a, b) => Buffer.compare(a, b))
    return keys.map(({ tag, key }) => {
      const head = new ByteWriter()
      head.u16(type)
      head.u8(ALGORITHM)
      head.u8(labelCount(owner))
      head.u32(ttlSeconds)
      head.u32(expiration)
      head.u32(inception)
      head.u16(tag)
      head.put(this.#origin)
      const signed = new ByteWriter()
      signed.put(head.done())
      for (const one of sorted) {
        signed.put(owner)
        signed.u16(type)
        signed.u16(CLASS_IN)
        signed.u32(ttlSeconds)
        signed.u16(one.length)
        signed.put(one)
      }
      head.put(crypto.sign('sha256', signed.done(), { key, dsaEncoding: 'ieee-p1363' }))
      return head.done()
    })
  }
}

/** @param seconds from now on */
export function validFor(nowMs: number, seconds: number): Validity {
  const now = Math.floor(nowMs / 1000)
  return { inception: now - INCEPTION_BACK_SECONDS, expiration: now + seconds }
}

/** Labels without the root and a leading asterisk (RFC 4034 3.1.3). */
function labelCount(owner: Uint8Array): number {
  const count = labelStarts(owner).length - 1
  return owner[0] === 1 && owner[1] === 42 ? count - 1 : count
}
