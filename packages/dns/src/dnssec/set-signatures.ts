import crypto from 'node:crypto'
import { TYPE } from '../wire/codes.ts'
import { validFor, type Signable, type ZoneSigner } from './zone-signer.ts'

/** Signatures of whole zones last so long, are made anew after so long, and are kept over builds until then. */
export const STATIC_VALID_SECONDS = 21 * 86_400
export const STATIC_RENEW_MS = 7 * 86_400_000
/** By a clock further ahead than this they are not in force when it is put right: see `validFor`. */
const MOST_AHEAD_MS = 86_400_000

/** Whether what was signed then stands for so long yet, also when the clock was ahead and has been put right. */
export const isSignedFor = (signedAt: number, now: number, forMs: number): boolean =>
  now - signedAt < forMs && signedAt - now <= MOST_AHEAD_MS

type Made = { at: number; rdata: Uint8Array[] }

/**
 * Signatures of a zone's sets over its builds: what has not changed keeps its signature, so that a small edit signs
 * little.
 */
export class SetSignatures {
  #known = new Map<string, Made>()
  #used = new Map<string, Made>()
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Rdata of the RRSIGs of a set. */
  of(signer: ZoneSigner, set: Signable): Uint8Array[] {
    const hash = crypto.createHash('sha256').update(`${signer.tag} ${set.type} ${set.ttlSeconds} `).update(set.owner)
    for (const rdata of set.rdata) hash.update(`${rdata.length}:`).update(rdata)
    const key = hash.digest('latin1')
    const now = this.#clock()
    const known = this.#known.get(key)
    const made =
      known && isSignedFor(known.at, now, STATIC_RENEW_MS) ? known : { at: now, rdata: this.#make(signer, set, now) }
    this.#used.set(key, made)
    return made.rdata
  }

  /** A build is done: what it did not use is forgotten, unless `isPart` of the zone alone was made. */
  built(isPart = false): void {
    if (!isPart) this.#known = this.#used
    else for (const [key, made] of this.#used) this.#known.set(key, made)
    this.#used = new Map()
  }

  #make(signer: ZoneSigner, set: Signable, now: number): Uint8Array[] {
    const validity = validFor(now, STATIC_VALID_SECONDS)
    return set.type === TYPE.DNSKEY || set.type === TYPE.CDS || set.type === TYPE.CDNSKEY
      ? signer.signByAll(set, validity)
      : [signer.sign(set, validity)]
  }
}
