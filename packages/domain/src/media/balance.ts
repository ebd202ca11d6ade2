import type {
  BalancerMode,
  Decision,
  ScoresSnapshot,
  SteeringPolicy,
  StrategyRule,
  StreamBalance,
  StreamPathway,
  Visitor,
} from '@fairway/contract'
import { USUAL_THRESHOLD } from '../health/condition.ts'
import { decide } from '../steering/decide.ts'
import { ENTRY_PATHWAY } from './balanced-playlist.ts'

/** Seconds after which a player asks again: a CDN that dies is left after no more than this and a segment. */
export const STEERING_TTL_SECONDS = 10

export type BalanceEntry = { pathway: string; name: string; host: string; weight: number; enabled: boolean }

/** Ids of the strategies of a balancer; the console has their words. */
export const BALANCER_STRATEGIES = { measured: 'measured', weights: 'weights' } as const

/** A balancer as a policy like that of any steered name. */
export function balancePolicy(
  of: { balancerId: string; organizationId: string; mode: BalancerMode },
  entries: readonly BalanceEntry[],
): SteeringPolicy {
  const rule = (id: string, more: Pick<StrategyRule, 'method' | 'availabilityThreshold'>): StrategyRule => ({
    id,
    name: id,
    priority: 2,
    enabled: true,
    filter: { places: [], networks: [], cidrs: [] },
    targets: entries.map(({ pathway, weight }) => ({ cdnId: pathway, weight })),
    omitRum: false,
    omitSum: false,
    requireAllData: false,
    ...more,
  })
  const measured = rule(BALANCER_STRATEGIES.measured, {
    method: 'best-latency',
    availabilityThreshold: USUAL_THRESHOLD,
  })
  return {
    id: of.balancerId,
    organizationId: of.organizationId,
    cdns: entries.map(({ pathway, name, host, enabled }) => ({
      cdnId: pathway,
      name,
      enabled,
      serving: true,
      cname: host,
      latencyFactor: 1,
      latencyAddMs: 0,
    })),
    strategies: [
      ...(of.mode === 'measured' ? [{ ...measured, priority: 1 }] : []),
      rule(BALANCER_STRATEGIES.weights, { method: 'weighted-distribution', availabilityThreshold: null }),
    ],
    vsrRules: [],
    settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 30 },
  }
}

export const POINTS = 2 ** 32

/**
 * The draw of the next session. Golden steps spread any run of sessions evenly, so that shares keep to the weights far
 * closer than chance would.
 */
export const nextPoint = (point: number): number => (point + 0x9e3779b9) >>> 0

/**
 * All pathways in a session's own order: the first by weight, the next by weight among those left, and so on. Whoever
 * is taken out moves its own sessions only, and they spread by weight.
 */
export function drawOrder(point: number, among: readonly { id: string; weight: number }[]): string[] {
  const left = [...among]
  const order: string[] = []
  let draw = point / POINTS
  while (left.length > 0) {
    let at = draw * left.reduce((sum, { weight }) => sum + weight, 0)
    let index = 0
    while (index < left.length - 1 && at >= (left[index]?.weight ?? 0)) at -= left[index++]?.weight ?? 0
    const [drawn] = left.splice(index, 1)
    if (!drawn) break
    order.push(drawn.id)
    draw = Math.min(1 - Number.EPSILON, Math.max(0, at / drawn.weight))
  }
  return order
}

export type SteeringInput = {
  balance: Pick<StreamBalance, 'policy' | 'pathways'>
  scores: ScoresSnapshot | null
  visitor: Visitor
  /** The session's draw; null when nobody in particular asks. */
  point: number | null
  /** Where the player says that it is. */
  previous: string | null
  now: number
}

/**
 * What a player is told: pathways, best first, by the decision that DNS would make. Those that are down are left out,
 * unless all of them are.
 */
export function steerPlayer(input: SteeringInput): { priority: string[]; decision: Decision } {
  const { balance, scores, visitor, point, now } = input
  const isKnown = balance.pathways.some(({ id }) => id === input.previous)
  const decision = decide({
    policy: balance.policy,
    scores,
    visitor,
    previous: isKnown ? input.previous : null,
    now,
  })
  if (point === null) return { priority: rest(decision, []), decision }
  const isByWeight = decision.strategyId === BALANCER_STRATEGIES.weights
  // By the weights of all, dead ones too: so a session that had another pathway keeps it.
  const drawn = drawOrder(
    point,
    isByWeight ? balance.pathways : decision.shares.map(({ cdnId, percent }) => ({ id: cdnId, weight: percent })),
  )
  const chosen = drawn.filter((id) => decision.shares.some(({ cdnId }) => cdnId === id))
  const spare = drawOrder(point, balance.pathways).filter((id) => isAlive(decision, id))
  return { priority: [...new Set([...chosen, ...rest(decision, spare)])], decision }
}

/** After the chosen: what the decision ranks, then what is alive and was not good enough. */
const rest = (decision: Decision, spare: readonly string[]): string[] => [...new Set([...decision.ordered, ...spare])]

function isAlive({ trace }: Decision, id: string): boolean {
  const seen = trace.steps.flatMap(({ candidates }) => candidates.filter(({ cdnId }) => cdnId === id))
  return seen.every(({ hardDown, reason }) => !hardDown && reason !== 'disabled' && reason !== 'returning')
}

/** Where each of so many sessions would begin. */
export function simulateSessions(
  input: Omit<SteeringInput, 'point' | 'previous'>,
  sessions: number,
): { pathway: string; sessions: number; percent: number }[] {
  const counts = new Map(input.balance.pathways.map(({ id }) => [id, 0]))
  let point = 0
  for (let session = 0; session < sessions; session++) {
    point = nextPoint(point)
    const [first = ''] = steerPlayer({ ...input, point, previous: null }).priority
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return [...counts].map(([pathway, count]) => ({ pathway, sessions: count, percent: (100 * count) / sessions }))
}

/**
 * What players read (RFC 8216bis 7.2; DASH-IF content steering has the same form). Pathways that the player's playlist
 * does not name are told as copies of one that it does.
 */
export function steeringManifest(of: {
  priority: readonly string[]
  pathways: readonly StreamPathway[]
  /** Named by the player's playlist. */ known: readonly string[]
  ttlSeconds: number
  /** The house's, with a colon in front, for players that do not keep that of what is copied (DASH). */ port?: string
  reloadUri: string
}): Record<string, unknown> {
  const named = of.pathways.filter(({ id }) => of.known.includes(id))
  // A copy keeps the scheme, which the house's have in common. Where they have a port that is named, others need not
  // have theirs: of those a copy would lead nowhere.
  const baseOf = (isHouse = true) =>
    of.known.includes(ENTRY_PATHWAY)
      ? ENTRY_PATHWAY
      : (named.find((one) => (one.isHouse ?? true) === isHouse) ?? (of.port ? undefined : named[0]))?.id
  const added = of.pathways.filter(({ id, isHouse }) => !of.known.includes(id) && baseOf(isHouse) !== undefined)
  return {
    VERSION: 1,
    TTL: of.ttlSeconds,
    'RELOAD-URI': of.reloadUri,
    'PATHWAY-PRIORITY': of.priority,
    ...(added.length > 0
      ? {
          'PATHWAY-CLONES': added.map(({ id, host, isHouse = true }) => ({
            'BASE-ID': baseOf(isHouse),
            ID: id,
            'URI-REPLACEMENT': { HOST: `${host}${isHouse ? (of.port ?? '') : ''}` },
          })),
        }
      : {}),
  }
}
