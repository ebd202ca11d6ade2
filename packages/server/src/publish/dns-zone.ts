import crypto from 'node:crypto'
import type {
  CdnDriverName,
  DnsZone,
  FeedName,
  RecordType,
  PolicyCdn,
  SteeringPolicy,
  SteeringSettings,
} from '@fairway/contract'
import { STEERED_TTL_SECONDS, absoluteName, ignoredSources, toAliases, toRrsets } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { recordChallengesOf } from '../features/certificates/store.ts'
import { NAMED_BY, type NamedBy, apexRrsets } from './nameservers.ts'
import { CATALOG, buildCatalogZone } from './catalog-zone.ts'
import { buildSystemZone, isZoneKey } from './system-zone.ts'
import { fetchedApex } from './zone-primary.ts'
import { servesOurObject } from './test-objects.ts'
import { zoneSigning } from './zone-signing.ts'
import { transferOf, transferState } from './zone-transfer.ts'

export type SiteRow = {
  id: string
  organization_id: string
  domain_name: string
  version: number
  zone_status: number
  claim: string
} & NamedBy
export type RecordRow = {
  type: RecordType
  name: string
  value: string
  preference: number | null
  ttl_seconds: number | null
  multi_cdn: boolean
  weight: number | null
  domain_id: string | null
}
type DomainRow = {
  id: string
  name: string
  minimum_samples: number
  margin_percent: number
  significance: boolean
  steering_levels: string[] | null
  max_age_seconds: number | null
  fallback_ttl_seconds: number | null
  feeds_off: FeedName[]
  ttl_seconds: number | null
}
type CdnRow = {
  domain_id: string
  cdn_id: string
  driver: CdnDriverName
  name: string
  enabled: boolean
  state: string
  cname: string
  latency_factor: number
  latency_add_ms: number
}
type StrategyRow = { domain_id: string } & Record<string, unknown>

/** An authority that looks again must not be told of an older order. */
const CHALLENGE_TTL_SECONDS = 30
const relativeName = (name: string, origin: string): string => name.slice(0, -(origin.length + 1))

/** A site's zone as the DNS nodes serve it. Key: site id, or `system:<service domain>`. */
export async function buildDnsZone(tx: Tx, key: string, config: Config): Promise<Built> {
  if (isZoneKey(key)) return buildSystemZone(tx, key, config)
  if (key.startsWith(CATALOG)) return buildCatalogZone(tx, key.slice(CATALOG.length), config)
  const site = await siteOf(tx, key)
  if (!site || site.zone_status === 0) return null
  const records = await tx.query<RecordRow>(
    'SELECT type, name, value, preference, ttl_seconds, multi_cdn, weight, domain_id FROM dns_record WHERE site_id = $1 ORDER BY name, type, created_at, id',
    [key],
  )
  const challenges = await challengeRecords(tx, key, site.domain_name)
  const signing = await zoneSigning(tx, key, config)
  const fetched = await fetchedApex(tx, key, site.domain_name, config)
  const wanted = new Set(records.filter((record) => record.multi_cdn).map((record) => record.domain_id))
  const policies = wanted.size ? await policiesOf(tx, site) : new Map<string, NamedPolicy>()
  const steered = [...policies].filter(
    ([id, { policy }]) => wanted.has(id) && policy.cdns.some((cdn) => cdn.enabled && cdn.serving),
  )
  const steeredNames = new Set(steered.map(([, { name }]) => name))
  // A name whose CDNs do not serve yet goes to its origin: the record itself is answered. Of one that is steered neither is
  // a service binding (RFC 9460), which would lead visitors past the CDNs.
  const plain = records.filter(
    (record) =>
      !(isAddressLike(record.type) || record.type === 'HTTPS' || record.type === 'SVCB') ||
      !steeredNames.has(absoluteName(record.name, site.domain_name)),
  )
  const state = await transferState(tx, key, site.organization_id)
  const body: DnsZone = {
    zoneId: site.id,
    organizationId: site.organization_id,
    ...(isProven(config, site) ? { proven: true } : {}),
    origin: site.domain_name,
    version: site.version,
    rrsets: [
      ...(fetched?.apex ?? ownApex(config, site, state.steps)),
      ...toRrsets([...plain.map(recordOf), ...challenges], site.domain_name),
    ],
    steered: steered.map(([domainId, { name, policy }]) => ({
      name,
      domainId,
      policyId: policy.id,
    })),
    policies: [...new Map(steered.map(([, { policy }]) => [policy.id, policy])).values()],
    aliases: toAliases(plain.map(recordOf), site.domain_name),
    ...(signing ? { signing } : {}),
    ...(fetched ? { primary: fetched.primary } : {}),
    ...(state.steps > 0 ? { step: state.steps } : {}),
  }
  const transfer = await transferOf(tx, state, body)
  return {
    version: site.version,
    organizationId: site.organization_id,
    body: transfer ? { ...body, transfer } : body,
    step: state.steps,
    proven: body.proven ?? false,
  }
}

