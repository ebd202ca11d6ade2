import type { CdnCapabilities } from '@fairway/contract'
import { type PurgeWord, TryLater, VendorRefusal } from '../driver.ts'
import { placeOf } from '../vendor/addresses.ts'
import { HOUR_MS, MINUTE_MS, toldOf } from '../vendor/buckets.ts'
import { type Talk, type Vendor, vendorDriver } from '../vendor/vendor-driver.ts'
import { tencentClient, type TencentClient, type TencentDomain } from './tencent-client.ts'
import { tencentConfig, tencentHttps } from './tencent-config.ts'

const CAPABILITIES: CdnCapabilities = {
  websocket: false,
  wildcard: true,
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
  purgeTag: false,
  http2Off: false,
  http3: false,
  earlyHints: false,
  ocspStapling: false,
  networkErrors: false,
  spareOrigins: false,
  silentTtl: true,
  staticDefault: false,
  checkedOrigin: false,
  uncheckedOrigin: true,
}
const TAG = 'fairway'
const PURGE_AGAIN_MS = 5_000
const PROOF_AGAIN_MS = 15_000
/** It has never seen that the name is ours. */
const UNPROVEN = 'UnauthorizedOperation.CdnDomainRecordNotVerified'

/**
 * A domain of Tencent Cloud's CDN for each domain, worldwide: for mainland China it has to have an ICP licence, and
 * Tencent says so when it has none.
 */
const vendor: Vendor = {
  id: 'tencent',
  needsCertificate: true,
  lookAgainMs: 15_000,
  capabilities: CAPABILITIES,

  async place(talk) {
    const { order, wants } = talk
    const client = tencentClient(wants)
    const found = await client.find(order.host)
    if (found) refuseForeign(found, talk)
    const config = tencentConfig(wants.delivery)
    const isGiven = found !== null && (wants.certificate?.fingerprint ?? null) === order.vendorCertificate
    if (!found) await add(client, talk, { ...config, ...tencentHttps(wants.certificate) })
    else if (!isGiven || !holds(found, config))
      await client.change({ Domain: order.host, ...config, ...(isGiven ? {} : tencentHttps(wants.certificate)) })
    const now = found?.Cname ? found : await client.find(order.host)
    return {
      ref: order.host,
      cname: now?.Cname || `${order.host}.cdn.dnsv1.com`,
      certificate: wants.certificate?.fingerprint ?? null,
    }
  },

  async observe({ wants, ref }) {
    const found = await tencentClient(wants).find(ref)
    if (found === null) return { state: 'gone' }
    if (found.Status === 'online') return { state: 'operational' }
    if (found.Status === 'rejected')
      return {
        state: 'action-required',
        detail: `Tencent Cloud has rejected ${ref}: its ICP licence has ended or was taken back`,
      }
    if (found.Status === 'offline') return { state: 'failed', detail: `Tencent Cloud has switched ${ref} off` }
    return { state: 'deploying', detail: `Tencent Cloud shows ${ref} as ${found.Status ?? 'new'}`, stays: true }
  },

  async purge({ wants, order: { host } }, { kind, targets, vendorRef }): Promise<PurgeWord> {
    const client = tencentClient(wants)
    const addresses = (path: string) => ['http', 'https'].map((scheme) => `${scheme}://${placeOf(host, path)}`)
    // It knows no tags: everything goes, and the receipt says so.
    const task =
      vendorRef ??
      (kind === 'url'
        ? await client.purgeAddresses(targets.flatMap(addresses))
        : await client.purgePaths(kind === 'directory' ? targets.flatMap(addresses) : addresses('/')))
    const states = await client.purgeStates(task)
    if (states.includes('fail')) return { state: 'failed', why: 'Tencent Cloud could not carry it out' }
    return states.length > 0 && states.every((state) => state === 'done')
      ? { state: 'done', everything: kind === 'tag' }
      : { state: 'in-progress', why: 'Tencent Cloud is at it', vendorRef: task, againMs: PURGE_AGAIN_MS }
  },

  traffic: {
    bucketMs: 5 * MINUTE_MS,
    settlesMs: 3 * HOUR_MS,
    spanMs: 24 * HOUR_MS,
    async read({ wants, ref }, from, until) {
      const client = tencentClient(wants)
      const [served, bytes, hits, refused, failed] = await Promise.all(
        ['request', 'flux', 'hitRequest', '4xx', '5xx'].map((metric) => client.figures(ref, metric, from, until)),
      )
      return [...(served ?? [])].map(([at, requests]) => ({
        at,
        requests,
        bytes: bytes?.get(at) ?? 0,
        status: toldOf(requests, { 4: refused?.get(at), 5: failed?.get(at) }, 'ok'),
        cache: toldOf(requests, { HIT: hits?.get(at) }, 'uncached'),
        country: {},
      }))
    },
  },

  async remove(talk) {
    const client = tencentClient(talk.wants)
    const found = await client.find(talk.order.host)
    if (found === null || !isOurs(found, talk)) return 'done'
    if (found.Status === 'online' || found.Status === 'rejected') await client.stop(talk.order.host)
    // It may be deleted when the last place has switched it off.
    if (found.Status !== 'offline') return 'in-progress'
    await client.drop(talk.order.host)
    return 'done'
  },
}
export const tencent = vendorDriver(vendor)

const isOurs = ({ Tag }: TencentDomain, { name }: Talk): boolean =>
  (Tag ?? []).some(({ TagKey, TagValue }) => TagKey === TAG && TagValue === name)

function refuseForeign(found: TencentDomain, talk: Talk): void {
  if (!isOurs(found, talk))
    throw new VendorRefusal(
      `Tencent Cloud has ${talk.order.host} in this account already, set up by somebody else`,
      409,
      'taken',
    )
}

/** @throws TryLater with the record that Tencent Cloud wants to see, for as long as it has not */
async function add(client: TencentClient, { order: { host }, name }: Talk, config: object): Promise<void> {
  const domain = { Domain: host, ServiceType: 'web', Area: 'global', Tag: [{ TagKey: TAG, TagValue: name }], ...config }
  try {
    await client.add(domain)
  } catch (error) {
    if (!(error instanceof VendorRefusal) || error.code !== UNPROVEN) throw error
    if (await client.isProven(host).catch(isNo)) return void (await client.add(domain))
    const { SubDomain, Record } = await client.proof(host)
    throw new TryLater(
      `Tencent Cloud wants to see a TXT record for ${host}`,
      PROOF_AGAIN_MS,
      parentsOf(host).map((parent) => ({ name: `${SubDomain ?? '_cdnauth'}.${parent}`, value: Record ?? '' })),
    )
  }
}

function isNo(error: unknown): false {
  if (error instanceof VendorRefusal) return false
  throw error
}

/** Tencent looks below the registered name, which may be any parent of the host; only one of them is a zone of ours. */
function parentsOf(host: string): string[] {
  const labels = host.replace(/^\*\./, '').split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

/** Whether the vendor's configuration holds at least what is wanted: it answers more than it was told. */
function holds(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) && found.length === wanted.length && wanted.every((one, index) => holds(found[index], one))
    )
  if (typeof wanted !== 'object' || wanted === null) return found === wanted
  return (
    typeof found === 'object' &&
    found !== null &&
    Object.entries(wanted).every(([name, value]) => holds((found as Record<string, unknown>)[name], value))
  )
}
