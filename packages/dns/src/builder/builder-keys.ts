import fs from 'node:fs'
import path from 'node:path'
import { DnsZone } from '@fairway/contract'
import { SetSignatures } from '../dnssec/set-signatures.ts'
import { ZoneSigner, type OpenKey } from '../dnssec/zone-signer.ts'
import type { Signing } from '../segment/node-blocks.ts'
import { ZoneError } from '../segment/zone-tree.ts'
import { safeFileName } from '../store/files.ts'
import { lowerName, nameToWire } from '../wire/name.ts'

/**
 * What signs the zones that are signed: their keys, the signatures that can be used again, and their documents on disk,
 * so that they are signed anew without the API too.
 */
export class BuilderKeys {
  readonly #folder: string
  readonly #openKey: OpenKey
  readonly #clock: () => number
  readonly #signatures = new Map<string, SetSignatures>()

  constructor(folder: string, openKey: OpenKey, clock: () => number) {
    this.#folder = folder
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

  /** The zone is in service. */
  built(zone: DnsZone): void {
    if (!zone.signing) return this.forget(zone.zoneId)
    this.#signatures.get(zone.zoneId)?.built()
    fs.writeFileSync(this.#file(zone.zoneId), JSON.stringify(zone))
  }

  forget(zoneId: string): void {
    this.#signatures.delete(zoneId)
    fs.rmSync(this.#file(zoneId), { force: true })
  }

  /** The document that a signed zone was built of; null when it is lost. */
  document(zoneId: string): DnsZone | null {
    try {
      return DnsZone.parse(JSON.parse(fs.readFileSync(this.#file(zoneId), 'utf8')))
    } catch {
      return null
    }
  }

  #file(zoneId: string): string {
    return path.join(this.#folder, `${safeFileName(zoneId)}.json`)
  }
}
