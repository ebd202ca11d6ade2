import { isDeepStrictEqual } from 'node:util'
import type { DnsTransfers, DnsZone, DnsZonePatch, Publication, ScoresSnapshot } from '@fairway/contract'
import { STATIC_RENEW_MS, isSignedFor } from '../dnssec/set-signatures.ts'
import type { OpenKey } from '../dnssec/zone-signer.ts'
import { type Log, NeedsWhole, type Prober } from '@fairway/platform'
import {
  PATCHED_FROM_SETS,
  ownerOfZone,
  patchedZone,
  siteOfZone,
  steeringZone,
  steeringZoneId,
} from '@fairway/domain/lean'
import { compileInTurns, notePatched, overlayHash, sourceHash } from '../segment/compile.ts'
import { foldedSegment } from '../segment/fold.ts'
import { inTurns } from '../segment/in-turns.ts'
import { compileOverlay } from '../segment/overlay.ts'
import { Segment } from '../segment/segment.ts'
import type { DnsFiles } from '../store/files.ts'
import { readTransfers, removeTransfers, writeTransfers, removeScores, writeScores } from '../store/json-files.ts'
import { type SegmentFiles, readOverlay } from '../store/segment-files.ts'
import { flatTargets } from './flat-targets.ts'
import type { WantedNames } from './flatten.ts'
import { OutsideTargets } from './outside-targets.ts'
import { BuilderKeys } from './builder-keys.ts'
import { type HeldWhole, WholeZones } from './whole-zones.ts'
import { MOST_PATCHES, ZoneDocuments } from './zone-documents.ts'
import type { Request } from './messages.ts'
import type { OwnChecks } from './own-checks.ts'
import type { Secondaries } from './secondaries.ts'
import type { ServerLink } from './server-link.ts'

export type BuilderOptions = {
  files: DnsFiles
  segments: SegmentFiles
  link: ServerLink
  prober: Pick<Prober, 'targets'>
  checks: OwnChecks
  secondaries: Secondaries
  openKey: OpenKey
  clock: () => number
  log: Log
}

/** When its signatures were made, by the clock as it was then, which a stamp need not be. */
type SignedAt = { oldest: number; newest: number }
type BuiltZone = { signedAt: SignedAt; version: number; isSigned: boolean; sourceHash: string; origin: string }

/** Scores come every few seconds; on disk they need not be that new. */
const SCORES_KEPT_EVERY_MS = 10_000

/**
 * Turns publications into what the server serves. A publication is applied when the server says that it answers by it.
 */
