import fs from 'node:fs'
import path from 'node:path'
import { DnsZone, DnsZonePatch } from '@fairway/contract'
import { patchedZone } from '@fairway/domain/lean'
import { FormerNodes } from '../segment/former-nodes.ts'
import { safeFileName, writeWhole } from '../store/files.ts'

/** Of so many sets in all the documents and compiled nodes are held in memory; the others are read from the disk. */
const MOST_HELD_SETS = 400_000

type Held = { zone: DnsZone; former: FormerNodes }

/**
 * Documents of the zones that are needed again: signed ones, which are signed anew without the API too, and large ones,
 * of which only changes come. On disk a whole and the patch on it; in memory those that were used last.
 */
export class ZoneDocuments {
  readonly #folder: string
  readonly #clock: () => number
  /** In the order of their last use. */
  readonly #held = new Map<string, Held>()
  #sets = 0

  constructor(folder: string, clock: () => number) {
    this.#folder = folder
    this.#clock = clock
  }

  /** The document of a zone as it was kept last; null when it is lost, or was not kept. */
  of(zoneId: string): DnsZone | null {
    return this.#held.get(zoneId)?.zone ?? this.#read(zoneId)
  }

  /** What a large zone was compiled to. */
  former(zone: DnsZone): FormerNodes {
    return this.#held.get(zone.zoneId)?.former ?? new FormerNodes(this.#clock)
  }

  /** The zone is in service: whole, or after a patch on what was kept. */
  async keep(zone: DnsZone, former: FormerNodes | null, patch: DnsZonePatch | null): Promise<void> {
    // One that was signed anew may have been overtaken by a change.
    if ((this.#held.get(zone.zoneId)?.zone.version ?? 0) > zone.version) return
    this.#let(zone.zoneId)
    if (former) this.#hold({ zone, former })
    if (patch) return writeWhole(this.#file(zone.zoneId, 'patch'), JSON.stringify(patch))
    if (former || zone.signing) await writeWhole(this.#file(zone.zoneId, 'json'), JSON.stringify(zone))
    else fs.rmSync(this.#file(zone.zoneId, 'json'), { force: true })
    fs.rmSync(this.#file(zone.zoneId, 'patch'), { force: true })
  }

  forget(zoneId: string): void {
    this.#let(zoneId)
    for (const part of ['json', 'patch'] as const) fs.rmSync(this.#file(zoneId, part), { force: true })
  }

  #hold(held: Held): void {
    this.#held.set(held.zone.zoneId, held)
    this.#sets += held.zone.rrsets.length
    for (const zoneId of this.#held.keys()) {
      if (this.#sets <= MOST_HELD_SETS || this.#held.size === 1) return
      this.#let(zoneId)
    }
  }

  #let(zoneId: string): void {
    this.#sets -= this.#held.get(zoneId)?.zone.rrsets.length ?? 0
    this.#held.delete(zoneId)
  }

  #read(zoneId: string): DnsZone | null {
    const zone = this.#parsed(zoneId, 'json', DnsZone.parse)
    // One that does not fit is older than the whole: the process ended between the two.
    const patch = zone && this.#parsed(zoneId, 'patch', DnsZonePatch.parse)
    return (patch && patchedZone(zone, patch)) ?? zone
  }

  #parsed<T>(zoneId: string, part: 'json' | 'patch', parse: (value: unknown) => T): T | null {
    try {
      return parse(JSON.parse(fs.readFileSync(this.#file(zoneId, part), 'utf8')))
    } catch {
      return null
    }
  }

  #file(zoneId: string, part: 'json' | 'patch'): string {
    return path.join(this.#folder, `${safeFileName(zoneId)}.${part}`)
  }
}
