import { OnlineSigner, type SigningBudget } from '../dnssec/online-signer.ts'
import { ZoneSigner, type OpenKey } from '../dnssec/zone-signer.ts'
import type { Segment } from '../segment/segment.ts'

/** Gives signed zones what signs their answers. */
export class Signers {
  readonly #openKey: OpenKey
  readonly #budget: SigningBudget
  readonly #clock: () => number

  constructor(openKey: OpenKey, budget: SigningBudget, clock: () => number) {
    this.#openKey = openKey
    this.#budget = budget
    this.#clock = clock
  }

  /**
   * Takes over what signed the version before when the keys are the same, and what it remembers. @throws Error when the
   * keys cannot be opened here
   */
  equip(segment: Segment, former: Segment | undefined): void {
    if (segment.keys.length === 0) return
    const same = former?.signer && JSON.stringify(former.keys) === JSON.stringify(segment.keys)
    segment.signer = same
      ? former.signer
      : new OnlineSigner(new ZoneSigner(segment.origin, segment.keys, this.#openKey), this.#budget, this.#clock)
  }
}
