import { sampledClients } from '@fairway/analytics'
import type { Decision, SteeringPolicy, Visitor, VsrEffect } from '@fairway/contract'
import { decide } from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { newestScores, policyOf } from '../routing-strategies/explain.ts'
import type { VsrSettings } from './store.ts'

const DAY_SECONDS = 86_400
/** Two decisions for each, within one call. */
const MOST_CLIENTS = 1000
const MOST_GROUPS = 20
/** Percent: less is a rounding of shares. */
const SAME = 0.5

type Group = VsrEffect['groups'][number]
type Shares = Decision['shares']

/**
 * Whom a rule would move: the last day's sampled clients of the domain, decided for with the saved policy and with the
 * rule in it, from the same measurements. `id` is the rule that it replaces; a new one stands last, as a saved one does.
 */
export async function vsrEffect(
  { tx, actor, site, domain, services, now }: Context,
  id: string | null,
  rule: VsrSettings,
): Promise<VsrEffect> {
  const owned = { ...domain, organization_id: site.organization_id }
  const before = await policyOf(tx, owned)
  const after = withRule(before, id, rule)
  const scores = await newestScores(tx, owned)
  const asked = await askStore(
    sampledClients(services.events, {
      organizationId: actor.organizationId,
      siteId: site.id,
      domainId: domain.id,
      seconds: DAY_SECONDS,
      now: now.getTime(),
      most: MOST_CLIENTS,
    }),
  )
  const groups = new Map<string, Group>()
  for (const { client, samples } of asked.clients) {
    const visitor = visitorAt(client, services.geo)
    const sharesBy = (policy: SteeringPolicy) =>
      decide({ policy, scores, visitor, previous: null, now: now.getTime() }).shares
    const [old, next] = [sharesBy(before), sharesBy(after)]
    if (isSame(old, next)) continue
    const { country, network } = visitor.location
    const key = JSON.stringify([country, network, old, next])
    const known = groups.get(key)
    if (known) known.samples += samples
    else groups.set(key, { country, network, samples, before: old, after: next })
  }
  const moved = [...groups.values()].sort((a, b) => b.samples - a.samples)
  return {
    samples: asked.samples,
    looked: sum(asked.clients),
    moved: sum(moved),
    groups: moved.slice(0, MOST_GROUPS),
  }
}

function withRule(policy: SteeringPolicy, id: string | null, rule: VsrSettings): SteeringPolicy {
  const entry = { ...rule, id: id ?? 'draft' }
  return {
    ...policy,
    vsrRules:
      id === null
        ? [...policy.vsrRules, entry]
        : policy.vsrRules.map((existing) => (existing.id === id ? entry : existing)),
  }
}

function visitorAt(client: string, geo: Context['services']['geo']): Visitor {
  const [address = client, bits] = client.split('/')
  return { address, prefixLength: Number(bits ?? (address.includes(':') ? 128 : 32)), location: geo.locate(address) }
}

const isSame = (before: Shares, after: Shares): boolean =>
  before.length === after.length &&
  before.every(
    ({ cdnId, percent }) =>
      Math.abs((after.find((share) => share.cdnId === cdnId)?.percent ?? Number.NEGATIVE_INFINITY) - percent) <= SAME,
  )

const sum = (rows: readonly { samples: number }[]): number => rows.reduce((total, { samples }) => total + samples, 0)
