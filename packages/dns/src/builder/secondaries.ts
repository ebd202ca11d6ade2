import { isDeepStrictEqual } from 'node:util'
import type { DnsTransfers } from '@fairway/contract'
import type { Log } from '@fairway/platform'
import type { OpenKey } from '../dnssec/zone-signer.ts'
import type { Segment } from '../segment/segment.ts'
import type { Announced, Notifier } from '../transfer/notifier.ts'
import { peersIn, type Peer } from '../transfer/peers.ts'
import { soaRecord } from '../transfer/zone-records.ts'

export type SecondariesOptions = { notifier: Pick<Notifier, 'notify'>; openKey: OpenKey; log: Log }

/**
 * Keeps secondaries in step with what is served: each hears of every change of its owner's zones, once for the node.
 */
export class Secondaries {
  readonly #options: SecondariesOptions
  readonly #known = new Map<string, { transfers: DnsTransfers; peers: Peer[] }>()
  readonly #zones = new Map<string, { organizationId: string | null; announced: Announced }>()

  constructor(options: SecondariesOptions) {
    this.#options = options
  }

  /** New ones hear of every zone of their owner at once; those that are read at a start have heard of what is there. */
  set(organizationId: string, transfers: DnsTransfers | null, { isKnown = false } = {}): void {
    if (isDeepStrictEqual(this.#known.get(organizationId)?.transfers ?? null, transfers)) return
    try {
      if (transfers)
        this.#known.set(organizationId, { transfers, peers: peersIn(organizationId, transfers, this.#options.openKey) })
      else this.#known.delete(organizationId)
    } catch (error) {
      this.#options.log.error({ event: 'transfers.refused', organization: organizationId, err: error })
      return
    }
    if (isKnown) return
    for (const zone of this.#zones.values()) if (zone.organizationId === organizationId) this.#notify(zone)
  }

  organizations(): Iterable<string> {
    return this.#known.keys()
  }

  /** A zone is served at this version. */
  served(segment: Segment): void {
    const { zoneId, organizationId } = segment
    // Copies: the segment itself is not kept for a few bytes of it.
    const zone = {
      organizationId,
      announced: { zoneId, origin: segment.origin.slice(), soa: soaRecord(segment).tail.slice() },
    }
    if (!segment.transferable) return this.gone(zoneId)
    this.#zones.set(zoneId, zone)
    this.#notify(zone)
  }

  gone(zoneId: string): void {
    this.#zones.delete(zoneId)
  }

  #notify({ organizationId, announced }: { organizationId: string | null; announced: Announced }): void {
    for (const peer of this.#known.get(organizationId ?? '')?.peers ?? [])
      this.#options.notifier.notify(announced, peer)
  }
}
