import { cacheRules as feature, type CacheRule, type Expiry, type NoCacheRule, type PathType } from '@fairway/contract'
import { canUse, expiryOf, expirySeconds, isPlainExpiry } from '@fairway/domain'
import type { Context, DomainRow } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { recordedRow, type RecordedTable } from '../versions/recorded-row.ts'
import { maximaOf } from '../plans/maxima.ts'
import {
  cacheRules,
  deleteRule,
  insertCacheRule,
  insertNoCacheRule,
  noCacheRules,
  updateCacheRule,
  updateDefaultRule,
  type CacheRuleRow,
  type NoCacheRuleRow,
} from './store.ts'

/** Lists are short and have an order of their own; another one is refused as everywhere. */
const ORDER = { precedence: 'precedence', path: 'path', created_at: 'created_at' }

export const cacheRulesSlice = slice(feature, {
  async list({ tx, domain }, query) {
    orderBy(query.ordering, ORDER)
    const rows = [...(await cacheRules(tx, domain.id)).map(present), defaultRule(domain)]
    return pageRows(
      rows.filter(({ path }) => path.includes(query.search ?? '')),
      query,
    )
  },

  async create(context, input) {
    const { tx, actor, site, domain, change } = context
    const rows = await cacheRules(tx, domain.id)
    if (rows.length >= (await maximaOf(tx, actor.organizationId)).cacheRulesPerDomain) throw new Failure(27004)
    if (rows.some((row) => row.type === input.type && row.path === input.path)) throw new Failure(27025)
    refuseUnplanned(context, input, null)
    const id = await insertCacheRule(tx, {
      organizationId: actor.organizationId,
      siteId: site.id,
      domainId: domain.id,
      type: input.type,
      path: input.path,
      ...input.expiry,
      honorOrigin: input.honorOrigin,
    })
    change.title = `Cache ${input.path} on ${domain.name}`
    await recordRow(context, 'cache_rule', 'cache-rule', id, input.path, null)
    return { data: await ruleById(context, id), meta: { version: await change.version() } }
  },

  async update(context, { id, expiry, honorOrigin, everything }) {
    const { tx, site, domain, change } = context
    const before = await ruleById(context, id)
    const wanted = {
      type: before.type,
      expiry: expiry ?? before.expiry,
      honorOrigin: honorOrigin ?? before.honorOrigin,
      everything: before.type === 'default' ? (everything ?? before.everything) : true,
    }
    if (
      expirySeconds(wanted.expiry) === before.ttlSeconds &&
      wanted.expiry.unit === before.expiry.unit &&
      wanted.honorOrigin === before.honorOrigin &&
      wanted.everything === before.everything
    )
      return { data: before, meta: { version: null } }
    refuseUnplanned(context, wanted, before)
    const isDefault = before.type === 'default'
    const [table, entity] = isDefault ? (['domain', 'domain'] as const) : (['cache_rule', 'cache-rule'] as const)
    const row = (await recordedRow(tx, table, site.id, id)) ?? null
    if (isDefault)
      await updateDefaultRule(tx, domain.id, expirySeconds(wanted.expiry), wanted.honorOrigin, wanted.everything)
    else await updateCacheRule(tx, id, { ...wanted.expiry, honorOrigin: wanted.honorOrigin })
    change.title = `Cache ${before.path} on ${domain.name}`
    await recordRow(context, table, entity, id, isDefault ? domain.name : before.path, row)
    return {
      data: isDefault
        ? defaultRule({
            ...domain,
            cache_ttl_seconds: expirySeconds(wanted.expiry),
            cache_honor_origin: wanted.honorOrigin,
            cache_everything: wanted.everything,
          })
        : await ruleById(context, id),
      meta: { version: await change.version() },
    }
  },

  async remove(context, { id }) {
    const rule = await ruleById(context, id)
    // The default is not there to be removed.
    if (rule.type === 'default') throw new Failure(404)
    return removeRow(context, 'cache_rule', 'cache-rule', id, rule.path)
  },

  async noCache({ tx, domain }, query) {
    orderBy(query.ordering, ORDER)
    const rows = (await noCacheRules(tx, domain.id)).map(presentNoCache)
    return pageRows(
      rows.filter(({ path }) => path.includes(query.search ?? '')),
      query,
    )
  },

  async createNoCache(context, { type, path }) {
    const { tx, actor, site, domain, change } = context
    const rows = await noCacheRules(tx, domain.id)
    if (rows.length >= (await maximaOf(tx, actor.organizationId)).cacheRulesPerDomain) throw new Failure(27004)
    if (rows.some((row) => row.type === type && row.path === path)) throw new Failure(27025)
    refuseAdvanced(context, type)
    const id = await insertNoCacheRule(tx, {
      organizationId: actor.organizationId,
      siteId: site.id,
      domainId: domain.id,
      type,
      path,
    })
    change.title = `Never cache ${path} on ${domain.name}`
    await recordRow(context, 'no_cache_rule', 'no-cache-rule', id, path, null)
    return { data: await noCacheById(context, id), meta: { version: await change.version() } }
  },

  async removeNoCache(context, { id }) {
    const rule = await noCacheById(context, id)
    return removeRow(context, 'no_cache_rule', 'no-cache-rule', id, rule.path)
  },
})

