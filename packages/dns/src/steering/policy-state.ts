import { decide, lotOf, policyIndex, projectLocation, sharesOf, type PolicyIndex } from '@fairway/domain/lean'
import type { Location, ScoresSnapshot, SteeringPolicy, Visitor } from '@fairway/contract'
import type { Client } from '../answer/client.ts'
import { CidrTree } from './cidr-tree.ts'
import { DecisionTable } from './decision-table.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import { relevanceOf, type Relevance } from './relevance.ts'
import type { Decider, ReadyDecision } from './decider.ts'

export type Measurements = { scores: ScoresSnapshot | null; now: number }
/** The measurements of an organisation, newest: one object for as long as the process lives. */
export type Measured = { measurements: Measurements }
/** Told of what the like of a visitor (`key`) gets from now on. */
export type Chose = (key: string, cdnId: string) => void
export type LocationOf = (place: number, network: number) => Location

/**
 * Shares of visitors that fit beside a region into one number; a policy with more of them is decided by the visitor's
 * key.
 */
const SHARES_TOLD_APART = 10

/** Clients can make up subnets at will: what is remembered for them is bounded. */
const KINDS_REMEMBERED = 100_000
const KEYS_REMEMBERED = 10_000

type Chosen = { cdnId: string; round: number }

/**
 * The decisions of one policy. `decide` of the domain is called once for each kind of visitor after each change of
 * measurements;
 * place, network and CIDR region of a client, all numbers and only as fine as this policy tells them apart, lead to
 * what it decided.
 */
export class PolicyState implements Decider {
  readonly policy: SteeringPolicy
  /** Counts calls of `decide`, for the metrics. */
  decisions = 0
  readonly #tree: CidrTree
  readonly #locationOf: LocationOf
  readonly #places: PlaceNumbers
  readonly #chose: Chose
  readonly #measured: Measured
  #relevance: Relevance
  /** Of a network met since the last change, whether the policy knows it. */
  #networks = new Map<number, boolean>()
  #measurements: Measurements | null = null
  #index: PolicyIndex
  #known = new DecisionTable<ReadyDecision>()
  #byKey = new Map<string, ReadyDecision>()
  /** What the like of a visitor got before, for stability, and under which measurements; what was asked last, last. */
  #previous = new Map<string, Chosen>()
  /** Counts changes of measurements. */
  #round = 0
  /** What told visitors apart before the last change. */
  #formerIndex: PolicyIndex

  constructor(policy: SteeringPolicy, measured: Measured, locationOf: LocationOf, places: PlaceNumbers, chose: Chose) {
    this.policy = policy
    this.#measured = measured
    this.#chose = chose
    this.#places = places
    this.#relevance = relevanceOf(policy, null)
    this.#locationOf = locationOf
    this.#index = policyIndex(policy, null)
    this.#formerIndex = this.#index
    this.#tree = new CidrTree(this.#index.cidrs)
  }

