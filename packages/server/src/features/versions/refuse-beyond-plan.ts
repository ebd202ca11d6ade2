import { LIMITS, OriginOverride, type EntityChange, type ErrorCode, type Maxima } from '@fairway/contract'
import { METHOD_FEATURES, netChanges, targetName } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { cdnLimit } from '../cdn-management/store.ts'
import { refuseLoop } from '../dns-records/check-zone.ts'
import { recordQuota } from '../dns-records/store.ts'
import { originProblem, portOf } from '../domains/check-origin.ts'
import { maximaOf } from '../plans/maxima.ts'

type Most = Maxima & { cdnsPerDomain: number }
type Bound = {
  entity: string
  table: string
  /** What rows count together; left out: their domain. */
  place?: 'domain_id' | 'site_id'
  /** Of the table's rows, those that count. */
  only?: { column: string; values: readonly string[] }
  isStaying?: string
  most: (most: Most) => number
  code: ErrorCode
}

const part = (name: string, most: Bound['most']): Bound => ({
  entity: 'security-rule',
  table: 'security_rule',
  only: { column: 'part', values: [name] },
  most,
  code: 26904,
})
const methods = (isStatic: boolean): string[] =>
  Object.entries(METHOD_FEATURES).flatMap(([method, feature]) =>
    (feature === 'dns.staticRouting') === isStatic ? [method] : [],
  )
const strategies = (only: readonly string[] | null, most: Bound['most']): Bound => ({
  entity: 'strategy',
  table: 'strategy',
  ...(only ? { only: { column: 'method', values: only } } : {}),
  most,
  code: 810007,
})

/** What the verbs that add such rows ask, of what an undo may bring back; records have a count of their own. */
const BOUNDS: readonly Bound[] = [
  { entity: 'access-entry', table: 'access_entry', most: (most) => most.accessEntriesPerDomain, code: 26902 },
  { entity: 'cache-rule', table: 'cache_rule', most: (most) => most.cacheRulesPerDomain, code: 27004 },
  { entity: 'no-cache-rule', table: 'no_cache_rule', most: (most) => most.cacheRulesPerDomain, code: 27004 },
  {
    entity: 'custom-page',
    table: 'custom_page',
    place: 'site_id',
    most: (most) => most.customPagesPerSite,
    code: 26913,
  },
  {
    entity: 'domain-cdn',
    table: 'domain_cdn',
    isStaying: `state <> 'deleting'`,
    most: (most) => most.cdnsPerDomain,
    code: 27022,
  },
  part('firewall-rules', (most) => most.firewallRulesPerDomain),
  part('api-protection', (most) => most.apiProtectionRulesPerDomain),
  part('failed-login', () => LIMITS.takeoverRulesPerDomain),
  part('credential-stuffing', () => LIMITS.takeoverRulesPerDomain),
  part('http-header-rewrite', () => LIMITS.headerRulesPerDomain),
  part('origin-rules', () => LIMITS.originRulesPerDomain),
  strategies(null, () => LIMITS.strategiesPerDomain),
  strategies(methods(true), (most) => most.staticStrategiesPerDomain),
  strategies(methods(false), (most) => most.dynamicStrategiesPerDomain),
  { entity: 'vsr-rule', table: 'vsr_rule', most: (most) => most.vsrRulesPerDomain, code: 810008 },
]

/**
 * Refuses an undo that brings back more than the plan has room for, or a CDN's origin that would lead back to it. An
 * organisation that is over its plan may undo what adds nothing.
 * @throws Failure with the code that adding such a row is refused with
 */
export async function refuseBeyondPlan(
  { tx, actor, site, services }: Pick<Context, 'tx' | 'actor' | 'site' | 'services'>,
  undone: readonly EntityChange[],
): Promise<void> {
  const changes = netChanges(undone)
  const records = changes.filter(({ entity }) => entity === 'dns-record')
  if (sum(records) > 0) {
    const { used, total } = await recordQuota(tx, site.id)
    if (used > total) throw new Failure(900102)
  }
  const most = { ...(await maximaOf(tx, actor.organizationId)), cdnsPerDomain: await cdnLimit(tx) }
  for (const bound of BOUNDS) {
    const grown = placesGrown(bound, changes)
    if (grown.length > 0 && (await largest(tx, site.id, bound, grown)) > bound.most(most)) throw new Failure(bound.code)
  }
  for (const { before, after } of records)
    if (after && isOriginByName(after) && !(before && isOriginByName(before) && originOf(before) === originOf(after)))
      await refuseLoop(tx, { name: String(after['name']), value: String(after['value']) }, site, services.config)
  await refuseOrigins({ tx, services }, site.id, changes)
}

