import { decide } from '@fairway/domain/lean'
import type { Decision, ScoresSnapshot, SteeringPolicy } from '@fairway/contract'
import type { Client } from '../answer/client.ts'
import type { Segment } from '../segment/segment.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'
import { FlatTable } from './flat-table.ts'
import { withVerdicts, type Verdicts } from './own-verdicts.ts'
import { PolicyState, type LocationOf, type Measured } from './policy-state.ts'
import { PlaceNumbers } from './place-numbers.ts'
import type { Xorshift } from './random.ts'
import type { FlatRecords, Steerer } from './steerer.ts'
import type { ReadyDecision } from './decider.ts'

/** What the like of a visitor gets under a policy. */
export type Choice = { policyId: string; key: string; cdnId: string }
/** `chose` is told of choices that are new, for other processes of the node. */
export type SteeringOptions = {
  locationOf: LocationOf
  clock: () => number
  random: Xorshift
  chose?: (choice: Choice) => void
}

type Organization = Measured & { scores: ScoresSnapshot | null; verdicts: Verdicts | null }

/**
 * Measures age without any news, so a decision is not kept longer than this. They do so at round times, the same in
 * every process of a node.
 */
const DECISION_LIFETIME_MS = 5_000

/** Policies and measurements of everything served here, and the decisions they lead to. */
export class Steering implements Steerer {
  readonly flat: FlatTable
  readonly #options: SteeringOptions
  readonly #organizations = new Map<string, Organization>()
  readonly #policies = new Map<string, { state: PolicyState; users: number }>()
  readonly #places: PlaceNumbers
  #decided = 0

  constructor(options: SteeringOptions) {
    this.#options = options
    this.#places = new PlaceNumbers(options.locationOf)
    this.flat = new FlatTable(options.clock)
  }

  /** Calls of the domain's `decide` so far. */
  get decisions(): number {
    return [...this.#policies.values()].reduce((sum, { state }) => sum + state.decisions, this.#decided)
  }

  /** Newest measurements by organisation. */
  scores(): ScoresSnapshot[] {
    return [...this.#organizations.values()].flatMap(({ scores }) => scores ?? [])
  }

  setScores(scores: ScoresSnapshot): void {
    this.#renew(scores.organizationId, { scores })
  }

  removeScores(organizationId: string): void {
    this.#renew(organizationId, { scores: null })
  }

  /** What this node's own probes say, by organisation. The same word again only makes the old one last. */
  setVerdicts(organizationId: string, verdicts: Verdicts): void {
    const known = this.#organizations.get(organizationId)
    if (known?.verdicts && JSON.stringify(known.verdicts.cdns) === JSON.stringify(verdicts.cdns))
      known.verdicts = verdicts
    else this.#renew(organizationId, { verdicts })
  }

  /** To be called about once a second: lets decisions age with the clock even when no news come. */
  tick(): void {
    const now = roundDown(this.#options.clock())
    for (const [id, { measurements }] of this.#organizations)
      // Far ahead is a clock that was put back since.
      if (measurements.now < now || measurements.now - now > 2 * DECISION_LIFETIME_MS) this.#renew(id, {}, now)
  }

  /** Choices of another process of this node; with `oursFirst` it is that one which gives in where both have one. */
  hear(choices: readonly Choice[], oursFirst: boolean): void {
    for (const { policyId, key, cdnId } of choices) this.#policies.get(policyId)?.state.hear(key, cdnId, oursFirst)
  }

  /** Follows a change of zone: policies that came are made ready, those that nobody uses any more are forgotten. */
  swapped(former: Segment | undefined, present: Segment | undefined): void {
    if (former === present) return
    for (const entry of present?.steered ?? [])
      this.#use(
        entry,
        former?.steered.find((old) => old.name === entry.name),
      )
    for (const entry of former?.steered ?? []) this.#leave(entry)
  }

  decide(entry: SteeredEntry, client: Client): ReadyDecision {
    if (!entry.decider) throw new Error(`policy ${entry.policy.id} is not in use`)
    return entry.decider.decide(client)
  }

  pick(decision: ReadyDecision): number {
    const { chosen, upTo } = decision
    if (chosen.length <= 1) return chosen[0] ?? -1
    const at = this.#options.random.next() * 100
    for (let i = 0; i < chosen.length - 1; i++) if (at < (upTo[i] ?? 0)) return chosen[i] ?? -1
    return chosen.at(-1) ?? -1
  }

  chance(): number {
    return this.#options.random.next()
  }

  flattened(cname: Uint8Array, type: number): FlatRecords | null {
    return this.flat.find(cname, type)
  }

  /**
   * The decision a client gets under a steered name, with its own place in the trace; with `draft` in place of the
   * name's policy.
   */
  explain(entry: SteeredEntry, client: Client, draft?: SteeringPolicy): { decision: Decision; decidedAt: number } {
    const live = this.decide(entry, client)
    const { measurements } = this.#organization(entry.policy.organizationId)
    const visitor = this.#state(entry.policy).visitor(client)
    if (!draft)
      return {
        decision: { ...live.decision, trace: { ...live.decision.trace, location: visitor.location } },
        decidedAt: measurements.now,
      }
    this.#decided++
    const previous = live.decision.shares.length === 1 ? (live.decision.shares[0]?.cdnId ?? null) : null
    return {
      decision: decide({ policy: draft, scores: measurements.scores, visitor, previous, now: measurements.now }),
      decidedAt: measurements.now,
    }
  }

  /** When the measurements that decisions under this name are made by were taken over, epoch ms. */
  measuredAt(entry: SteeredEntry): number {
    return this.#organization(entry.policy.organizationId).measurements.now
  }

  #state(policy: SteeringPolicy): PolicyState {
    const known = this.#policies.get(policy.id)
    if (!known) throw new Error(`policy ${policy.id} is not in use`)
    return known.state
  }

  #use(entry: SteeredEntry, former: SteeredEntry | undefined): void {
    const known = this.#policies.get(entry.policy.id)
    if (known) {
      known.users++
      entry.decider = known.state
      return
    }
    const state = new PolicyState(
      entry.policy,
      this.#organization(entry.policy.organizationId),
      this.#options.locationOf,
      this.#places,
      (key, cdnId) => this.#options.chose?.({ policyId: entry.policy.id, key, cdnId }),
    )
    const before = former && this.#policies.get(former.policy.id)
    if (before) state.inherit(before.state)
    this.#policies.set(entry.policy.id, { state, users: 1 })
    entry.decider = state
  }

  #leave(entry: SteeredEntry): void {
    const policyId = entry.policy.id
    const known = this.#policies.get(policyId)
    entry.decider = null
    if (!known || --known.users > 0) return
    this.#decided += known.state.decisions
    this.#policies.delete(policyId)
  }

  #organization(id: string): Organization {
    return this.#organizations.get(id) ?? this.#renew(id, {}, roundDown(this.#options.clock()))
  }

  #renew(
    id: string,
    news: Partial<Pick<Organization, 'scores' | 'verdicts'>>,
    now = this.#options.clock(),
  ): Organization {
    const known = this.#organizations.get(id)
    const { scores, verdicts } = { scores: null, verdicts: null, ...known, ...news }
    const renewed = { scores, verdicts, measurements: { scores: withVerdicts(id, scores, verdicts, now), now } }
    // Its policies hold it: it stays the same object.
    if (known) return Object.assign(known, renewed)
    this.#organizations.set(id, renewed)
    return renewed
  }
}

const roundDown = (now: number): number => now - (now % DECISION_LIFETIME_MS)
