import fs from 'node:fs'
import path from 'node:path'
import { DnsZone, DnsZonePatch } from '@fairway/contract'
import { patchedZone } from '@fairway/domain/lean'
import { notePatched } from '../segment/compile.ts'
import { FormerNodes } from '../segment/former-nodes.ts'
import { safeFileName, writeWhole } from '../store/files.ts'

/** Of so many sets in all the documents and compiled nodes are held in memory; the others are read from the disk. */
const MOST_HELD_SETS = 400_000
/** Each that is read costs a look at all sets of the zone. */
export const MOST_PATCHES = 32

/** `patch`: what came since, where nothing but that was compiled. */
type Held = { zone: DnsZone; former: FormerNodes; patch: DnsZonePatch | null }

/**
 * Documents of the zones that are needed again: signed ones, which are signed anew without the API too, and large ones,
 * of which only changes come. On disk a whole (`json`), the patches on it that later ones go on from (`patches`, one a
 * line), and the newest (`patch`); in memory those that were used last.
 */
export class ZoneDocuments {
  readonly #folder: string
  readonly #clock: () => number
  /** In the order of their last use. */
  readonly #held = new Map<string, Held>()
  /** What the newest patch on disk starts from, where it is known. */
  readonly #since = new Map<string, number>()
  #sets = 0

  constructor(folder: string, clock: () => number) {
    this.#folder = folder
    this.#clock = clock
  }

  /** The document of a zone as it was kept last; null when it is lost, or was not kept. */
  of(zoneId: string): DnsZone | null {
    const held = this.#held.get(zoneId)
    return held && takePatch(held) ? held.zone : this.#read(zoneId)
  }

  /** Whether the whole of a zone can be had again. */
  has(zoneId: string): boolean {
    return this.#held.has(zoneId) || fs.existsSync(this.#file(zoneId, 'json'))
  }

  /** How many patches on its whole a document is read from, beside the newest. */
  patches(zoneId: string): number {
    return this.#lines(zoneId, 'patches').length
  }

  /** What a large zone was compiled to. */
  former(zone: DnsZone): FormerNodes {
    return this.#held.get(zone.zoneId)?.former ?? new FormerNodes(this.#clock)
  }

  /** The zone is in service: whole, or after a patch on what was kept. */
  async keep(zone: DnsZone, former: FormerNodes | null, patch: DnsZonePatch | null): Promise<void> {
    this.#let(zone.zoneId)
    if (former) this.#hold({ zone, former, patch: null })
    if (patch) return this.#writePatch(patch)
    if (former || zone.signing) await writeWhole(this.#file(zone.zoneId, 'json'), JSON.stringify(zone))
    else fs.rmSync(this.#file(zone.zoneId, 'json'), { force: true })
    this.#removePatches(zone.zoneId)
  }

  /** A patch on what was kept is in service, and the zone was not made whole for it. */
  async keepPatch(patch: DnsZonePatch): Promise<void> {
    const held = this.#held.get(patch.zoneId)
    if (held?.patch && held.patch.since !== patch.since) takePatch(held)
    if (held && held.zone.version <= patch.version) held.patch = patch
    await this.#writePatch(patch)
  }

  /** One that starts later does not hold what the one before it holds, which stays. */
  async #writePatch(patch: DnsZonePatch): Promise<void> {
    const { zoneId, since } = patch
    const former = this.#since.get(zoneId) ?? this.#parsed(zoneId, 'patch', DnsZonePatch.parse)?.since ?? since
    if (former !== since) {
      const [kept] = this.#lines(zoneId, 'patch')
      // On a line of its own whatever was cut off before.
      if (kept) await fs.promises.appendFile(this.#file(zoneId, 'patches'), `\n${kept}\n`)
    }
    await writeWhole(this.#file(zoneId, 'patch'), JSON.stringify(patch))
    this.#since.set(zoneId, since)
    if (former !== since) await this.#putTogether(patch)
  }

  /** Patches that have become many, or longer than the whole, go into it: a zone may never be sent whole again. */
  async #putTogether({ zoneId, version }: DnsZonePatch): Promise<void> {
    try {
      const isShort = this.#bytes(zoneId, 'patches') <= this.#bytes(zoneId, 'json')
      if (isShort && this.patches(zoneId) < MOST_PATCHES) return
      const zone = this.of(zoneId)
      if (zone?.version !== version) return
      await writeWhole(this.#file(zoneId, 'json'), JSON.stringify(zone))
    } catch {
      // The patch is kept all the same; the next one tries again.
      return
    }
    // Ended before this, they do not fit on the whole any more.
    fs.rmSync(this.#file(zoneId, 'patches'), { force: true })
  }

  #bytes(zoneId: string, part: 'json' | 'patches'): number {
    return fs.statSync(this.#file(zoneId, part), { throwIfNoEntry: false })?.size ?? 0
  }

  #removePatches(zoneId: string): void {
    for (const part of ['patches', 'patch'] as const) fs.rmSync(this.#file(zoneId, part), { force: true })
    this.#since.delete(zoneId)
  }

  forget(zoneId: string): void {
    this.#let(zoneId)
    fs.rmSync(this.#file(zoneId, 'json'), { force: true })
    this.#removePatches(zoneId)
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
    if (!zone) return null
    const patches = [...this.#lines(zoneId, 'patches'), ...this.#lines(zoneId, 'patch')]
    // One that does not fit is older than the whole, or was cut off: the process ended between the two.
    return patches.reduce((now, text) => {
      const patch = parsed(text, DnsZonePatch.parse)
      return (patch && patchedZone(now, patch)) ?? now
    }, zone)
  }

  #lines(zoneId: string, part: 'patches' | 'patch'): string[] {
    const file = this.#file(zoneId, part)
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  }

  #parsed<T>(zoneId: string, part: 'json' | 'patch', parse: (value: unknown) => T): T | null {
    const file = this.#file(zoneId, part)
    return fs.existsSync(file) ? parsed(fs.readFileSync(file, 'utf8'), parse) : null
  }

  #file(zoneId: string, part: 'json' | 'patches' | 'patch'): string {
    return path.join(this.#folder, `${safeFileName(zoneId)}.${part}`)
  }
}

function parsed<T>(text: string, parse: (value: unknown) => T): T | null {
  try {
    return parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Puts what came since on the document that is held; false where it does not fit on it. */
function takePatch(held: Held): boolean {
  if (!held.patch) return true
  const zone = patchedZone(held.zone, held.patch)
  if (!zone) return false
  notePatched(held.zone, zone, held.patch)
  Object.assign(held, { zone, patch: null })
  return true
}
