import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { CacheStatus, CdnCapabilities } from '@fairway/contract'
import { type Observation, type ProofRecord, type PurgeOrder, VendorRefusal } from '../driver.ts'
import { bucketsOf, HOUR_MS, MINUTE_MS } from '../vendor/buckets.ts'
import { type Talk, type Vendor, vendorDriver } from '../vendor/vendor-driver.ts'
import { cloudflareClient, type CloudflareClient, type CustomHostname, type TrafficGroup } from './cloudflare-client.ts'
import { PHASES, rulesFor, type CloudflareRule, type Phase } from './cloudflare-rules.ts'

const CAPABILITIES: CdnCapabilities = {
  websocket: true,
  wildcard: false,
  customHostHeader: true,
  ipv4Origin: true,
  ipv6Origin: false,
  originPort: true,
  originProtocol: true,
  cacheTtl: true,
  purge: true,
  certificates: true,
  metrics: true,
  roundRobin: false,
  ipHash: false,
  fallbackOrigin: false,
  keepalive: false,
  brotli: true,
  compressionOff: true,
  alwaysHttps: true,
  hsts: false,
  ignoreQuery: true,
  tieredCache: false,
  patternRules: true,
  extensionRules: true,
  purgeDirectory: true,
  purgeTag: true,
  http2Off: false,
  http3: false,
  earlyHints: false,
  ocspStapling: false,
  networkErrors: false,
  spareOrigins: false,
  silentTtl: false,
  staticDefault: false,
  checkedOrigin: false,
  uncheckedOrigin: false,
}
/** One call purges so many at most. */
const PURGE_AT_ONCE = 100
/** Its own words for what we call otherwise; all others (dynamic, none, ignored …) did not go through the cache. */
const CACHE_STATUS: Record<string, CacheStatus> = {
  hit: 'HIT',
  miss: 'MISS',
  expired: 'EXPIRED',
  stale: 'STALE',
  updating: 'UPDATING',
  updatingfailed: 'STALE',
  revalidated: 'REVALIDATED',
}

/**
 * Cloudflare for SaaS: a custom host name in the operator's or the customer's own zone, whose origin is a proxied name
 * of that zone.
 */
const vendor: Vendor = {
  id: 'cloudflare',
  lookAgainMs: 10_000,
  capabilities: CAPABILITIES,

  async place(talk) {
    const { order, wants } = talk
    const client = cloudflareClient(wants)
    const target = await placeOrigin(client, talk)
    for (const phase of PHASES)
      await placeRules(client, phase, talk.name, rulesFor(order.host, talk.name, wants.delivery)[phase])
    const found = await ownHostname(client, talk, target)
    const given = await placeHostname(client, talk, target, found)
    return { ref: given.id, cname: target, certificate: wants.certificate?.fingerprint ?? null }
  },

  async observe({ wants, ref, order }) {
    const client = cloudflareClient(wants)
    const found = await client.hostname(ref)
    return found === null || found.status === 'deleted' ? { state: 'gone' } : stateOf(found, order.host)
  },

  async purge({ wants, order: { host } }, { kind, targets }) {
    const client = cloudflareClient(wants)
    for (const what of purgesOf(host, kind, targets)) await client.purge(what)
    return { state: 'done', everything: false }
  },

  traffic: {
    bucketMs: 5 * MINUTE_MS,
    settlesMs: 2 * HOUR_MS,
    // An answer holds 10,000 rows of a list at most: buckets times countries.
    spanMs: 3 * HOUR_MS,
    async read({ wants, order: { host } }, from, until) {
      const { status, cache, country } = await cloudflareClient(wants).traffic(host, from, until)
      const counted = ({ count, sum, dimensions: { datetimeFiveMinutes: at } }: TrafficGroup, value: string) => ({
        at: Date.parse(at),
        value,
        requests: count,
        bytes: sum.edgeResponseBytes,
      })
      return bucketsOf({
        status: status.map((row) => counted(row, String(Math.floor(row.dimensions.edgeResponseStatus / 100)))),
        cache: cache.map((row) => counted(row, CACHE_STATUS[row.dimensions.cacheStatus] ?? 'BYPASS')),
        country: country.map((row) =>
          counted(
            row,
            /^(?!XX$|T1$)[A-Z]{2}$/.test(row.dimensions.clientCountryName) ? row.dimensions.clientCountryName : '',
          ),
        ),
      })
    },
  },

  async remove(talk) {
    const client = cloudflareClient(talk.wants)
    const target = `${talk.name}.${await client.zoneName()}`
    for (const one of await client.hostnames(talk.order.host))
      if (one.custom_origin_server === target) await client.dropHostname(one.id)
    for (const phase of PHASES) await placeRules(client, phase, talk.name, [])
    for (const record of await client.records(target)) await client.dropRecord(record.id)
    return (await client.hostnames(talk.order.host)).some((one) => one.custom_origin_server === target)
      ? 'in-progress'
      : 'done'
  },
}
export const cloudflare = vendorDriver(vendor)

