import type { DnsZone } from '@fairway/contract'
import { SetSignatures } from '../dnssec/set-signatures.ts'
import { ZoneSigner, type OpenKey } from '../dnssec/zone-signer.ts'
import type { SegmentMeta } from '../segment/format.ts'
import type { Signing } from '../segment/node-blocks.ts'
import { ZoneError } from '../segment/zone-tree.ts'
import { lowerName, nameToWire } from '../wire/name.ts'

/** What signs the zones that are signed: their keys, and the signatures that can be used again. */
export class BuilderKeys {
  readonly #openKey: OpenKey
  readonly #clock: () => number
  readonly #signatures = new Map<string, SetSignatures>()

  constructor(openKey: OpenKey, clock: () => number) {
    this.#openKey = openKey
    this.#clock = clock
  }

  /** What signs a zone; null for one that is not signed. @throws ZoneError when its keys cannot be opened here */
  of({ zoneId, origin, signing }: Pick<DnsZone, 'zoneId' | 'origin' | 'signing'>): Signing | null {
    return signing ? this.by({ zoneId, origin, keys: signing.keys }) : null
  }

  /** The same by the keys as a segment has them. @throws ZoneError */
  by({ zoneId, origin, keys }: { zoneId: string; origin: string; keys: SegmentMeta['keys'] }): Signing {
    const signatures = this.#signatures.get(zoneId) ?? new SetSignatures(this.#clock)
    this.#signatures.set(zoneId, signatures)
    try {
      return { signer: new ZoneSigner(lowerName(nameToWire(origin)), keys, this.#openKey), signatures }
    } catch (error) {
      throw new ZoneError(
        `the keys of ${origin} cannot be opened on this node: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  /** The zone is in service; `isPart` when only what changed of it was made. */
  built(zoneId: string, { isSigned, isPart }: { isSigned: boolean; isPart: boolean }): void {
    if (isSigned) this.#signatures.get(zoneId)?.built(isPart)
    else this.forget(zoneId)
  }

  forget(zoneId: string): void {
    this.#signatures.delete(zoneId)
  }
}
