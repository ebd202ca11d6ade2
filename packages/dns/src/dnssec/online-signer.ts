import { validFor, type Signable, type ZoneSigner } from './zone-signer.ts'

const VALID_SECONDS = 7 * 86_400
const RENEW_MS = 86_400_000
const REMEMBERED = 20_000

type Made = { at: number; rdata: Uint8Array }

/**
 * What all zones of a process may spend on signatures that nobody has asked for before: a flood of made-up names must
 * not take the whole core.
 */
export class SigningBudget {
  readonly #perSecond: number
  #left: number

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
  }

  /** To be called once a second. */
  tick(): void {
    this.#left = this.#perSecond
  }

  take(): boolean {
    return this.#left-- > 0
  }
}

/**
 * Signs answers that are made for the question: steered ones, flattened ones, wildcards by another name, denials. Equal
 * ones are signed once a day.
 */
export class OnlineSigner {
  readonly #signer: ZoneSigner
  readonly #clock: () => number
  readonly #budget: SigningBudget
  #young = new Map<string, Made>()
  #old = new Map<string, Made>()

  constructor(signer: ZoneSigner, budget: SigningBudget, clock: () => number) {
    this.#signer = signer
    this.#budget = budget
    this.#clock = clock
  }

  /** Rdata of the RRSIG of a set; null when the budget is spent, which `free` ignores. */
  sign(set: Signable, free: boolean): Uint8Array | null {
    const key = keyOf(set)
    const now = this.#clock()
    const known = this.#young.get(key) ?? this.#old.get(key)
    // One that was made later than now is of a clock that was put back since.
    if (known && Math.abs(now - known.at) < RENEW_MS) {
      if (!this.#young.has(key)) this.#remember(key, known)
      return known.rdata
    }
    if (!this.#budget.take() && !free) return null
    const made = { at: now, rdata: this.#signer.sign(set, validFor(now, VALID_SECONDS)) }
    this.#remember(key, made)
    return made.rdata
  }

  /** Two generations: what was not asked for while the younger one filled up is forgotten. */
  #remember(key: string, made: Made): void {
    if (this.#young.size >= REMEMBERED) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, made)
  }
}

function keyOf({ owner, type, ttlSeconds, rdata }: Signable): string {
  let key = `${type} ${ttlSeconds} ${latin1(owner)}`
  for (const one of rdata) key += ` ${one.length}:${latin1(one)}`
  return key
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