export class Builder {
  readonly #options: BuilderOptions
  readonly #zones = new Map<string, BuiltZone>()
  readonly #scoresKeptAt = new Map<string, number>()
  readonly #keys: BuilderKeys
  readonly #documents: ZoneDocuments
  readonly #wholes: WholeZones
  readonly #outside = new OutsideTargets()
  /** Zones that are served while an older document of them is on disk: they are built again when they come again. */
  readonly #unkept = new Set<string>()
  /** What is under way with a zone, by its site. */
  readonly #underWay = new Map<string, Promise<void>>()
  #lastBuiltAt = 0

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#keys = new BuilderKeys(options.openKey, options.clock)
    this.#documents = new ZoneDocuments(options.files.documents, options.clock)
    this.#wholes = new WholeZones(options.segments)
  }

  /** Learns what is on disk already, so that after a start nothing is built twice. */
  restore(): void {
    const { segments, files, secondaries, log } = this.#options
    for (const segment of segments.readAll((file, error) => log.warn({ event: 'segment.damaged', file, err: error })))
      this.#note(segment)
    for (const transfers of readTransfers(files.transfers, (file, error) =>
      log.warn({ event: 'transfers.damaged', file, err: error }),
    ))
      secondaries.set(transfers.organizationId, transfers, { isKnown: true })
  }

  /** @throws Error when it cannot be served; the version before it stays live. */
  async apply(publication: Publication): Promise<void> {
    const { kind, key, body } = publication
    if (kind === 'dns-zone') return this.#inTurn(key, () => this.#applyZone(publication))
    if (kind === 'scores') return body ? this.#putScores(body) : this.#removeScores(key)
    if (kind === 'dns-transfers') return this.#putTransfers(key, body)
    if (kind === 'probe-targets') {
      const targets = body ?? { organizationId: key, version: publication.version, targets: [] }
      this.#options.prober.targets(targets)
      this.#options.checks.targets(targets)
    }
  }

  async #applyZone({ key, body, patch }: Extract<Publication, { kind: 'dns-zone' }>): Promise<void> {
    if (patch) await this.#patchZone(patch)
    else if (body) await this.#putZone(body)
    else await this.#removeZone(key)
  }

  /** One thing at a time is done with a zone: a change and what is signed anew must not overtake each other. */
  #inTurn(zoneId: string, work: () => Promise<void>): Promise<void> {
    const key = siteOfZone(zoneId)
    const done = (this.#underWay.get(key) ?? Promise.resolve()).then(work)
    const ended = done.then(
      () => {},
      () => {},
    )
    this.#underWay.set(key, ended)
    void ended.then(() => this.#underWay.get(key) === ended && this.#underWay.delete(key))
    return done
  }

  /**
   * Those of different zones side by side: most of the time each waits for the disk and the server, and a name server that
   * is new has a million of them to take.
   * @throws Error when one cannot be served; all others are
   */
  async applyTogether(publications: readonly Publication[]): Promise<void> {
    const outcomes = await Promise.allSettled(publications.map((publication) => this.apply(publication)))
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    if (refused) throw refused.reason
  }

  /** Zones and lists of secondaries that are on disk. */
  held(): { kind: 'dns-zone' | 'dns-transfers'; key: string }[] {
    const zones = [...this.#zones.keys()].filter((zoneId) => !zoneId.startsWith(steeringZoneId('')))
    return [
      ...zones.map((key) => ({ kind: 'dns-zone' as const, key })),
      ...[...this.#options.secondaries.organizations()].map((key) => ({ kind: 'dns-transfers' as const, key })),
    ]
  }

  /** CDN names outside our zones whose addresses have to be known, each with an organisation that leads to it. */
  outsideTargets(): WantedNames {
    return this.#outside.all()
  }

  /** @throws NeedsWhole when what it is about is not here. */
  async #patchZone(patch: DnsZonePatch): Promise<void> {
    if (await this.#putOverlay(patch)) return
    const former = this.#zones.has(patch.zoneId) ? this.#documents.of(patch.zoneId) : null
    const zone = former && patchedZone(former, patch)
    if (!former || !zone)
      throw new NeedsWhole(`the zone of ${patch.zoneId} is not here to be patched to version ${patch.version}`)
    notePatched(former, zone, patch)
    await this.#putZone(zone, patch)
  }

  /** Makes of a patch no more than what it changes. False where that cannot be: the zone is to be compiled whole. */
  async #putOverlay(patch: DnsZonePatch): Promise<boolean> {
    const { segments } = this.#options
    const { zoneId, version } = patch
    // What cannot be made whole again from here is asked for.
    const isKept = this.#zones.has(zoneId) && this.#documents.has(zoneId) && !this.#unkept.has(zoneId)
    const held = isKept ? await this.#wholes.of(zoneId) : null
    if (!held) return false
    const { whole, file: under } = held.whole.segment.version < patch.since ? ((await this.#fold(patch)) ?? held) : held
    const { segment } = whole
    if (await this.#answersBy(zoneId, overlayHash(segment.sourceHash, patch))) return true
    const isSigned = segment.keys.length > 0
    const signing = isSigned ? this.#keys.by({ zoneId, origin: segment.originText, keys: segment.keys }) : null
    const now = this.#options.clock()
    const builtAt = this.#stamp()
    const bytes = compileOverlay(whole, patch, builtAt, signing)
    if (!bytes) return false
    const file = await segments.writeOverlay(zoneId, { version, builtAt, whole: segment.wholeBuiltAt }, bytes)
    await this.#served(zoneId, file, { kind: 'overlay', zoneId, file, whole: under })
    this.#keys.built(zoneId, { isSigned, isPart: true })
    const former = this.#zones.get(zoneId)?.signedAt
    this.#note(await readOverlay({ file, whole: under }, segment), {
      oldest: Math.min(former?.oldest ?? now, now),
      newest: Math.max(former?.newest ?? now, now),
    })
    await this.#kept(zoneId, () => this.#documents.keepPatch(patch))
    await segments.prune(zoneId)
    return true
  }

  /** What is answered becomes the whole that patches are put on: the zone was published whole without being sent. */
  async #fold({ zoneId, since }: DnsZonePatch): Promise<HeldWhole | null> {
    const { segments } = this.#options
    const files = segments.overlay(zoneId)
    const segment = files && (await readOverlay(files, undefined).catch(() => null))
    if (!segment || segment.version < since) return null
    const builtAt = this.#stamp()
    await segments.write(zoneId, segment.version, builtAt, foldedSegment(segment, builtAt))
    this.#wholes.forget(zoneId)
    return this.#wholes.of(zoneId)
  }

  async #putZone(zone: DnsZone, patch: DnsZonePatch | null = null): Promise<void> {
    if (await this.#isServed(zone)) return
    // First what the delegation leads to.
    const steering = steeringZone(zone)
    if (steering && !(await this.#isServed(steering))) await this.#build(steering)
    await this.#build(zone, patch)
    const former = steeringZoneId(zone.zoneId)
    if (!steering && this.#zones.has(former)) await this.#drop(former)
  }

  /** Signs anew what has been signed for long: a zone that nobody changes must not run out. */
  async renewSignatures(): Promise<void> {
    for (const [zoneId, { origin }] of this.#zones)
      if (this.#isToBeRenewed(zoneId))
        await this.#inTurn(zoneId, () => this.#renew(zoneId)).catch((error: unknown) =>
          this.#options.log.error({ event: 'zone.not-renewed', zone: origin, err: error }),
        )
  }

  #isToBeRenewed(zoneId: string): boolean {
    const { isSigned, signedAt } = this.#zones.get(zoneId) ?? {}
    if (!isSigned || !signedAt || this.#unkept.has(zoneId)) return false
    const stands = (at: number) => isSignedFor(at, this.#options.clock(), STATIC_RENEW_MS)
    return !stands(signedAt.oldest) || !stands(signedAt.newest)
  }

  /** @throws Error when what is answered is not here to be signed */
  async #renew(zoneId: string): Promise<void> {
    const version = this.#zones.get(zoneId)?.version
    // A change that came meanwhile may have signed it.
    if (version === undefined || !this.#isToBeRenewed(zoneId)) return
    const zone = this.#documents.of(zoneId)
    if (zone && zone.version >= version) return this.#build(zone)
    // It was lost, or not kept when the builder died. The next change has to bring the whole, and not a patch.
    this.#documents.forget(zoneId)
    throw new Error(`the document of version ${version} is not here: signatures stay until the zone changes`)
  }

  async #build(zone: DnsZone, patch: DnsZonePatch | null = null): Promise<void> {
    const { segments, clock } = this.#options
    const now = clock()
    const builtAt = this.#stamp()
    const former = zone.rrsets.length >= PATCHED_FROM_SETS ? this.#documents.former(zone) : null
    const bytes = await inTurns(compileInTurns(zone, builtAt, this.#keys.of(zone), former))
    const file = await segments.write(zone.zoneId, zone.version, builtAt, bytes)
    await this.#served(zone.zoneId, file, { kind: 'segment', file })
    this.#wholes.forget(zone.zoneId)
    this.#keys.built(zone.zoneId, { isSigned: zone.signing !== undefined, isPart: patch !== null })
    this.#note(await Segment.open(bytes), { oldest: now, newest: now })
    await this.#kept(zone.zoneId, () => this.#documents.keep(zone, former, patch))
    await segments.prune(zone.zoneId)
  }

  /** @throws Error when the disk does not take the document of what is served */
  async #kept(zoneId: string, keep: () => Promise<void>): Promise<void> {
    this.#unkept.add(zoneId)
    await keep()
    this.#unkept.delete(zoneId)
  }

  async #served(zoneId: string, file: string, request: Request): Promise<void> {
    try {
      await this.#options.link.ask(request)
    } catch (error) {
      // What the server refused must not come up at its next start.
      await this.#options.segments.remove(zoneId, file)
      throw error
    }
  }

  /** After a reconnect everything is published again: most of it is served already. */
  async #isServed(zone: DnsZone): Promise<boolean> {
    return (await this.#answersBy(zone.zoneId, sourceHash(zone))) || (await this.#isServedByPatches(zone))
  }

  /** The same where it was made of patches, and comes whole: as what is kept has it, none of it is made anew. */
  async #isServedByPatches(zone: DnsZone): Promise<boolean> {
    const served = this.#zones.get(zone.zoneId)
    if (served?.version !== zone.version) return false
    try {
      // To read so many costs more than to make it anew: a former version kept them without end.
      if (this.#documents.patches(zone.zoneId) > 2 * MOST_PATCHES) return false
      if (!isDeepStrictEqual(this.#documents.of(zone.zoneId), zone)) return false
    } catch {
      return false
    }
    return this.#answersBy(zone.zoneId, served.sourceHash)
  }

  async #answersBy(zoneId: string, hash: string): Promise<boolean> {
    if (this.#zones.get(zoneId)?.sourceHash !== hash || this.#unkept.has(zoneId)) return false
    return this.#options.link.ask({ kind: 'serves', zoneId, sourceHash: hash }).then(
      () => true,
      () => false,
    )
  }

  /** From the disk first: a zone that was taken away must not come back with a restart. */
  async #removeZone(zoneId: string): Promise<void> {
    for (const id of [zoneId, steeringZoneId(zoneId)]) await this.#drop(id)
  }

  async #drop(zoneId: string): Promise<void> {
    await this.#options.segments.remove(zoneId)
    this.#outside.remove(zoneId, this.#zones.get(zoneId)?.origin ?? '')
    this.#zones.delete(zoneId)
    this.#keys.forget(zoneId)
    this.#unkept.delete(zoneId)
    this.#wholes.forget(zoneId)
    this.#documents.forget(zoneId)
    this.#options.secondaries.gone(zoneId)
    await this.#options.link.ask({ kind: 'zone-gone', zoneId })
  }

  async #putScores(scores: ScoresSnapshot): Promise<void> {
    const { files, link, clock } = this.#options
    link.tell({ kind: 'scores', scores })
    const now = clock()
    // A clock that was ahead and is set right must not keep them from the disk until then.
    if (Math.abs(now - (this.#scoresKeptAt.get(scores.organizationId) ?? -Infinity)) < SCORES_KEPT_EVERY_MS) return
    this.#scoresKeptAt.set(scores.organizationId, now)
    await writeScores(files.scores, scores)
  }

  async #putTransfers(organizationId: string, transfers: DnsTransfers | null): Promise<void> {
    const { files, link, secondaries } = this.#options
    link.tell({ kind: 'transfers', organizationId, transfers })
    secondaries.set(organizationId, transfers)
    if (transfers) await writeTransfers(files.transfers, transfers)
    else await removeTransfers(files.transfers, organizationId)
  }

  async #removeScores(organizationId: string): Promise<void> {
    this.#options.link.tell({ kind: 'scores-gone', organizationId })
    await removeScores(this.#options.files.scores, organizationId)
  }

  /** Of one that is found on disk, no more is known than when it was built. */
  #note(segment: Segment, signedAt = { oldest: segment.madeAt, newest: segment.builtAt }): void {
    this.#lastBuiltAt = Math.max(this.#lastBuiltAt, segment.builtAt)
    this.#options.secondaries.served(segment)
    const former = this.#zones.get(segment.zoneId)
    if (former && former.origin !== segment.originText) this.#outside.remove(segment.zoneId, former.origin)
    this.#zones.set(segment.zoneId, {
      signedAt,
      version: segment.version,
      isSigned: segment.keys.length > 0,
      sourceHash: segment.sourceHash,
      origin: segment.originText,
    })
    this.#outside.put(segment.zoneId, segment.originText, ownerOfZone(segment), flatTargets(segment))
  }

  /** Always later than the stamp before, whatever the clock does: the newest file of a zone is the last one written. */
  #stamp(): number {
    this.#lastBuiltAt = Math.max(Math.floor(this.#options.clock()), this.#lastBuiltAt + 1)
    return this.#lastBuiltAt
  }
}
