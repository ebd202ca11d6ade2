import type { ProbeResult, ProbeTargets } from '@fairway/contract'
import { hardFailure, type Check } from '@fairway/domain/lean'
import type { Verdicts } from '../steering/own-verdicts.ts'

const CHECKS_KEPT = 12
/** Fewer checks say nothing yet: after a start, an outage already known must not be called over. */
const CHECKS_NEEDED = 3

type Cdn = { checks: Check[]; down: boolean; since: number | null }

/** What this node alone sees of the CDNs: 2 of the last 3 checks failed. Pure; times are those of the results. */
export class OwnChecks {
  readonly #organizations = new Map<string, Map<string, Cdn>>()

  /** Forgets CDNs that are not probed any more. */
  targets({ organizationId, targets }: ProbeTargets): void {
    const cdns = this.#organizations.get(organizationId)
    const kept = new Set(targets.map((target) => target.cdnId))
    for (const cdnId of cdns?.keys() ?? []) if (!kept.has(cdnId)) cdns?.delete(cdnId)
  }

  /** Takes a result; true when it turns the verdict over. */
  add({ organizationId, cdnId, at, ok }: ProbeResult): boolean {
    let cdns = this.#organizations.get(organizationId)
    if (!cdns) this.#organizations.set(organizationId, (cdns = new Map()))
    let cdn = cdns.get(cdnId)
    if (!cdn) cdns.set(cdnId, (cdn = { checks: [], down: false, since: null }))
    cdn.checks = [{ at, ok }, ...cdn.checks].slice(0, CHECKS_KEPT)
    const down = hardFailure({ nodes: [cdn.checks], wasDown: cdn.down, now: at })
    const turned = down !== cdn.down
    if (turned) cdn.since = at
    cdn.down = down
    return turned || cdn.checks.length === CHECKS_NEEDED
  }

  organizations(): string[] {
    return [...this.#organizations.keys()]
  }

  verdicts(organizationId: string): Verdicts {
    const known = [...(this.#organizations.get(organizationId) ?? [])].filter(
      ([, cdn]) => cdn.down || cdn.checks.length >= CHECKS_NEEDED,
    )
    return {
      at: Math.max(0, ...known.map(([, cdn]) => cdn.checks[0]?.at ?? 0)),
      cdns: Object.fromEntries(known.map(([cdnId, { down, since }]) => [cdnId, { down, since }])),
    }
  }
}
