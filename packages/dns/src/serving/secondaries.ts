import { isDeepStrictEqual } from 'node:util'
import type { DnsTransfers } from '@fairway/contract'
import type { Log } from '@fairway/platform'
import type { Segment } from '../segment/segment.ts'
import type { Zones } from '../segment/zones.ts'
import type { Notifier } from '../transfer/notifier.ts'
import type { Transfers } from '../transfer/transfers.ts'

export type SecondariesOptions = { zones: Zones; transfers: Transfers; notifier: Notifier; log: Log }

/** Keeps secondaries in step with what is served: who they are, and that they hear of every change. */
export class Secondaries {
  readonly #options: SecondariesOptions
  readonly #known = new Map<string, DnsTransfers>()

  constructor(options: SecondariesOptions) {
    this.#options = options
  }

  /** New ones hear of every zone of their owner at once. */
  set(organizationId: string, transfers: DnsTransfers | null): void {
    const { zones, log } = this.#options
    if (isDeepStrictEqual(this.#known.get(organizationId) ?? null, transfers)) return
    try {
      this.#options.transfers.set(organizationId, transfers)
    } catch (error) {
      log.error({ event: 'transfers.refused', organization: organizationId, err: error })
      return
    }
    if (transfers) this.#known.set(organizationId, transfers)
    else this.#known.delete(organizationId)
    for (const zone of zones.all()) if (zone.organizationId === organizationId) this.#notify(zone)
  }

  swapped(former: Segment | undefined, present: Segment | undefined): void {
    this.#options.transfers.swapped(former, present)
    if (present) this.#notify(present)
  }

  #notify(zone: Segment): void {
    const { transfers, notifier } = this.#options
    for (const peer of transfers.peersOf(zone.organizationId)) if (peer.notify !== null) notifier.notify(zone, peer)
  }
}