export async function siteOf(tx: Tx, id: string): Promise<SiteRow | undefined> {
  const rows = await tx.query<SiteRow>(
    `SELECT s.id, s.organization_id, s.domain_name, s.version, s.zone_status, s.claim, ${NAMED_BY} FROM site s WHERE s.id = $1`,
    [id],
  )
  return rows[0]
}

/** Whether answers of other organisations' zones may go on into a site's. In an installation of one house all may. */
export const isProven = ({ domainProof }: Config, { claim }: Pick<SiteRow, 'claim'>): boolean =>
  claim === 'proven' || domainProof === 'off'

/** SOA and nameservers of a zone that is kept here. */
export const ownApex = (config: Config, site: SiteRow, steps: number) =>
  apexRrsets(config, site, site.domain_name, Math.max(1, site.version) + steps)

/** The texts that authorities and vendors want to see now. */
export async function challengeRecords(tx: Tx, siteId: string, origin: string) {
  const wanted = [...(await recordChallengesOf(tx, siteId)), ...(await vendorProofs(tx, siteId, origin))]
  return wanted.map(({ name, value }) => ({
    type: 'TXT' as const,
    name: relativeName(name, origin),
    value,
    preference: null,
    ttlSeconds: CHALLENGE_TTL_SECONDS,
    multiCdn: false,
    weight: null,
  }))
}

/** What vendors want to see before they serve the site's names. */
async function vendorProofs(tx: Tx, siteId: string, origin: string): Promise<{ name: string; value: string }[]> {
  const rows = await tx.query<{ name: string; value: string }>(
    `SELECT DISTINCT r.name, r.value FROM domain_cdn dc, jsonb_to_recordset(coalesce(dc.vendor_records, '[]')) AS r(name text, value text) WHERE dc.site_id = $1 AND dc.state <> 'deleting' ORDER BY r.name, r.value`,
    [siteId],
  )
  return rows.filter(({ name }) => name.endsWith(`.${origin}`))
}

const isAddressLike = (type: RecordType): boolean => type === 'A' || type === 'AAAA' || type === 'CNAME'

export function recordOf(row: RecordRow) {
  return {
    type: row.type,
    name: row.name,
    value: row.value,
    preference: row.preference,
    ttlSeconds: row.ttl_seconds,
    multiCdn: row.multi_cdn,
    weight: row.weight,
  }
}

export type NamedPolicy = { name: string; policy: SteeringPolicy }

/**
 * The steering policy of every domain of a site that has a CDN, or of one domain, by domain id: four queries whatever
 * their number.
 */
