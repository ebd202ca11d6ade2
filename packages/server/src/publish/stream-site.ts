import type { EdgePurges, EdgeSite } from '@fairway/contract'
import { type Config, mediaAddressOf, streamCdnHost, streamHost, type Tx } from '@fairway/platform'
import { brandKey } from './edge-pages.ts'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'
import { pathwaysInUse } from './stream-balance.ts'
import { STREAM_MARKS } from './stream-marks.ts'

const STREAM = 'stream:'
/** Of the host at our edge, or at a simulated CDN that a balancer names. */
export const streamSiteKey = (organizationId: string, simulatedSlug: string | null = null): string =>
  simulatedSlug === null ? `${STREAM}${organizationId}` : `${STREAM}${organizationId}:${simulatedSlug}`
export const isStreamKey = (key: string): boolean => key.startsWith(STREAM)
function readKey(key: string): { organizationId: string; simulatedSlug: string | null } {
  const [organizationId = '', simulatedSlug = null] = key.slice(STREAM.length).split(':')
  return { organizationId, simulatedSlug }
}

/** All hosts that an organisation's videos have or had: what one of them is to forget, all are. */
export async function streamSiteKeys(tx: Tx, organizationId: string): Promise<string[]> {
  const own = streamSiteKey(organizationId)
  const rows = await tx.query<{ key: string }>(
    `SELECT key FROM publication WHERE kind = 'edge-site' AND starts_with(key, $1) ORDER BY key`,
    [`${own}:`],
  )
  return [own, ...rows.map(({ key }) => key)]
}

/** As many as an edge node looks through without noticing. */
const MARKS_MAX = 1_500
/** So many of the oldest are replaced at once by a mark on everything, which takes the whole cache of the host. */
const MARKS_REPLACED = 500

/**
 * The host of an organisation's videos at the edge, whose origin is the role `media`. Key: `stream:` and its id, and
 * behind another colon the simulated CDN that has a host of its own.
 */
export async function buildStreamSite(tx: Tx, key: string, config: Config): Promise<Built> {
  const { organizationId, simulatedSlug } = readKey(key)
  const [owner] = await tx.query<{ partner_id: string }>(
    `SELECT partner_id FROM organization o WHERE o.id = $1 AND (EXISTS (SELECT FROM stream_asset a WHERE a.organization_id = o.id AND a.deleted_at IS NULL)
         OR EXISTS (SELECT FROM stream_live l WHERE l.organization_id = o.id AND l.deleted_at IS NULL))
       AND NOT EXISTS (SELECT FROM billing_account b WHERE b.organization_id = o.id AND b.serving_stopped_at IS NOT NULL)`,
    [organizationId],
  )
  if (!owner) return null
  if (simulatedSlug !== null) {
    const inUse = await pathwaysInUse(tx, organizationId, config)
    if (!inUse.some(({ cdn }) => cdn?.driver === 'simulated' && cdn.slug === simulatedSlug)) return null
  }
  const host = streamCdnHost(config, organizationId, simulatedSlug)
  const [signing] = await tx.query<{ is_on: boolean }>('SELECT is_on FROM stream_signing WHERE organization_id = $1', [
    organizationId,
  ])
  const keys = await tx.query<{ id: string; publicKey: string }>(
    `SELECT key_id AS id, public_key AS "publicKey" FROM stream_signing_key WHERE organization_id = $1 AND kind = 'ecdsa-p256' ORDER BY serial`,
    [organizationId],
  )
  // Vendors' CDNs fetch from our own host alone.
  const vendors =
    simulatedSlug === null
      ? await tx.query<{ grant_id: string }>(
          `SELECT grant_id FROM stream_cloudfront WHERE organization_id = $1 AND state <> 'removing'`,
          [organizationId],
        )
      : []
  const media = mediaAddressOf(config)
  const content = (version: number): EdgeSite => ({
    siteId: key,
    organizationId,
    version,
    domains: [
      {
        host,
        domainId: key,
        organizationId,
        siteId: key,
        version,
        origin: {
          addresses: [media.host],
          port: media.port,
          protocol: 'http',
          hostHeader: streamHost(config, organizationId),
          house: true,
          balance: 'failover',
          fallbackAddress: null,
          keepaliveSeconds: 60,
          verifyCertificate: false,
        },
        // The origin says of every file how long it holds.
        cache: {
          enabled: true,
          defaultTtlSeconds: 0,
          honorOrigin: true,
          everything: true,
          ignoreQuery: true,
          deliveryDirectives: true,
          tiered: false,
          rules: [],
          bypass: [],
        },
        // Films are not compressed again: that is of the player, captions and chapters.
        compression: 'brotli',
        alwaysHttps: false,
        hsts: '',
        websocket: false,
        http2: true,
        http3: false,
        earlyHints: false,
        ocspStapling: false,
        reportsTo: '',
        pages: {
          errors: null,
          maintenance: null,
          blocked: null,
          'rate-limited': null,
          challenge: null,
          captcha: null,
          brand: brandKey(owner.partner_id),
        },
        inMaintenance: false,
        signing: {
          on: signing?.is_on ?? false,
          keys,
          ...(simulatedSlug === null ? {} : { host: streamHost(config, organizationId) }),
          ...(vendors.length > 0 && { vendors: vendors.map(({ grant_id }) => grant_id) }),
        },
        cdns: {},
      },
    ],
  })
  const version = await contentVersion(tx, 'edge-site', key, content)
  return { version, organizationId, body: content(version) }
}

/**
 * What the edge may not serve any more: all that lies under a removed video, or in a removed folder of one. A mark that
 * was left out would bring back what it is about, however old it is: an edge that was restarted has kept that for longer.
 */
export async function buildStreamPurges(tx: Tx, key: string, config: Config): Promise<Built> {
  const { organizationId, simulatedSlug } = readKey(key)
  const rows = await tx.query<{ kind: 'directory' | 'url' | 'all'; value: string; at: number }>(
    `WITH marks AS (SELECT kind, value, at, deleted_at, row_number() OVER (ORDER BY deleted_at, kind, value) AS number,
         greatest(0, ceil((count(*) OVER () - $2) / $3::float8) * $3) AS replaced
       FROM (${STREAM_MARKS}) marks WHERE organization_id = $1 AND deleted_at <= now())
     SELECT kind, value, floor(extract(epoch FROM at) * 1000)::float8 AS at FROM (
       SELECT kind, value, at, number FROM marks WHERE number > replaced
       UNION ALL SELECT 'all', '', max(at), 0 FROM marks WHERE number <= replaced HAVING count(*) > 0) kept ORDER BY number DESC`,
    [organizationId, MARKS_MAX, MARKS_REPLACED],
  )
  if (rows.length === 0) return null
  const content = (version: number): EdgePurges => ({
    domainId: key,
    organizationId,
    siteId: key,
    host: streamCdnHost(config, organizationId, simulatedSlug),
    version,
    marks: rows.map((mark) => ({ ...mark, soft: false })),
  })
  const version = await contentVersion(tx, 'edge-purges', key, content)
  return { version, organizationId, body: content(version) }
}
