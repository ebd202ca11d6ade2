import type { CdnCapabilities } from '@fairway/contract'
import { covers } from '@fairway/domain'
import { type PurgeWord, TryLater, VendorRefusal } from '../driver.ts'
import { HOUR_MS, MINUTE_MS, toldOf } from '../vendor/buckets.ts'
import { type Talk, type Vendor, vendorDriver } from '../vendor/vendor-driver.ts'
import { cloudfrontClient, type CloudfrontClient, type Distribution } from './cloudfront-client.ts'
import { counted, distributionConfig } from './distribution-config.ts'
import { placeDistribution } from './place-distribution.ts'

const CAPABILITIES: CdnCapabilities = {
  websocket: true,
  wildcard: true,
  customHostHeader: false,
  ipv4Origin: false,
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
  brotli: false,
  compressionOff: true,
  alwaysHttps: true,
  hsts: false,
  ignoreQuery: false,
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
  checkedOrigin: true,
  uncheckedOrigin: false,
}
const INVALIDATION_AGAIN_MS = 5_000
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g

/** A distribution for each domain; its comment says which state of the settings it has. */
const vendor: Vendor = {
  id: 'cloudfront',
  needsCertificate: true,
  lookAgainMs: 15_000,
  capabilities: CAPABILITIES,

  async place(talk) {
    const client = cloudfrontClient(talk.wants)
    const { order, wants, name } = talk
    const certificateArn = await placeCertificate(client, talk)
    const wanted = { name, host: order.host, certificateArn, enabled: true, delivery: wants.delivery }
    const now = await placeDistribution(client, name, wanted, await find(client, talk))
    return {
      ref: now.id,
      cname: now.domainName,
      certificate: certificateArn === null ? null : (wants.certificate?.fingerprint ?? null),
    }
  },

  async observe({ wants, ref }) {
    const found = await cloudfrontClient(wants).get(ref)
    if (found === null) return { state: 'gone' }
    // One that is switched off says so long before every place has heard of it.
    if (!found.enabled) return { state: 'failed', detail: 'CloudFront shows the distribution as disabled' }
    // While it is deployed again, every place serves either the settings before or the new ones.
    return found.status === 'Deployed'
      ? { state: 'operational' }
      : { state: 'deploying', detail: `CloudFront shows the distribution as ${found.status}`, stays: true }
  },

  async purge({ wants, ref }, { kind, targets, reference, vendorRef }): Promise<PurgeWord> {
    const client = cloudfrontClient(wants)
    const everything = kind === 'tag'
    const under = { Paths: counted(pathsOf(kind, targets)), CallerReference: reference }
    // Repeated with the same reference it is the same invalidation.
    const { id, status } =
      vendorRef === null
        ? await client.invalidate(ref, under)
        : { id: vendorRef, status: await client.invalidation(ref, vendorRef) }
    return status === 'Completed'
      ? { state: 'done', everything }
      : {
          state: 'in-progress',
          why: `CloudFront shows the invalidation as ${status}`,
          vendorRef: id,
          againMs: INVALIDATION_AGAIN_MS,
        }
  },

  traffic: {
    bucketMs: 5 * MINUTE_MS,
    settlesMs: 3 * HOUR_MS,
    spanMs: 24 * HOUR_MS,
    async read({ wants, ref }, from, until) {
      const found = await cloudfrontClient(wants).metrics(ref, from, until, [
        { id: 'requests', metric: 'Requests', stat: 'Sum' },
        { id: 'bytes', metric: 'BytesDownloaded', stat: 'Sum' },
        { id: 'rate4', metric: '4xxErrorRate', stat: 'Average' },
        { id: 'rate5', metric: '5xxErrorRate', stat: 'Average' },
      ])
      return [...(found.get('requests') ?? [])].map(([at, requests]) => {
        const share = (rate: number | undefined) => (rate === undefined ? null : (requests * rate) / 100)
        // The hit rate is among the metrics that cost extra.
        return {
          at,
          requests,
          bytes: found.get('bytes')?.get(at) ?? 0,
          status: toldOf(
            requests,
            { 4: share(found.get('rate4')?.get(at)), 5: share(found.get('rate5')?.get(at)) },
            'ok',
          ),
          cache: {},
          country: {},
        }
      })
    },
  },

  async remove(talk) {
    const client = cloudfrontClient(talk.wants)
    const found = await find(client, talk)
    if (found === null) {
      await dropCertificates(client, talk, null)
      return 'done'
    }
    if (found.enabled) {
      await client.update(
        found.id,
        found.etag,
        distributionConfig({
          name: talk.name,
          host: talk.order.host,
          certificateArn: null,
          comment: `${talk.name} off`,
          enabled: false,
          delivery: talk.wants.delivery,
        }),
      )
      return 'in-progress'
    }
    // It may be deleted when the last place has switched it off.
    if (found.status !== 'Deployed') return 'in-progress'
    await client.drop(found.id, found.etag)
    await dropCertificates(client, talk, null)
    return 'done'
  },
}
export const cloudfront = vendorDriver(vendor)

/** By its id where we know it, else by what we have written on it. */
async function find(client: CloudfrontClient, { order, name }: Talk): Promise<Distribution | null> {
  if (order.vendorRef !== null) return client.get(order.vendorRef)
  const listed = (await client.list()).find(({ comment }) => comment.startsWith(`${name} `))
  return listed ? client.get(listed.id) : null
}

/**
 * Address of our certificate in ACM: imported once, known by a tag. The one before goes with the next one, when no
 * distribution shows it any more.
 */
async function placeCertificate(client: CloudfrontClient, talk: Talk): Promise<string | null> {
  const { certificate } = talk.wants
  if (!certificate) return null
  for (const { arn } of (await client.certificates()).filter(({ names }) => covers(names, talk.order.host)))
    if ((await client.markOf(arn)) === certificate.fingerprint) return arn
  await dropCertificates(client, talk, talk.order.vendorCertificate)
  const [leaf = '', ...chain] = certificate.chainPem.match(CERTIFICATE) ?? []
  return client.importCertificate(leaf, chain.join('\n'), certificate.keyPem, certificate.fingerprint)
}

/** Takes away certificates of ours for the host, except for one that is in force. */
async function dropCertificates(
  client: CloudfrontClient,
  { order: { host } }: Talk,
  except: string | null,
): Promise<void> {
  for (const { arn } of (await client.certificates()).filter(({ names }) => covers(names, host))) {
    const mark = await client.markOf(arn)
    if (mark === null || mark === except) continue
    try {
      await client.dropCertificate(arn)
    } catch (error) {
      // Another distribution shows it, or this one still does in some place.
      if (!(error instanceof VendorRefusal) && !(error instanceof TryLater)) throw error
    }
  }
}

/** An address without a query stands for all queries of it. */
function pathsOf(kind: string, targets: string[]): string[] {
  if (kind === 'all' || kind === 'tag') return ['/*']
  const paths = targets.map((target) => (target.startsWith('/') ? target : target.slice(target.indexOf('/'))))
  return kind === 'directory'
    ? paths.map((path) => `${path}*`)
    : paths.flatMap((path) => (path.includes('?') ? [path] : [path, `${path}?*`]))
}
