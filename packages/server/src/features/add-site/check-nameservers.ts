import { LIMITS, type NsReason } from '@fairway/contract'
import { delegationProblem, delegationRequirements } from '@fairway/domain'
import { DnsClient, type DnsReply, type Tx } from '@fairway/platform'
import { houseZones } from '../names/house-zones.ts'
import { isOurServer, seeProof } from '../names/see-proof.ts'
import { type Look, settleClaim } from '../names/settle-claim.ts'
import { claimOf, databaseNow } from '../names/store.ts'
import { nameserversOf } from '../../publish/nameservers.ts'
import { endIncident, notify } from '../notifications/notify.ts'
import { keysOf } from '../dnssec/store.ts'
import { isDsOf } from '../dnssec/zone-keys.ts'
import {
  addressesOf,
  admitted,
  ownNameservers,
  resolverOf,
  serversOf,
  type Asker,
  type Resolver,
} from './old-nameservers.ts'
import type { TaskNeeds } from './task-needs.ts'
import type { TaskEnd } from './task-store.ts'

export type DelegationSeen = {
  parent: string | null
  delegation: { name: string; glue: string[] }[]
  hasDs: boolean
  answered: boolean
  /** The parent's own servers said so, and none of them is ours: only this proves anything. */
  byParent: boolean
  ds: { ds: string[]; ttlSeconds: number } | null
}
export type NameserverResult = DelegationSeen & {
  reason: NsReason | null
  checkedAt: string
  requirements: ReturnType<typeof delegationRequirements>
  serials: { name: string; serial: number | null }[]
  /** The token was seen at the present DNS; null when nobody has answered, or it was not looked for. */
  proofSeen: boolean | null
}

const SOON_SECONDS = 2
const LATER_SECONDS = 15
const HOURLY_SECONDS = 3_600
/** A delegation that has led to us for a day. */
const DAILY_SECONDS = 86_400
const MOST_PARENTS = 4

/**
 * One look at the delegation. Until the site is verified it looks again and again, for ten minutes after it was asked
 * to; then once an hour, since a delegation may change, and once a day when it was right a day after it was asked to.
 */
export async function checkNameservers({ config, gate, database, task }: TaskNeeds): Promise<TaskEnd> {
  if (task.zone_status === 0) return { state: 'done' }
  const asker = { config, gate, organizationId: task.organization_id }
  const seen = await seeDelegation(asker, task.domain_name)
  const named = seen.delegation.map(({ name }) => name)
  const { global, china } = nameserversOf(config, task)
  const house = ownNameservers(config, await database.system((tx) => houseZones(tx, config)))
  // Delegations that were made before a partner had names of its own go on.
  const pair = [...new Set([...global, ...nameserversOf(config, { ...task, service_domain: null }).global])]
  const ours = [...pair, ...china, ...nameserversOf(config, { ...task, service_domain: null }).china]
  const reason = seen.answered ? reasonOf(named, ours, house) : 'parentAway'
  const keys = await database.system((tx) => keysOf(tx, task.site_id))
  const foreignKeys =
    seen.ds?.ds.filter(
      (ds) => !keys.some(({ tag, public_key }) => isDsOf(ds, task.domain_name, { tag, publicKey: public_key })),
    ).length ?? null
  const { addresses, serials } = await askOurs(
    asker,
    task.domain_name,
    named.filter((name) => house.includes(name)),
  )
  const requirements = delegationRequirements({
    delegation: seen.delegation,
    ours,
    addresses,
    serials,
    foreignKeys,
  })
  const proofSeen =
    config.domainProof === 'off' || !seen.byParent || named.some((name) => house.includes(name))
      ? null
      : await seeProof(asker, task.domain_name, named, task.proof_token)
  const result: NameserverResult = {
    ...seen,
    hasDs: (foreignKeys ?? 0) > 0,
    reason,
    requirements,
    serials,
    proofSeen,
    checkedAt: new Date().toISOString(),
  }
  const leads = leadsTo(named, pair, house)
  const look: Look = {
    parent: seen.byParent ? 'asked' : 'away',
    leads,
    tokenSeen: proofSeen === true ? task.proof_token : null,
    isFirst: task.result['checkedAt'] === undefined,
  }
  const now = await database.system(databaseNow)
  // What was asked by a clock that was ahead is not new until then.
  const sinceMs = Math.abs(now.getTime() - task.requested_at.getTime())
  const isThere = await database.system((tx) => settleClaim(tx, config, task.site_id, look, now))
  if (!isThere) return { state: 'done' }
  // A parent that does not answer has not changed its mind.
  if (reason !== 'parentAway') await database.system((tx) => settleDelegation(tx, task, reason, sinceMs))
  const wasRight = task.result['reason'] === null && task.result['checkedAt'] !== undefined
  const isSteady =
    reason === null &&
    wasRight &&
    sinceMs > DAILY_SECONDS * 1_000 &&
    (await database.system((tx) => claimOf(tx, task.site_id)))?.claim === 'proven'
  const dueInSeconds = isSteady
    ? DAILY_SECONDS
    : reason === null || sinceMs > LIMITS.nameserverCheckMs
      ? HOURLY_SECONDS
      : sinceMs < 60_000
        ? SOON_SECONDS
        : LATER_SECONDS
  return { state: 'waiting', result, dueInSeconds }
}

