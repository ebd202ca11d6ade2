import { isDeepStrictEqual } from 'node:util'
import type { CdnCapabilities } from '@fairway/contract'
import { placeOf } from '../vendor/addresses.ts'
import { HOUR_MS, toldOf } from '../vendor/buckets.ts'
import { type Talk, type Vendor, vendorDriver } from '../vendor/vendor-driver.ts'
import { bunnyClient, type BunnyClient, type PullZone } from './bunny-client.ts'
import { rulesFor } from './bunny-rules.ts'

const CAPABILITIES: CdnCapabilities = {
  websocket: false,
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
  compressionOff: false,
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
  silentTtl: true,
  staticDefault: false,
  checkedOrigin: true,
  uncheckedOrigin: true,
}
/** The zone does as the origin says. */
const AS_THE_ORIGIN_SAYS = -1

/** A pull zone for each domain. */
const vendor: Vendor = {
  id: 'bunny',
  needsCertificate: true,
  lookAgainMs: 5_000,
  capabilities: CAPABILITIES,

  async place(talk) {
    const { wants, name, order } = talk
    const client = bunnyClient(wants)
    const settings = settingsFor(talk)
    const zone = (await client.find(name)) ?? (await client.create(name, settings))
    if (
      Object.entries(settings).some(
        ([field, value]) => field in zone && !isDeepStrictEqual(zone[field as keyof PullZone], value),
      )
    )
      await client.change(zone.Id, settings)
    const hostname = zone.Hostnames?.find(({ Value }) => Value === order.host)
    if (!hostname) await client.addHostname(zone.Id, order.host)
    await placeRules(client, zone, talk)
    const { certificate } = wants
    if (certificate && (order.vendorCertificate !== certificate.fingerprint || !hostname))
      await client.addCertificate(zone.Id, order.host, certificate.chainPem, certificate.keyPem)
    if ((hostname?.ForceSSL ?? false) !== wants.delivery.alwaysHttps)
      await client.forceHttps(zone.Id, order.host, wants.delivery.alwaysHttps)
    return { ref: String(zone.Id), cname: `${name}.b-cdn.net`, certificate: certificate?.fingerprint ?? null }
  },

  async observe({ wants, ref, order: { host } }) {
    const zone = await bunnyClient(wants).zone(ref)
    if (zone === null) return { state: 'gone' }
    if (zone.Suspended || zone.Enabled === false)
      return { state: 'failed', detail: 'bunny.net has suspended the pull zone or the account' }
    const hostname = zone.Hostnames?.find(({ Value }) => Value === host)
    return hostname?.HasCertificate
      ? { state: 'operational' }
      : {
          state: 'deploying',
          detail: hostname ? 'The certificate is not in force yet' : 'The host name is not in force yet',
        }
  },

  async purge({ wants, ref, order: { host } }, { kind, targets }) {
    const client = bunnyClient(wants)
    if (kind === 'all') await client.purgeZone(ref, null)
    for (const target of targets) {
      if (kind === 'tag') await client.purgeZone(ref, target)
      else await client.purgeAddress(`https://${placeOf(host, target)}${kind === 'directory' ? '*' : ''}`)
    }
    return { state: 'done', everything: false }
  },

  traffic: {
    // By the hour; it tells no finer ones.
    bucketMs: HOUR_MS,
    settlesMs: 3 * HOUR_MS,
    spanMs: 7 * 24 * HOUR_MS,
    async read({ wants, ref }, from, until) {
      const {
        RequestsServedChart: served,
        BandwidthUsedChart: bytes,
        CacheHitRateChart: hits,
        Error4xxChart: refused,
        Error5xxChart: failed,
      } = await bunnyClient(wants).statistics(ref, from, until)
      return Object.entries(served ?? {}).map(([time, requests]) => ({
        at: Date.parse(/Z|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`),
        requests,
        bytes: bytes?.[time] ?? 0,
        country: {},
        status: toldOf(requests, { 4: refused && (refused[time] ?? 0), 5: failed && (failed[time] ?? 0) }, 'ok'),
        cache: toldOf(requests, { HIT: hits && (requests * (hits[time] ?? 0)) / 100 }, 'uncached'),
      }))
    },
  },

  async remove({ wants, name }) {
    const client = bunnyClient(wants)
    const zone = await client.find(name)
    if (zone === null) return 'done'
    await client.drop(zone.Id)
    return (await client.find(name)) === null ? 'done' : 'in-progress'
  },
}
export const bunny = vendorDriver(vendor)

function settingsFor({
  wants: {
    delivery: { origin, cache },
  },
}: Talk) {
  const [address = ''] = origin.addresses
  return {
    OriginUrl: `${origin.protocol}://${address.includes(':') ? `[${address}]` : address}:${origin.port}`,
    OriginHostHeader: origin.hostHeader,
    AddHostHeader: false,
    VerifyOriginSSL: origin.verifyCertificate,
    FollowRedirects: false,
    IgnoreQueryStrings: cache.ignoreQuery,
    CacheControlMaxAgeOverride: cache.honorOrigin ? AS_THE_ORIGIN_SAYS : cache.defaultTtlSeconds,
  }
}

/** The zone is ours alone, and so are all of its rules; each is known by its place in the order. */
async function placeRules(
  client: BunnyClient,
  zone: PullZone,
  { name, order: { host }, wants: { delivery } }: Talk,
): Promise<void> {
  const there = new Map((zone.EdgeRules ?? []).map((rule) => [rule.Description ?? '', rule]))
  for (const rule of rulesFor(host, name, delivery)) {
    const known = there.get(rule.Description)
    there.delete(rule.Description)
    if (!known || known.ActionParameter1 !== rule.ActionParameter1 || !isDeepStrictEqual(known.Triggers, rule.Triggers))
      await client.setRule(zone.Id, { ...(known ? { Guid: known.Guid } : {}), ...rule })
  }
  for (const { Guid } of there.values()) await client.dropRule(zone.Id, Guid)
}
