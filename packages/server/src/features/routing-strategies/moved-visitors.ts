import { sampledClients, type SampledClients } from '@fairway/analytics'
import type { Decision, MovedVisitors, SteeringPolicy, Visitor } from '@fairway/contract'
import { decide } from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { newestScores } from './explain.ts'

const DAY_SECONDS = 86_400
const MOST_GROUPS = 20
/** Percent: less is a rounding of shares. */
const SAME = 0.5

type Group = MovedVisitors['groups'][number]
type Shares = Decision['shares']

/** Who asked for a domain of the site in the last day, those who ask most. @throws Failure 503 */
export async function clientsOfDay(
  { actor, site, services, now }: Context,
  domainId: string,
  most: number,
  patienceMs?: number,
): Promise<SampledClients> {
  return askStore(
    sampledClients(services.events, {
      organizationId: actor.organizationId,
      siteId: site.id,
      domainId,
      seconds: DAY_SECONDS,
      now: now.getTime(),
      most,
    }),
    patienceMs,
  )
}

/** Which of these clients one policy sends elsewhere than the other, by the same measurements. */
export async function movedVisitors(
  { tx, site, services, now }: Context,
  asked: SampledClients,
  before: SteeringPolicy,
  after: SteeringPolicy,
): Promise<MovedVisitors> {
  const scores = await newestScores(tx, site)
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
