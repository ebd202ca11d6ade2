import fs from 'node:fs'
import path from 'node:path'
import type { HealthTransition, ProbeReport, ProbeTargets } from '@fairway/contract'
import {
  CHECKS_OF_NODE,
  type Check,
  type Outage,
  type Return,
  beginReturn,
  hardFailure,
  isCheckFresh,
  stepReturn,
} from '@fairway/domain'
import type { Log } from '@fairway/platform'
import { z } from 'zod'

type SeenCheck = Check & { error: string | null }
type CdnHealth = {
  organizationId: string
  cdnId: string
  /** Each node's newest checks, newest first; whoever has been silent for longest comes first. */
  nodes: Map<string, SeenCheck[]>
  lastFailedAt: number | null
  down: boolean
  since: number | null
  /** Hard failures that are over, oldest first. */
  outages: Outage[]
  returning: Return | null
}

/** What probes know of one CDN. */
export type Verdict = Pick<CdnHealth, 'cdnId' | 'down' | 'since' | 'outages' | 'returning'> & {
  /** No probe has seen it fail lately. */
  isAlive: boolean
}

/** A window of measurements is no longer than an hour. */
const OUTAGES_KEPT_MS = 3_600_000
const OUTAGES_KEPT = 100
/** A probe's word on whether a CDN is alive counts for so long. */
const FRESH_MS = 30_000

/**
 * Which CDNs probes see dead, decided in memory the moment results arrive, whatever the event store does. The verdicts
 * are kept on disk, so that a collector that starts during an outage does not first
 * declare everything well.
 */
export class Health {
  /** By organisation and CDN. */
  readonly #cdns = new Map<string, Map<string, CdnHealth>>()
  readonly #file: string
  readonly #log: Log
  readonly #onTransition: (transition: HealthTransition) => void

  constructor(folder: string, log: Log, onTransition: (transition: HealthTransition) => void) {
    this.#file = path.join(folder, 'health.json')
    this.#log = log
    this.#onTransition = onTransition
    if (!fs.existsSync(this.#file)) return
    for (const one of readKept(this.#file)) this.#put(one)
  }

  /** Takes one node's results and tells transitions at once. */
  take({ node, results }: ProbeReport, now: number): void {
    const known = new Map<CdnHealth, readonly SeenCheck[]>()
    const turning = new Set<CdnHealth>()
    for (const { organizationId, cdnId, at: saidAt, ok, error } of results) {
      const cdn = this.#of(organizationId, cdnId)
      const at = Math.min(saidAt, now)
      // Of a clock that was ahead and is set right: nothing would be newer for as long.
      const own = cdn.nodes.get(node)?.filter((check) => check.at <= now) ?? []
      const before = known.get(cdn) ?? own
      known.set(cdn, before)
      // What this collector measured comes back to it from those who tell all collectors.
      if (before.some((check) => check.at === at)) continue
      cdn.nodes.delete(node)
      cdn.nodes.set(node, [{ at, ok, error }, ...own].sort((a, b) => b.at - a.at).slice(0, CHECKS_OF_NODE))
      if (!ok && at > (cdn.lastFailedAt ?? 0)) cdn.lastFailedAt = at
      // All nodes are looked at only when this may change anything: while all is well a check costs the same of any
      // number of nodes.
      if (ok === cdn.down) turning.add(cdn)
    }
    for (const cdn of known.keys()) dropSilent(cdn.nodes, now)
    for (const cdn of turning) {
      const down = hardFailure({ nodes: cdn.nodes.values(), wasDown: cdn.down, now })
      if (down !== cdn.down) this.#turn(cdn, down, now, evidenceOf(cdn.nodes, now, down))
    }
  }

  /**
   * CDNs that are no longer probed are forgotten; one that was down is told to be up, since nobody says otherwise any
   * more.
   */
  keepOnly({ organizationId, targets }: ProbeTargets, now: number): void {
    const probed = new Set(targets.map((target) => target.cdnId))
    const own = this.#cdns.get(organizationId)
    for (const cdn of own?.values() ?? []) {
      if (probed.has(cdn.cdnId)) continue
      if (cdn.down) this.#turn(cdn, false, now, 'no longer probed')
      own?.delete(cdn.cdnId)
    }
    if (own?.size === 0) this.#cdns.delete(organizationId)
  }

  of(organizationId: string, now: number): Verdict[] {
    const own = [...(this.#cdns.get(organizationId)?.values() ?? [])]
    for (const cdn of own) this.#cutToNow(cdn, now)
    return own.map(({ cdnId, down, since, outages, returning, lastFailedAt }) => ({
      cdnId,
      down,
      since,
      outages,
      returning,
      isAlive: !down && (lastFailedAt === null || now - lastFailedAt > FRESH_MS),
    }))
  }

  /** Lets a CDN that comes back take its next step; `holds`: what is measured of it now is good enough. */
  step(organizationId: string, cdnId: string, holds: boolean, now: number): void {
    const cdn = this.#cdns.get(organizationId)?.get(cdnId)
    if (!cdn?.returning) return
    const before = cdn.returning
    cdn.returning = stepReturn(before, now, holds)
    if (cdn.returning?.percent !== before.percent) this.#keep()
  }

  organizations(): Iterable<string> {
    return this.#cdns.keys()
  }

  #of(organizationId: string, cdnId: string): CdnHealth {
    const known = this.#cdns.get(organizationId)?.get(cdnId)
    if (known) return known
    const fresh = { organizationId, cdnId, ...unseen(), down: false, since: null, outages: [], returning: null }
    this.#put(fresh)
    return fresh
  }

  #put(one: CdnHealth): void {
    const own = this.#cdns.get(one.organizationId) ?? new Map<string, CdnHealth>()
    this.#cdns.set(one.organizationId, own.set(one.cdnId, one))
  }

  /**
   * Times of a clock that was ahead: an outage that ends in an hour would hide all that is measured until then.
   * Kept so, for one that ended anew at each look would not end before that hour.
   */
  #cutToNow(cdn: CdnHealth, now: number): void {
    if (cdn.lastFailedAt !== null && cdn.lastFailedAt > now) cdn.lastFailedAt = null
    const { since, returning, outages } = cdn
    if (Math.max(since ?? 0, returning?.since ?? 0, ...outages.map(({ until }) => until)) <= now) return
    cdn.since = since === null ? null : Math.min(since, now)
    cdn.returning = returning && { ...returning, since: Math.min(returning.since, now) }
    cdn.outages = outages
      .filter(({ from }) => from <= now)
      .map(({ from, until }) => ({ from, until: Math.min(until, now) }))
    this.#keep()
  }

  #turn(cdn: CdnHealth, down: boolean, now: number, evidence: string): void {
    this.#cutToNow(cdn, now)
    if (!down && cdn.since !== null)
      cdn.outages = [
        ...cdn.outages.filter((outage) => now - outage.until < OUTAGES_KEPT_MS),
        { from: cdn.since, until: now },
      ].slice(-OUTAGES_KEPT)
    cdn.down = down
    cdn.since = down ? now : null
    cdn.returning = down ? null : beginReturn(now)
    this.#onTransition({ organizationId: cdn.organizationId, cdnId: cdn.cdnId, hardDown: down, at: now, evidence })
    this.#keep()
  }

  #keep(): void {
    const kept: Kept = [...this.#cdns.values()]
      .flatMap((own) => [...own.values()])
      .filter((one) => one.down || one.outages.length > 0)
      .map(({ organizationId, cdnId, down, since, outages, returning }) => ({
        organizationId,
        cdnId,
        down,
        since,
        outages,
        returning,
      }))
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true })
      fs.writeFileSync(`${this.#file}.new`, JSON.stringify(kept))
      fs.renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      // A full disk must not keep a dead CDN in the answers.
      this.#log.error({ event: 'health.not-kept', file: this.#file, err: error })
    }
  }
}

