import {
  type Balancer,
  type BalancerEntryInput,
  LIMITS,
  type ScoresSnapshot,
  type Visitor,
  steeringPath,
  streamBalancers,
} from '@fairway/contract'
import { STEERING_TTL_SECONDS, balancePolicy, simulateSessions } from '@fairway/domain'
import { isStreamHost, type Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import type { Services } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { houseHost, resolveEntries, type ResolvedEntry } from '../../publish/stream-balance.ts'
import { streamSiteKey } from '../../publish/stream-site.ts'
import { videosAt } from '../signed-urls/cloudfront-store.ts'
import { isSigningOn } from '../signed-urls/store.ts'
import { explainPathway, scoresOf, visitorAt } from './explain.ts'
import {
  type BalancerRow,
  type OwnCdn,
  balancerOf,
  deliveries,
  hasVideos,
  holdBalancers,
  isLiveThere,
  ownCdns,
  saveBalancer,
  siteNames,
} from './store.ts'

const ASSETS = 'assets'
const SESSIONS = 1_000

export const streamBalancersSlice = slice(streamBalancers, {
  async get({ tx, actor, services }, { source }) {
    const liveId = await liveIdOf(tx, source)
    return present(tx, services, actor.organizationId, await balancerOf(tx, actor.organizationId, liveId))
  },

  async set({ tx, actor, services, change }, { source, isOn, mode, entries }) {
    const { organizationId } = actor
    await holdBalancers(tx, organizationId)
    const liveId = await liveIdOf(tx, source)
    const cdns = await ownCdns(tx, organizationId)
    const signedHost = (await videosAt(tx))?.host ?? null
    const kept = checked(services, { organizationId, signedHost }, entries, cdns)
    if (isOn && !(await hasVideos(tx, organizationId))) throw new Failure(30015)
    const before = await balancerOf(tx, organizationId, liveId)
    const id = await saveBalancer(tx, {
      organization_id: organizationId,
      live_id: liveId,
      is_on: isOn,
      mode,
      entries: kept,
    })
    const after = await balancerOf(tx, organizationId, liveId)
    change.kinds = ['stream-balance', 'probe-targets']
    change.key = id
    // A simulated CDN has a host of its own, which comes and goes with the balancers that name it.
    const named = [before, after].flatMap((row) =>
      row ? resolveEntries(services.config, organizationId, row.entries, cdns) : [],
    )
    const slugs = named.flatMap(({ cdn }) => (cdn?.driver === 'simulated' ? [cdn.slug] : []))
    for (const slug of new Set(slugs))
      await enqueue(tx, organizationId, ['edge-site', 'edge-purges'], streamSiteKey(organizationId, slug))
    change.record({
      entity: 'stream-balancer',
      id,
      label: source === ASSETS ? ASSETS : ((await liveName(tx, source)) ?? source),
      before: before ? recordedOf(before) : null,
      after: after ? recordedOf(after) : null,
    })
    return present(tx, services, organizationId, after)
  },

  async simulate({ tx, actor, services, now }, { source, mode, entries, client }) {
    await liveIdOf(tx, source)
    const { organizationId } = actor
    const cdns = await ownCdns(tx, organizationId)
    const signedHost = (await videosAt(tx))?.host ?? null
    const kept = checked(services, { organizationId, signedHost }, entries, cdns)
    const resolved = resolveEntries(services.config, organizationId, kept, cdns)
    const scores = await scoresOf(tx, organizationId)
    const visitor = client === undefined ? null : visitorAt(services, client)
    const pathways = resolved.filter(({ enabled }) => enabled)
    return {
      sessions: SESSIONS,
      shares: simulateSessions(
        {
          balance: {
            policy: balancePolicy({ balancerId: '', organizationId, mode }, resolved),
            pathways: pathways.map(({ pathway, host, weight }) => ({ id: pathway, host, weight })),
          },
          scores,
          visitor: visitor ?? NOBODY,
          now: now.getTime(),
        },
        SESSIONS,
      ),
      visitor,
      measuredAt: scores?.builtAt ?? null,
    }
  },

  async why({ tx, actor, services, now }, { source, ...question }) {
    const row = await balancerOf(tx, actor.organizationId, await liveIdOf(tx, source))
    if (!row?.is_on) throw new Failure(30016)
    if (Object.values(question).filter((value) => value !== undefined).length !== 1)
      throw new Failure(400, { fields: [{ path: 'client', message: 'validation.required' }] })
    return explainPathway(tx, services, row, question, now.getTime())
  },
})

const NOBODY: Visitor = {
  address: '0.0.0.0',
  prefixLength: 0,
  location: { continent: '00', country: null, region: null, city: null, network: null, asn: null },
}

/** Null for the organisation's assets. @throws Failure 404 for a live stream that is not there */
async function liveIdOf(tx: Tx, source: string): Promise<string | null> {
  if (source === ASSETS) return null
  if (!isUuid(source) || !(await isLiveThere(tx, source))) throw new Failure(404)
  return source
}

async function liveName(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.query<{ name: string }>('SELECT name FROM stream_live WHERE id = $1', [id]))[0]?.name
}