  /** Takes over what another version of the policy chose before, so that an edit elsewhere does not undo stability. */
  inherit(former: PolicyState): void {
    if (this.#previous.size > 0) return
    this.#previous = new Map(former.#previous)
    this.#round = former.#round
  }

  /**
   * What another process of this node chose: it is the choice before for the next decision here too, unless ours goes
   * first; then it is told again.
   */
  hear(key: string, cdnId: string, oursFirst: boolean): void {
    const own = this.#previous.get(key)?.cdnId
    if (own === undefined || !oursFirst) this.#remember(key, cdnId)
    else if (own !== cdnId) this.#chose(key, own)
  }

  decide(client: Client): ReadyDecision {
    const { measurements } = this.#measured
    if (measurements !== this.#measurements) this.#restart(measurements)
    let region = this.#tree.isEmpty ? 0 : this.#tree.region(client.bytes, client.family, client.knownBits)
    const { shares } = this.#index
    if (shares.length > SHARES_TOLD_APART) return this.#byVisitor(this.visitor(client), measurements)
    if (shares.length > 0) region = region * 2 ** shares.length + sharesOf(lotOfClient(client), shares)
    const place = this.#places.of(client.hit.place, this.#relevance.grain)
    const network = this.#network(client)
    const known = this.#known.get(region, place, network)
    if (known) return known
    const ready = this.#byVisitor(this.visitor(client), measurements)
    if (this.#known.size >= KINDS_REMEMBERED) this.#known = new DecisionTable<ReadyDecision>()
    this.#known.set(region, place, network, ready)
    return ready
  }

  /** The client as the domain sees it. */
  visitor(client: Client): Visitor {
    return {
      address: client.address(),
      prefixLength: client.knownBits,
      location: this.#locationOf(client.hit.place, client.hit.network),
    }
  }

  /** The number of a client's network when it can matter, else 0. */
  #network({ hit }: Client): number {
    const { networks } = this.#relevance
    if (networks === null) return hit.network
    if (networks.size === 0) return 0
    let matters = this.#networks.get(hit.network)
    if (matters === undefined) {
      matters = networks.has(`AS${this.#locationOf(hit.place, hit.network).asn}`)
      this.#networks.set(hit.network, matters)
    }
    return matters ? hit.network : 0
  }

  #restart(measurements: Measurements): void {
    this.#measurements = measurements
    this.#round++
    this.#formerIndex = this.#index
    this.#index = policyIndex(this.policy, measurements.scores)
    this.#relevance = relevanceOf(this.policy, measurements.scores)
    this.#networks = new Map()
    this.#known = new DecisionTable<ReadyDecision>()
    this.#byKey = new Map()
    if (this.#previous.size > KEYS_REMEMBERED)
      this.#previous = new Map([...this.#previous].slice(-Math.floor(KEYS_REMEMBERED / 2)))
  }

  #remember(key: string, cdnId: string): void {
    this.#previous.delete(key)
    this.#previous.set(key, { cdnId, round: this.#round })
  }

  /**
   * What the like of a visitor got last. Places come and go among the measured ones as samples come in: then the likes of
   * a visitor are others, and what it got as one of the former counts when that is newer than what the new ones did.
   */
  #chosenBefore(key: string, visitor: Visitor): string | null {
    const own = this.#previous.get(key)
    const former = this.#previous.get(projectLocation(this.#formerIndex, visitor))
    return (former !== undefined && (own === undefined || former.round > own.round) ? former : own)?.cdnId ?? null
  }

  #byVisitor(visitor: Visitor, { scores, now }: Measurements): ReadyDecision {
    const key = projectLocation(this.#index, visitor)
    const known = this.#byKey.get(key)
    if (known) return known
    this.decisions++
    const ready = makeReady(
      this.policy,
      decide({ policy: this.policy, scores, visitor, previous: this.#chosenBefore(key, visitor), now }),
    )
    const only = ready.decision.shares.length === 1 ? ready.decision.shares[0] : undefined
    const told = this.#previous.get(key)?.cdnId
    if (!only) this.#previous.delete(key)
    else {
      this.#remember(key, only.cdnId)
      if (told !== only.cdnId) this.#chose(key, only.cdnId)
    }
    if (this.#byKey.size >= KEYS_REMEMBERED) this.#byKey.clear()
    this.#byKey.set(key, ready)
    return ready
  }
}

function lotOfClient({ bytes, family }: Client): number {
  const word = (at: number) =>
    ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  return lotOf(family, word(0), word(4))
}

function makeReady(policy: SteeringPolicy, decision: ReadyDecision['decision']): ReadyDecision {
  const place = (cdnId: string) => policy.cdns.findIndex((cdn) => cdn.cdnId === cdnId)
  let sum = 0
  return {
    decision,
    chosen: decision.shares.map((share) => place(share.cdnId)),
    upTo: decision.shares.map((share) => (sum += share.percent)),
    ordered: decision.ordered.map(place),
    ttlSeconds: decision.ttlSeconds,
    byPlace: decision.dependsOn.location,
    cidrBits: decision.dependsOn.cidrPrefixLength ?? 0,
    strategyId: decision.strategyId,
  }
}