const unseen = (): Pick<CdnHealth, 'nodes' | 'lastFailedAt'> => ({ nodes: new Map(), lastFailedAt: null })

/** Nodes of which nothing counts any more, so that those that are gone take no memory. */
function dropSilent(nodes: CdnHealth['nodes'], now: number): void {
  for (const [node, [newest]] of nodes) {
    if (newest && isCheckFresh(newest, now)) return
    nodes.delete(node)
  }
}

/** Node by node, what the newest checks said: `n1/dns: 2 failed (ECONNREFUSED)`. */
function evidenceOf(nodes: CdnHealth['nodes'], now: number, down: boolean): string {
  return [...nodes]
    .map(([node, checks]) => [node, checks.filter((check) => isCheckFresh(check, now))] as const)
    .filter(([, fresh]) => fresh.length > 0)
    .map(([node, fresh]) => {
      const first = fresh.findIndex((check) => check.ok !== fresh[0]?.ok)
      const inRow = first < 0 ? fresh.length : first
      const good = fresh[0]?.ok ?? !down
      return `${node}: ${inRow} ${good ? 'good' : `failed (${fresh[0]?.error ?? 'no answer'})`}`
    })
    .join('; ')
    .slice(0, 500)
}

const Kept = z.array(
  z.object({
    organizationId: z.string(),
    cdnId: z.string(),
    down: z.boolean().default(true),
    since: z.number().nullable(),
    outages: z.array(z.object({ from: z.number(), until: z.number() })).default([]),
    returning: z.object({ since: z.number(), percent: z.number(), stepAt: z.number() }).nullable().default(null),
  }),
)
type Kept = z.infer<typeof Kept>

function readKept(file: string): CdnHealth[] {
  try {
    return Kept.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).map((one) => ({ ...one, ...unseen() }))
  } catch {
    // A damaged file costs one wrong "well" until the next probes, some seconds.
    return []
  }
}