/** The name in the zone that Cloudflare fetches through, and that visitors are sent to. */
async function placeOrigin(client: CloudflareClient, { name, wants }: Talk): Promise<string> {
  const target = `${name}.${await client.zoneName()}`
  const [address = ''] = wants.delivery.origin.addresses
  const type = isIP(address) === 4 ? 'A' : isIP(address) === 6 ? 'AAAA' : 'CNAME'
  const record = { type, name: target, content: address, ttl: 1, proxied: true, comment: name }
  const [found] = await client.records(target)
  if (!found) await client.addRecord(record)
  else if (found.type !== type || found.content !== address) await client.setRecord(found.id, record)
  return target
}

async function ownHostname(client: CloudflareClient, { order }: Talk, target: string): Promise<CustomHostname | null> {
  const [found] = await client.hostnames(order.host)
  if (found && found.custom_origin_server !== target)
    throw new VendorRefusal(`Cloudflare has ${order.host} in this zone already, set up by somebody else`, 409, 'taken')
  return found ?? null
}

/**
 * With our certificate where there is one, else with one that Cloudflare orders itself and that a TXT record proves.
 */
async function placeHostname(
  client: CloudflareClient,
  { order, wants }: Talk,
  target: string,
  found: CustomHostname | null,
): Promise<CustomHostname> {
  const { certificate } = wants
  const settings = { min_tls_version: '1.2' as const }
  const ssl = certificate
    ? { custom_certificate: certificate.chainPem, custom_key: certificate.keyPem, bundle_method: 'force', settings }
    : { method: 'txt', type: 'dv', settings }
  if (found === null) return client.addHostname({ hostname: order.host, custom_origin_server: target, ssl })
  // Cloudflare does not tell which certificate it has, so what it was given last is remembered by us.
  return (certificate?.fingerprint ?? null) === order.vendorCertificate
    ? found
    : client.setHostname(found.id, { custom_origin_server: target, ssl })
}

/** Brings our rules of a phase to what is wanted, one by one: other rules of the zone are never written. */
async function placeRules(
  client: CloudflareClient,
  phase: Phase,
  name: string,
  wanted: CloudflareRule[],
): Promise<void> {
  const ruleset = await client.entrypoint(phase)
  const named = wanted.map((rule, index) => ({ ...rule, ref: `${name}-${index}` }))
  if (ruleset === null) return named.length > 0 ? void (await client.makeEntrypoint(phase, named)) : undefined
  const ours = new Map(
    (ruleset.rules ?? []).filter(({ ref }) => ref?.startsWith(`${name}-`)).map((rule) => [rule.ref, rule]),
  )
  for (const rule of named) {
    const known = ours.get(rule.ref)
    ours.delete(rule.ref)
    if (!known) await client.addRule(ruleset.id, rule)
    else if (
      known.expression !== rule.expression ||
      !isDeepStrictEqual(known.action_parameters, rule.action_parameters)
    )
      await client.setRule(ruleset.id, known.id, rule)
  }
  for (const { id } of ours.values()) await client.dropRule(ruleset.id, id)
}

const SSL_FAILED = /timed_out|expired/

function stateOf(
  { status = '', ssl, ownership_verification: owner, verification_errors: errors }: CustomHostname,
  host: string,
): Observation {
  const records: ProofRecord[] = [
    ...(owner?.name && owner.value ? [{ name: owner.name, value: owner.value }] : []),
    ...(ssl?.validation_records ?? []).flatMap(({ txt_name, txt_value }) =>
      txt_name && txt_value ? [{ name: txt_name, value: txt_value }] : [],
    ),
  ]
  if (status === 'active' && ssl?.status === 'active') return { state: 'operational' }
  if (status === 'blocked' || status === 'moved' || SSL_FAILED.test(ssl?.status ?? ''))
    return {
      state: 'failed',
      detail: [
        `Cloudflare shows ${host} as ${status}, its certificate as ${ssl?.status ?? 'none'}`,
        ...(errors ?? []),
        ...(ssl?.validation_errors ?? []).map(({ message }) => message),
      ]
        .filter(Boolean)
        .join('; '),
    }
  const detail = `Cloudflare shows ${host} as ${status || 'new'}, its certificate as ${ssl?.status ?? 'none'}`
  return { state: 'deploying', detail, records, stays: status === 'active' || status === 'active_redeploying' }
}

function purgesOf(host: string, kind: PurgeOrder['kind'], targets: string[]): object[] {
  if (kind === 'all') return [{ hosts: [host] }]
  const values =
    kind === 'tag'
      ? targets
      : kind === 'directory'
        ? targets.map((path) => `${host}${path}`)
        : targets.flatMap((path) => [`https://${host}${path}`, `http://${host}${path}`])
  const field = kind === 'tag' ? 'tags' : kind === 'directory' ? 'prefixes' : 'files'
  return Array.from({ length: Math.ceil(values.length / PURGE_AT_ONCE) }, (_, i) => ({
    [field]: values.slice(i * PURGE_AT_ONCE, (i + 1) * PURGE_AT_ONCE),
  }))
}