/** The pair's two names and no other of ours: any other would have said the same for somebody else. */
function leadsTo(named: readonly string[], pair: readonly string[], house: readonly string[]): Look['leads'] {
  const known = named.filter((name) => house.includes(name) && !isChina(name))
  const isOfHouse = named.some((name) => house.includes(name))
  // A partner's names and the house's stand for the same two positions.
  const positions = new Set(known.map((name) => pair.indexOf(name) % 2))
  if (known.length > 0 && known.every((name) => pair.includes(name)))
    return positions.size === 2 ? 'to-pair' : 'to-part-of-pair'
  return isOfHouse ? 'to-others-of-ours' : 'elsewhere'
}

/** The names of the China set are everybody's: beside a pair they do no harm, by themselves they prove nothing. */
const isChina = (name: string): boolean => /^cn\d+\./.test(name)

function reasonOf(named: readonly string[], ours: readonly string[], house: readonly string[]): NsReason | null {
  const problem = delegationProblem(named, ours)
  // Two pairs may have a name in common.
  return problem !== null && named.some((name) => house.includes(name) && !ours.includes(name)) ? 'otherPair' : problem
}

/**
 * What is seen becomes the site's state, and people are told what has changed: verified, lost, or not there when the
 * ten minutes are over.
 */
async function settleDelegation(
  tx: Tx,
  { site_id: siteId, organization_id: organizationId, domain_name: site }: TaskNeeds['task'],
  reason: NsReason | null,
  sinceMs: number,
): Promise<void> {
  const incident = `nameservers:${siteId}`
  const changed = await tx.query(
    `UPDATE site SET dns_state = $2 WHERE id = $1 AND zone_status <> 0 AND dns_state <> $2 RETURNING id`,
    [siteId, reason === null ? 'verified' : 'pending'],
  )
  if (reason === null) {
    if (!(await endIncident(tx, organizationId, incident)) && changed.length)
      await notify(tx, { organizationId, siteId, event: 'nameservers-verified', fields: { site } })
  } else if (changed.length)
    await notify(tx, { organizationId, siteId, event: 'nameservers-lost', fields: { site, reason }, incident })
  else if (sinceMs > LIMITS.nameserverCheckMs)
    await notify(tx, { organizationId, siteId, event: 'nameservers-failed', fields: { site, reason }, incident })
}

/** Addresses of the named nameservers of ours as the world resolves them, and the serials that they answer there. */
async function askOurs(
  asker: Asker,
  zone: string,
  named: readonly string[],
): Promise<{ addresses: Map<string, string[]>; serials: NameserverResult['serials'] }> {
  const resolver = resolverOf(asker.config)
  const addresses = new Map<string, string[]>()
  const serials = await Promise.all(
    named.map(async (name) => {
      const found = [
        ...(await resolver.resolve4(name).catch(() => [])),
        ...(await resolver.resolve6(name).catch(() => [])),
      ]
      if (found.length > 0) addresses.set(name, found)
      return { name, serial: await serialAt(asker, zone, found[0]) }
    }),
  )
  return { addresses, serials }
}