export async function policiesOf(
  tx: Tx,
  site: { id: string; organization_id: string },
  domainId: string | null = null,
): Promise<Map<string, NamedPolicy>> {
  const domains = await tx.query<DomainRow>(
    `SELECT d.id, d.name, d.minimum_samples, d.margin_percent, d.significance, d.steering_levels, d.max_age_seconds, d.fallback_ttl_seconds, d.feeds_off, r.ttl_seconds FROM domain d LEFT JOIN dns_record r ON r.domain_id = d.id WHERE d.site_id = $1 AND ($2::uuid IS NULL OR d.id = $2) AND d.removed_at IS NULL`,
    [site.id, domainId],
  )
  if (!domains.length) return new Map()
  const cdns = await tx.query<CdnRow>(
    `SELECT d.domain_id, d.cdn_id, c.driver, c.name, d.enabled, d.state, coalesce(d.vendor_cname, d.cname) AS cname, d.latency_factor, d.latency_add_ms FROM domain_cdn d
     JOIN cdn c ON c.organization_id = d.organization_id AND c.id = d.cdn_id WHERE d.site_id = $1 ORDER BY c.series, d.created_at`,
    [site.id],
  )
  const strategies = await tx.query<StrategyRow>(
    `SELECT domain_id, id, name, priority, enabled, method, filter, targets, availability_threshold AS "availabilityThreshold", omit_rum AS "omitRum", omit_sum AS "omitSum", require_all_data AS "requireAllData", visitor_percent AS "visitorPercent", minimum_mbps AS "minimumMbps", prefer_throughput AS "preferThroughput", ttl_seconds AS "ttlSeconds", when_no_data AS "whenNoData", when_below AS "whenBelow"
     FROM strategy WHERE site_id = $1 ORDER BY priority, created_at, id`,
    [site.id],
  )
  const vsrRules = await tx.query<StrategyRow>(
    `SELECT domain_id, id, name, enabled, filter, cdn_id AS "cdnId", mimicked_address AS "mimickedAddress", mimicked_location AS "mimickedLocation" FROM vsr_rule WHERE site_id = $1 ORDER BY created_at, id`,
    [site.id],
  )
  const [cdnsOf, strategiesOf, rulesOf] = [byDomain(cdns), byDomain(strategies), byDomain(vsrRules)]
  const answer = new Map<string, NamedPolicy>()
  for (const domain of domains) {
    const own = cdnsOf.get(domain.id)
    if (!own) continue
    const content = {
      organizationId: site.organization_id,
      cdns: own.map((cdn) => ({
        cdnId: cdn.cdn_id,
        name: cdn.name,
        enabled: cdn.enabled,
        serving: cdn.state === 'operational',
        cname: cdn.cname,
        latencyFactor: cdn.latency_factor,
        latencyAddMs: cdn.latency_add_ms,
        ...ignoredBy(domain.feeds_off, cdn.driver),
      })),
      strategies: (strategiesOf.get(domain.id) ?? []).map(withoutDomain),
      vsrRules: (rulesOf.get(domain.id) ?? []).map(withoutDomain),
      settings: {
        minimumSamples: domain.minimum_samples,
        marginPercent: domain.margin_percent,
        ttlSeconds: domain.ttl_seconds ?? STEERED_TTL_SECONDS,
        significance: domain.significance,
        levels: domain.steering_levels,
        maxAgeSeconds: domain.max_age_seconds,
        fallbackTtlSeconds: domain.fallback_ttl_seconds,
        ...timedBy(own),
      },
    }
    // The publication's schema checks the rows' shapes; the id makes equal policies one.
    answer.set(domain.id, { name: domain.name, policy: { id: hashOf(content), ...content } as SteeringPolicy })
  }
  return answer
}

/** Whether probes time all CDNs that answer for a domain by the same object; nothing stands there when they do. */
function timedBy(cdns: readonly CdnRow[]): Pick<SteeringSettings, 'untimedProbes'> {
  const kinds = new Set(
    cdns
      .filter(({ enabled, state }) => enabled && state === 'operational')
      .map(({ driver }) => servesOurObject(driver)),
  )
  return kinds.size > 1 ? { untimedProbes: true } : {}
}

/** Nothing stands there while no feed is off: policies of those who changed nothing stay the same. */
function ignoredBy(off: readonly FeedName[], driver: CdnDriverName): Pick<PolicyCdn, 'ignores'> {
  const ignores = ignoredSources(off, !servesOurObject(driver))
  return ignores.length > 0 ? { ignores } : {}
}

const byDomain = <Row extends { domain_id: string }>(rows: Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, (row) => row.domain_id)

function withoutDomain(row: StrategyRow): Omit<StrategyRow, 'domain_id'> {
  const { domain_id: _, ...rest } = row
  return rest
}

export function hashOf(content: object): string {
  return crypto.createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}
