import type { DnsTransfers } from '@fairway/contract'
import type { Log } from '@fairway/platform'
import type { Notice, Request } from '../builder/messages.ts'
import type { Segment } from '../segment/segment.ts'
import type { Zones } from '../segment/zones.ts'
import type { Steering } from '../steering/steering.ts'
import type { DnsFiles } from '../store/files.ts'
import { SegmentFiles, readOverlay, readSegment } from '../store/segment-files.ts'
import type { Transfers } from '../transfer/transfers.ts'
import type { Signers } from './signers.ts'

export type ServedZonesOptions = { zones: Zones; steering: Steering; signers: Signers; transfers: Transfers; log: Log }

/** Keeps what is served at what the disk has at start and at what the builder says from then on. */
export class ServedZones {
  swaps = 0
  refused = 0
  readonly #zones: Zones
  readonly #steering: Steering
  readonly #signers: Signers
  readonly #transfers: Transfers
  readonly #log: Log

  constructor({ zones, steering, signers, transfers, log }: ServedZonesOptions) {
    this.#zones = zones
    this.#steering = steering
    this.#signers = signers
    this.#transfers = transfers
    this.#log = log
  }

  /** Serves the last good version of every zone on disk; what is damaged is told and left out. */
  restore(files: DnsFiles): void {
    const startedAt = performance.now()
    for (const segment of new SegmentFiles(files.zones).readAll((file, error) =>
      this.#log.warn({ event: 'kept.damaged', file, err: error }),
    )) {
      try {
        this.#put(segment)
      } catch (error) {
        this.#log.warn({ event: 'zone.refused', zone: segment.originText, err: error })
      }
    }
    this.#log.info({ event: 'zones.restored', zones: this.#zones.size, ms: Math.round(performance.now() - startedAt) })
  }

  /** @throws Error why not; what was served before still is */
  async serve(request: Request): Promise<void> {
    try {
      if (request.kind === 'segment') this.#put(await readSegment(request.file))
      else if (request.kind === 'overlay') this.#put(await readOverlay(request, this.#zones.get(request.zoneId)))
      else if (request.kind === 'zone-gone') this.#remove(request.zoneId)
      else if (this.#zones.get(request.zoneId)?.sourceHash !== request.sourceHash)
        throw new Error('another version is served')
    } catch (error) {
      if (request.kind !== 'serves') this.refused++
      throw error
    }
  }

  notice(notice: Notice): void {
    if (notice.kind === 'scores') this.#steering.setScores(notice.scores)
    else if (notice.kind === 'scores-gone') this.#steering.removeScores(notice.organizationId)
    else if (notice.kind === 'verdicts') this.#steering.setVerdicts(notice.organizationId, notice.verdicts)
    else if (notice.kind === 'flattened') this.#steering.flat.merge(notice.names, notice.gone)
    else this.#setTransfers(notice.organizationId, notice.transfers)
  }

  #setTransfers(organizationId: string, transfers: DnsTransfers | null): void {
    try {
      this.#transfers.set(organizationId, transfers)
    } catch (error) {
      this.#log.error({ event: 'transfers.refused', organization: organizationId, err: error })
    }
  }

  #put(segment: Segment): void {
    const former = this.#zones.get(segment.zoneId)
    this.#signers.equip(segment, former)
    this.#zones.put(segment)
    this.#steering.swapped(former, segment)
    this.#transfers.swapped(former, segment)
    this.swaps++
    this.#log.debug({ event: 'zone.swapped', zone: segment.originText, version: segment.version })
  }

  #remove(zoneId: string): void {
    this.#steering.swapped(this.#zones.get(zoneId), undefined)
    this.#transfers.swapped(this.#zones.get(zoneId), undefined)
    this.#zones.remove(zoneId)
    this.#log.info({ event: 'zone.removed', zone: zoneId })
  }
}