async function serialAt(asker: Asker, zone: string, address: string | undefined): Promise<number | null> {
  const [peer] = address === undefined ? [] : await admitted(asker, [address])
  if (!peer) return null
  await using client = new DnsClient(peer, { timeoutMs: 1_000 })
  const reply = await client.ask(zone, 'SOA')
  const soa = reply?.authoritative ? reply.answers.find(({ type }) => type === 'SOA') : undefined
  const serial = Number(soa?.rdata.split(' ')[2] ?? Number.NaN)
  return Number.isInteger(serial) ? serial : null
}

/**
 * What the parent's own servers say, so that nobody's cache is in the way; the resolver when none of them can be asked.
 */
export async function seeDelegation(asker: Asker, zone: string): Promise<DelegationSeen> {
  const resolver = resolverOf(asker.config)
  const parent = await parentOf(resolver, zone)
  for (const peer of await admitted(asker, parent?.addresses.slice(0, MOST_PARENTS) ?? [])) {
    await using client = new DnsClient(peer)
    const reply = await client.ask(zone, 'NS')
    if (!reply || !saysOf(reply, zone)) continue
    const byParent = !(await isOurServer(asker.config, client))
    const ds = dsIn(await client.ask(zone, 'DS'), zone)
    return {
      parent: parent?.name ?? null,
      delegation: delegationIn(reply, zone),
      hasDs: (ds?.ds.length ?? 0) > 0,
      ds,
      answered: true,
      byParent,
    }
  }
  const names = await serversOf(resolver, zone)
  return {
    parent: parent?.name ?? null,
    delegation: (names ?? []).map((name) => ({ name: name.toLowerCase(), glue: [] })).sort(byName),
    hasDs: false,
    ds: null,
    answered: names !== null,
    byParent: false,
  }
}

/**
 * Whether it says how a zone is delegated, or that it is not: with authority, or by a referral to the very zone. One to
 * a zone in between (RFC 1034 4.3.2) knows neither.
 */
function saysOf(reply: DnsReply, zone: string): boolean {
  if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN') return false
  return reply.authoritative || delegationIn(reply, zone).length > 0
}

/** The DS records of a zone and their lifetime; null when the parent did not say: that there is none takes authority. */
function dsIn(reply: DnsReply | null, zone: string): DelegationSeen['ds'] {
  if (reply?.rcode !== 'NOERROR' && reply?.rcode !== 'NXDOMAIN') return null
  const own = reply.answers.filter(({ type, name }) => type === 'DS' && name === zone)
  if (own.length === 0 && !reply.authoritative) return null
  return { ds: own.map(({ rdata }) => rdata), ttlSeconds: Math.max(0, ...own.map(({ ttlSeconds }) => ttlSeconds)) }
}

/**
 * The zone above, which need not be one label above, and where its servers are. Null as soon as the resolver does not
 * know whether a name is a zone: the one above it would deny what this one delegates.
 */
async function parentOf(resolver: Resolver, zone: string): Promise<{ name: string; addresses: string[] } | null> {
  const labels = zone.split('.')
  for (let cut = 1; cut <= labels.length; cut++) {
    const name = labels.slice(cut).join('.')
    const servers = await serversOf(resolver, name === '' ? '.' : name)
    if (servers === null) return null
    if (servers.length === 0) continue
    const addresses = await Promise.all(
      servers
        .sort()
        .slice(0, MOST_PARENTS)
        .map((server) => addressesOf(resolver, server)),
    )
    return { name: name === '' ? '.' : name, addresses: addresses.flat() }
  }
  return null
}

/** A referral has the delegation in its authority section; a server that has both zones answers with it. */
function delegationIn(
  { answers, authorities, additionals }: DnsReply,
  zone: string,
): { name: string; glue: string[] }[] {
  const names = [...answers, ...authorities]
    .filter(({ type, name }) => type === 'NS' && name === zone)
    .map(({ rdata }) => rdata.replace(/\.$/, ''))
  const glueOf = (name: string) =>
    additionals
      .filter((record) => record.name === name && (record.type === 'A' || record.type === 'AAAA'))
      .map(({ rdata }) => rdata)
  return [...new Set(names)].map((name) => ({ name, glue: glueOf(name) })).sort(byName)
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)
