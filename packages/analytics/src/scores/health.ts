import fs from 'node:fs'
import path from 'node:path'
import type { HealthTransition, ProbeReport, ProbeTargets } from '@fairway/contract'
import { type Check, hardFailure } from '@fairway/domain'
import type { Log } from '@fairway/platform'

type SeenCheck = Check & { error: string | null }
type CdnHealth = { organizationId: string; cdnId: string; checks: SeenCheck[]; down: boolean; since: number | null }

/** What a node's latest checks tell; older ones never count (see `hardFailure`). */
const CHECKS_KEPT = 60

/**
 * Which CDNs probes see dead, decided in memory the moment results arrive, whatever the event store does. The verdicts
 * are kept on disk, so that a collector that starts during an outage does not first
 * declare everything well.
 */
export class Health {
  readonly #cdns = new Map<string, CdnHealth>()
  readonly #file: string
  readonly #log: Log
  readonly #onTransition: (transition: HealthTransition) => void

  constructor(folder: string, log: Log, onTransition: (transition: HealthTransition) => void) {
    this.#file = path.join(folder, 'health.json')
    this.#log = log
    this.#onTransition = onTransition
    if (!fs.existsSync(this.#file)) return
    const kept = readKept(this.#file)
    for (const { organizationId, cdnId, since } of kept)
      this.#cdns.set(`${organizationId} ${cdnId}`, { organizationId, cdnId, checks: [], down: true, since })
  }

  /** Takes one node's results and tells transitions at once. */
  take({ node, results }: ProbeReport, now: number): void {
    const touched = new Set<CdnHealth>()
    for (const result of results) {
      const cdn = this.#of(result.organizationId, result.cdnId)
      cdn.checks.push({ node, at: Math.min(result.at, now), ok: result.ok, error: result.error })
      if (cdn.checks.length > CHECKS_KEPT) cdn.checks = cdn.checks.slice(-CHECKS_KEPT)
      touched.add(cdn)
    }
    for (const cdn of touched) {
      const down = hardFailure({ checks: cdn.checks, wasDown: cdn.down, now })
      if (down !== cdn.down) this.#turn(cdn, down, now, evidenceOf(cdn.checks, now, down))
    }
  }

  /**
   * CDNs that are no longer probed are forgotten; one that was down is told to be up, since nobody says otherwise any
   * more.
   */
  keepOnly({ organizationId, targets }: ProbeTargets, now: number): void {
    const probed = new Set(targets.map((target) => target.cdnId))
    for (const [key, cdn] of this.#cdns) {
      if (cdn.organizationId !== organizationId || probed.has(cdn.cdnId)) continue
      if (cdn.down) this.#turn(cdn, false, now, 'no longer probed')
      this.#cdns.delete(key)
    }
  }

  of(organizationId: string): { cdnId: string; down: boolean; since: number | null }[] {
    return [...this.#cdns.values()].filter((cdn) => cdn.organizationId === organizationId)
  }

  organizations(): Set<string> {
    return new Set([...this.#cdns.values()].map((cdn) => cdn.organizationId))
  }

  #of(organizationId: string, cdnId: string): CdnHealth {
    const key = `${organizationId} ${cdnId}`
    const known = this.#cdns.get(key)
    if (known) return known
    const fresh: CdnHealth = { organizationId, cdnId, checks: [], down: false, since: null }
    this.#cdns.set(key, fresh)
    return fresh
  }

  #turn(cdn: CdnHealth, down: boolean, now: number, evidence: string): void {
    cdn.down = down
    cdn.since = down ? now : null
    this.#onTransition({ organizationId: cdn.organizationId, cdnId: cdn.cdnId, hardDown: down, at: now, evidence })
    try {
      this.#keep()
    } catch (error) {
      // A full disk must not keep a dead CDN in the answers.
      this.#log.error({ event: 'health.not-kept', file: this.#file, err: error })
    }
  }

  #keep(): void {
    const kept = [...this.#cdns.values()]
      .filter((one) => one.down)
      .map(({ organizationId, cdnId, since }) => ({ organizationId, cdnId, since }))
    fs.mkdirSync(path.dirname(this.#file), { recursive: true })
    fs.writeFileSync(`${this.#file}.new`, JSON.stringify(kept))
    fs.renameSync(`${this.#file}.new`, this.#file)
  }
}

/** Node by node, what the newest checks said: `n1/dns: 2 failed (ECONNREFUSED)`. */
function evidenceOf(checks: SeenCheck[], now: number, down: boolean): string {
  const fresh = Map.groupBy(
    checks.filter((check) => now - check.at <= 10_000),
    (check) => check.node,
  )
  return [...fresh]
    .map(([node, own]) => {
      const newest = own.toSorted((a, b) => b.at - a.at)
      const first = newest.findIndex((check) => check.ok !== newest[0]?.ok)
      const inRow = first < 0 ? newest.length : first
      const good = newest[0]?.ok ?? !down
      return `${node}: ${inRow} ${good ? 'good' : `failed (${newest[0]?.error ?? 'no answer'})`}`
    })
    .join('; ')
    .slice(0, 500)
}

function readKept(file: string): { organizationId: string; cdnId: string; since: number | null }[] {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
    return Array.isArray(value)
      ? value.filter(
          (one): one is { organizationId: string; cdnId: string; since: number | null } =>
            typeof one?.organizationId === 'string' && typeof one?.cdnId === 'string',
        )
      : []
  } catch {
    // A damaged file costs one wrong "well" until the next probes, some seconds.
    return []
  }
}