/** What is kept of entries: names that we give are not. @throws Failure */
function checked(
  { config }: Services,
  { organizationId, signedHost }: { organizationId: string; signedHost: string | null },
  entries: readonly BalancerEntryInput[],
  cdns: readonly OwnCdn[],
): BalancerEntryInput[] {
  if (entries.length > LIMITS.streamCdns) throw new Failure(30005)
  if (!entries.some(({ enabled }) => enabled)) throw new Failure(30006)
  const seen = new Set<string>()
  return entries.map((entry, index) => {
    const refuse = (field: 'cdnId' | 'host', rule: string): never => {
      throw new Failure(400, { fields: [{ path: `entries.${index}.${field}`, message: `validation.${rule}` }] })
    }
    const cdn = cdns.find(({ id }) => id === entry.cdnId)
    if (entry.cdnId !== null && !cdn) refuse('cdnId', 'invalid')
    const own = cdn ? houseHost(config, organizationId, cdn) : null
    if (own !== null && entry.host !== null && entry.host !== own) refuse('host', 'ownHost')
    if (own === null && entry.host === null) refuse('host', 'required')
    if (own === null && isStreamHost(config, entry.host ?? '')) refuse('host', 'ownHost')
    // Whoever were steered there would come without a signature of it.
    if (own === null && entry.host !== null && entry.host === signedHost) refuse('host', 'signedHost')
    for (const name of [entry.cdnId, own ?? entry.host]) {
      if (name === null) continue
      if (seen.has(name)) refuse(entry.cdnId === null ? 'host' : 'cdnId', 'duplicateValue')
      seen.add(name)
    }
    return { cdnId: entry.cdnId, host: own === null ? entry.host : null, weight: entry.weight, enabled: entry.enabled }
  })
}

const recordedOf = ({ is_on, mode, entries }: BalancerRow) => ({ isOn: is_on, mode, entries })

/** What stands there before anybody has set one: our edge alone. */
const FIRST: Pick<BalancerRow, 'is_on' | 'mode' | 'entries'> = {
  is_on: false,
  mode: 'weights',
  entries: [{ cdnId: 'edge', host: null, weight: 100, enabled: true }],
}

async function present(
  tx: Tx,
  { config }: Services,
  organizationId: string,
  row: BalancerRow | undefined,
): Promise<Balancer> {
  const { is_on: isOn, mode, entries } = row ?? FIRST
  const cdns = await ownCdns(tx, organizationId)
  const resolved = resolveEntries(config, organizationId, entries, cdns)
  const sites = await siteNames(tx)
  const scores = await scoresOf(tx, organizationId)
  const siteKey = ({ cdn }: ResolvedEntry) =>
    streamSiteKey(organizationId, cdn?.driver === 'simulated' ? cdn.slug : null)
  // While addresses are signed only CDNs that check them take part.
  const isSigned = await isSigningOn(tx, organizationId)
  const taken = await deliveries(tx, [
    ...(row ? [{ kind: 'stream-balance', key: row.id, role: 'collector' as const }] : []),
    ...[...new Set(resolved.filter(({ isHouse }) => isHouse).map(siteKey))].map((key) => ({
      kind: 'edge-site',
      key,
      role: 'edge' as const,
    })),
  ])
  const stateOf = (entry: ResolvedEntry): Balancer['entries'][number]['state'] => {
    if (!isOn || !entry.enabled || !row || (isSigned && !entry.isHouse)) return 'off'
    const parts = [
      taken.get(`stream-balance ${row.id}`),
      ...(entry.isHouse ? [taken.get(`edge-site ${siteKey(entry)}`)] : []),
    ]
    if (parts.includes('failed')) return 'failed'
    return parts.every((part) => part === 'completed') ? 'completed' : 'in-progress'
  }
  return {
    isOn,
    mode,
    entries: resolved.map((entry) => ({
      pathway: entry.pathway,
      cdnId: entry.cdn?.id ?? null,
      host: entry.host,
      name: entry.name,
      siteName: sites.find((site) => entry.host === site || entry.host.endsWith(`.${site}`)) ?? null,
      weight: entry.weight,
      enabled: entry.enabled,
      state: stateOf(entry),
      health: healthOf(scores, entry.pathway),
    })),
    ttlSeconds: STEERING_TTL_SECONDS,
    serverUrl: isOn && row ? `${config.collectorUrl}${steeringPath(row.id)}` : null,
    choices: cdns.map((cdn) => ({ cdnId: cdn.id, name: cdn.name, host: houseHost(config, organizationId, cdn) })),
    limit: LIMITS.streamCdns,
  }
}

function healthOf(scores: ScoresSnapshot | null, pathway: string): Balancer['entries'][number]['health'] {
  const known = scores?.cdns[pathway]
  if (!known) return 'unknown'
  if (known.hardDown) return 'down'
  if (known.returning) return 'returning'
  // Only what has been looked at is known to be up.
  return Object.values(known.places).some(({ sum, rum }) => sum !== undefined || rum !== undefined) ? 'up' : 'unknown'
}