/**
 * Patterns, lifetimes beyond the usual range and following the origin are abilities of the plan. What a rule had before
 * stays.
 */
function refuseUnplanned(
  context: Context,
  { type, expiry, honorOrigin }: { type: CacheRule['type']; expiry: Expiry; honorOrigin: boolean },
  before: CacheRule | null,
): void {
  const seconds = expirySeconds(expiry)
  if (seconds !== before?.ttlSeconds && !isPlainExpiry(seconds)) refuse(context, 'cache.advancedRules')
  if (honorOrigin && !before?.honorOrigin) refuse(context, 'cache.honorOrigin')
  if (!before && type !== 'default') refuseAdvanced(context, type)
}

function refuseAdvanced(context: Context, type: PathType): void {
  if (type === 'pattern') refuse(context, 'cache.advancedRules')
}

function refuse({ actor }: Context, feature: 'cache.advancedRules' | 'cache.honorOrigin'): void {
  const missing = canUse([...actor.abilities], feature)
  if (missing) throw new Failure(missing)
}

async function ruleById({ tx, domain }: Context, id: string): Promise<CacheRule> {
  if (id === domain.id) return defaultRule(domain)
  const row = (await cacheRules(tx, domain.id)).find((one) => one.id === id)
  if (!row) throw new Failure(404)
  return present(row)
}

async function noCacheById({ tx, domain }: Context, id: string): Promise<NoCacheRule> {
  const row = (await noCacheRules(tx, domain.id)).find((one) => one.id === id)
  if (!row) throw new Failure(404)
  return presentNoCache(row)
}

async function recordRow(
  { tx, site, change }: Context,
  table: RecordedTable,
  entity: string,
  id: string,
  label: string,
  before: Record<string, unknown> | null,
): Promise<void> {
  change.record({ entity, id, label, before, after: (await recordedRow(tx, table, site.id, id)) ?? null })
}

async function removeRow(
  context: Context,
  table: 'cache_rule' | 'no_cache_rule',
  entity: string,
  id: string,
  path: string,
) {
  const { tx, site, domain, change } = context
  const before = (await recordedRow(tx, table, site.id, id)) ?? null
  await deleteRule(tx, table, id)
  change.title = `${table === 'cache_rule' ? 'No rule of its own for' : 'Cache'} ${path} on ${domain.name}`
  change.record({ entity, id, label: path, before, after: null })
  return { data: { id }, meta: { version: await change.version() } }
}

function pageRows<Row>(rows: Row[], query: Parameters<typeof pageOf>[0]) {
  const { limit, offset, meta } = pageOf(query)
  return { data: rows.slice(offset, limit === null ? undefined : offset + limit), meta: meta(rows.length) }
}

function present(row: CacheRuleRow): CacheRule {
  const expiry = { value: row.expiry_value, unit: row.expiry_unit }
  return {
    id: row.id,
    type: row.type,
    path: row.path,
    expiry,
    ttlSeconds: expirySeconds(expiry),
    honorOrigin: row.honor_origin,
    everything: true,
    createdAt: row.created_at.toISOString(),
  }
}

function defaultRule(domain: DomainRow): CacheRule {
  return {
    id: domain.id,
    type: 'default',
    path: '/',
    expiry: expiryOf(domain.cache_ttl_seconds),
    ttlSeconds: domain.cache_ttl_seconds,
    honorOrigin: domain.cache_honor_origin,
    everything: domain.cache_everything,
    createdAt: domain.created_at.toISOString(),
  }
}

const presentNoCache = (row: NoCacheRuleRow): NoCacheRule => ({
  id: row.id,
  type: row.type,
  path: row.path,
  createdAt: row.created_at.toISOString(),
})