/**
 * Asks of the addresses that domains and origin rules come back to what the verbs that set them ask.
 * @throws Failure 900106 where a CDN would fetch from itself, 409 where it may not connect
 */
async function refuseOrigins(
  { tx, services }: Pick<Context, 'tx' | 'services'>,
  siteId: string,
  changes: readonly EntityChange[],
): Promise<void> {
  for (const { entity, before, after } of changes) {
    const isRule = entity === 'security-rule' && after?.['part'] === 'origin-rules'
    if (!after || !(isRule || entity === 'domain')) continue
    const [domain] = await tx.query<Row>(
      'SELECT name, origin_address, origin_port, origin_protocol FROM domain WHERE id = $1 AND site_id = $2',
      [isRule ? after['domain_id'] : after['id'], siteId],
    )
    if (!domain) continue
    const was = before ? addressesOf(before, domain) : []
    for (const one of addressesOf(after, domain)) {
      if (was.some(({ address, port }) => address === one.address && port === one.port)) continue
      const problem = await originProblem({ tx, services }, String(domain['name']), one.address, one.port)
      if (problem === 'validation.cnameLoop') throw new Failure(900106)
      if (problem) throw new Failure(409, { internal: `undone, ${one.address} is no origin` })
    }
  }
}

/** Where a domain, or one of its origin rules, is fetched from. */
function addressesOf(row: Row, domain: Row): { address: string; port: number }[] {
  const rule = row['does'] === undefined ? null : OriginOverride.parse(row['does'])
  if (rule && rule.address === null && rule.port === null) return []
  const of = rule ? domain : row
  const port = portOf({
    port: rule?.port ?? Number(of['origin_port']),
    protocol: rule?.protocol ?? (of['origin_protocol'] === 'https' ? 'https' : 'http'),
  })
  const addresses = rule
    ? [rule.address ?? of['origin_address']]
    : [
        of['origin_address'],
        ...(Array.isArray(of['spare_addresses']) ? of['spare_addresses'] : []),
        of['fallback_address'],
      ]
  return addresses.flatMap((address) => (typeof address === 'string' && address !== '' ? [{ address, port }] : []))
}

type Row = NonNullable<EntityChange['after']>

const sum = (changes: readonly EntityChange[]): number =>
  changes.reduce((total, { before, after }) => total + (after ? 1 : 0) - (before ? 1 : 0), 0)

/** Where there are more rows of a kind than before the undo. */
function placesGrown({ entity, place = 'domain_id', only }: Bound, changes: EntityChange[]): string[] {
  const more = new Map<string, number>()
  const count = (row: Row | null, by: number): void => {
    if (!row || (only && !only.values.includes(String(row[only.column])))) return
    const at = String(row[place])
    more.set(at, (more.get(at) ?? 0) + by)
  }
  for (const change of changes) {
    if (change.entity !== entity) continue
    count(change.before, -1)
    count(change.after, 1)
  }
  return [...more].flatMap(([at, by]) => (by > 0 ? [at] : []))
}

async function largest(
  tx: Tx,
  siteId: string,
  { table, place = 'domain_id', only, isStaying = 'true' }: Bound,
  places: string[],
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE site_id = $1 AND ${place} = ANY($2::uuid[]) AND ${isStaying} AND ($3::text[] IS NULL OR ${only?.column ?? `''`} = ANY($3)) GROUP BY ${place} ORDER BY count DESC LIMIT 1`,
    [siteId, places, only?.values ?? null],
  )
  return row?.count ?? 0
}

const isOriginByName = (row: Row): boolean => row['multi_cdn'] === true && row['type'] === 'CNAME'
const originOf = (row: Row): string => targetName(String(row['value']))
