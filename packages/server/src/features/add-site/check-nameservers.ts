import { LIMITS, type NsReason } from '@fairway/contract'
import { delegationProblem, delegationRequirements } from '@fairway/domain'
import { DnsClient, type Config, type DnsReply, type Tx } from '@fairway/platform'
import { endIncident, notify } from '../notifications/notify.ts'
import { keysOf } from '../dnssec/store.ts'
import { isDsOf } from '../dnssec/zone-keys.ts'
import { addressesOf, allowedAddresses, ownNameservers, resolverOf, type Resolver } from './old-nameservers.ts'
import type { TaskNeeds } from './run-tasks.ts'
import type { TaskEnd } from './task-store.ts'

export type DelegationSeen = {
  parent: string | null
  delegation: { name: string; glue: string[] }[]
  hasDs: boolean
  answered: boolean
  ds: { ds: string[]; ttlSeconds: number } | null
}
export type NameserverResult = DelegationSeen & {
  reason: NsReason | null
  checkedAt: string
  requirements: ReturnType<typeof delegationRequirements>
  serials: { name: string; serial: number | null }[]
}

const SOON_SECONDS = 2
const LATER_SECONDS = 15
const HOURLY_SECONDS = 3_600
const MOST_PARENTS = 4

/**
 * One look at the delegation. Until the site is verified it looks again and again, for ten minutes after it was asked
 * to; then once an hour, since a delegation may change.
 */
export async function checkNameservers({ config, database, task }: TaskNeeds): Promise<TaskEnd> {
  if (task.zone_status === 0) return { state: 'done' }
  const seen = await seeDelegation(config, task.domain_name)
  const reason = seen.answered
    ? delegationProblem(
        seen.delegation.map(({ name }) => name),
        ownNameservers(config),
      )
    : 'parentAway'
  const keys = await database.system((tx) => keysOf(tx, task.site_id))
  const foreignKeys =
    seen.ds?.ds.filter(
      (ds) => !keys.some(({ tag, public_key }) => isDsOf(ds, task.domain_name, { tag, publicKey: public_key })),
    ).length ?? null
  const { addresses, serials } = await askOurs(
    config,
    task.domain_name,
    seen.delegation.map(({ name }) => name),
  )
  const requirements = delegationRequirements({
    delegation: seen.delegation,
    ours: ownNameservers(config),
    addresses,
    serials,
    foreignKeys,
  })
  const result: NameserverResult = {
    ...seen,
    hasDs: (foreignKeys ?? 0) > 0,
    reason,
    requirements,
    serials,
    checkedAt: new Date().toISOString(),
  }
  // A parent that does not answer has not changed its mind.
  if (reason !== 'parentAway') await database.system((tx) => settleDelegation(tx, task, reason))
  const sinceMs = Date.now() - task.requested_at.getTime()
  const dueInSeconds =
    reason === null || sinceMs > LIMITS.nameserverCheckMs
      ? HOURLY_SECONDS
      : sinceMs < 60_000
        ? SOON_SECONDS
        : LATER_SECONDS
  return { state: 'waiting', result, dueInSeconds }
}

/**
 * What is seen becomes the site's state, and people are told what has changed: verified, lost, or not there when the
 * ten minutes are over.
 */
async function settleDelegation(
  tx: Tx,
  { site_id: siteId, organization_id: organizationId, domain_name: site, requested_at: requestedAt }: TaskNeeds['task'],
  reason: NsReason | null,
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
  else if (Date.now() - requestedAt.getTime() > LIMITS.nameserverCheckMs)
    await notify(tx, { organizationId, siteId, event: 'nameservers-failed', fields: { site, reason }, incident })
}

/** Addresses of the named nameservers of ours as the world resolves them, and the serials that they answer there. */
async function askOurs(
  config: Config,
  zone: string,
  named: readonly string[],
): Promise<{ addresses: Map<string, string[]>; serials: NameserverResult['serials'] }> {
  const resolver = resolverOf(config)
  const ours = ownNameservers(config)
  const addresses = new Map<string, string[]>()
  const serials = await Promise.all(
    named
      .filter((name) => ours.includes(name))
      .map(async (name) => {
        const found = [
          ...(await resolver.resolve4(name).catch(() => [])),
          ...(await resolver.resolve6(name).catch(() => [])),
        ]
        if (found.length > 0) addresses.set(name, found)
        return { name, serial: await serialAt(config, zone, found[0]) }
      }),
  )
  return { addresses, serials }
}

async function serialAt(config: Config, zone: string, address: string | undefined): Promise<number | null> {
  if (address === undefined || allowedAddresses(config, [address]).length === 0) return null
  await using client = new DnsClient({ host: address, port: config.nameserverPort }, { timeoutMs: 1_000 })
  const reply = await client.ask(zone, 'SOA')
  const soa = reply?.authoritative ? reply.answers.find(({ type }) => type === 'SOA') : undefined
  const serial = Number(soa?.rdata.split(' ')[2] ?? Number.NaN)
  return Number.isInteger(serial) ? serial : null
}

/**
 * What the parent's own servers say, so that nobody's cache is in the way; the resolver when none of them can be asked.
 */
export async function seeDelegation(config: Config, zone: string): Promise<DelegationSeen> {
  const resolver = resolverOf(config)
  const parent = await parentOf(resolver, zone)
  for (const address of parent ? allowedAddresses(config, parent.addresses).slice(0, MOST_PARENTS) : []) {
    await using client = new DnsClient({ host: address, port: config.nameserverPort })
    const reply = await client.ask(zone, 'NS')
    if (reply?.rcode !== 'NOERROR' && reply?.rcode !== 'NXDOMAIN') continue
    const ds = dsIn(await client.ask(zone, 'DS'), zone)
    return {
      parent: parent?.name ?? null,
      delegation: delegationIn(reply, zone),
      hasDs: (ds?.ds.length ?? 0) > 0,
      ds,
      answered: true,
    }
  }
  const names = await resolver
    .resolveNs(zone)
    .catch((error: NodeJS.ErrnoException) => (error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? [] : null))
  return {
    parent: parent?.name ?? null,
    delegation: (names ?? []).map((name) => ({ name: name.toLowerCase(), glue: [] })).sort(byName),
    hasDs: false,
    ds: null,
    answered: names !== null,
  }
}

/** The DS records of a zone and their lifetime; null when the parent did not say. */
function dsIn(reply: DnsReply | null, zone: string): DelegationSeen['ds'] {
  if (reply?.rcode !== 'NOERROR' && reply?.rcode !== 'NXDOMAIN') return null
  const own = reply.answers.filter(({ type, name }) => type === 'DS' && name === zone)
  return { ds: own.map(({ rdata }) => rdata), ttlSeconds: Math.max(0, ...own.map(({ ttlSeconds }) => ttlSeconds)) }
}

/** The zone above, which need not be one label above, and where its servers are. */
async function parentOf(resolver: Resolver, zone: string): Promise<{ name: string; addresses: string[] } | null> {
  const labels = zone.split('.')
  for (let cut = 1; cut <= labels.length; cut++) {
    const name = labels.slice(cut).join('.')
    const servers = await resolver.resolveNs(name === '' ? '.' : name).catch(() => [])
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
