import type { DnsZone } from '@fairway/contract'
import { SetSignatures } from '../dnssec/set-signatures.ts'
import { ZoneSigner, type OpenKey } from '../dnssec/zone-signer.ts'
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
  of(zone: DnsZone): Signing | null {
    if (!zone.signing) return null
    const signatures = this.#signatures.get(zone.zoneId) ?? new SetSignatures(this.#clock)
    this.#signatures.set(zone.zoneId, signatures)
    try {
      return {
        signer: new ZoneSigner(lowerName(nameToWire(zone.origin)), zone.signing.keys, this.#openKey),
        signatures,
      }
    } catch (error) {
      throw new ZoneError(
        `the keys of ${zone.origin} cannot be opened on this node: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  /** The zone is in service; `isPart` when only what changed of it was made. */
  built(zone: DnsZone, isPart: boolean): void {
    if (zone.signing) this.#signatures.get(zone.zoneId)?.built(isPart)
    else this.forget(zone.zoneId)
  }

  forget(zoneId: string): void {
    this.#signatures.delete(zoneId)
  }
}
