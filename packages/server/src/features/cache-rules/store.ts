import type { ExpiryUnit, PathType } from '@fairway/contract'
import { expirySeconds, type DeliveryIntent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

export type CacheRuleRow = {
  id: string
  type: PathType
  path: string
  expiry_value: number
  expiry_unit: ExpiryUnit
  honor_origin: boolean
  created_at: Date
}
export type NoCacheRuleRow = { id: string; type: PathType; path: string; created_at: Date }

const PRECEDENCE = `CASE type WHEN 'pattern' THEN 0 WHEN 'directory' THEN 1 ELSE 2 END, length(path) DESC, path`

/** In the order in which they decide. */
export async function cacheRules(tx: Tx, domainId: string): Promise<CacheRuleRow[]> {
  return tx.query<CacheRuleRow>(
    `SELECT id, type, path, expiry_value, expiry_unit, honor_origin, created_at FROM cache_rule WHERE domain_id = $1 ORDER BY ${PRECEDENCE}`,
    [domainId],
  )
}

export async function noCacheRules(tx: Tx, domainId: string): Promise<NoCacheRuleRow[]> {
  return tx.query<NoCacheRuleRow>(
    'SELECT id, type, path, created_at FROM no_cache_rule WHERE domain_id = $1 ORDER BY path, id',
    [domainId],
  )
}

/** A domain's rules as its CDNs are to have them. */
export async function cacheRulesOf(
  tx: Tx,
  domainId: string,
): Promise<Pick<DeliveryIntent, 'cacheRules' | 'noCacheRules'>> {
  const rules = await cacheRules(tx, domainId)
  return {
    cacheRules: rules.map((row) => ({
      type: row.type,
      path: row.path,
      honorOrigin: row.honor_origin,
      ttlSeconds: expirySeconds({ value: row.expiry_value, unit: row.expiry_unit }),
    })),
    noCacheRules: (await noCacheRules(tx, domainId)).map(({ type, path }) => ({ type, path })),
  }
}

type Place = { organizationId: string; siteId: string; domainId: string; type: PathType; path: string }

export async function insertCacheRule(
  tx: Tx,
  rule: Place & { value: number; unit: ExpiryUnit; honorOrigin: boolean },
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO cache_rule (organization_id, site_id, domain_id, type, path, expiry_value, expiry_unit, honor_origin) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id',
    [rule.organizationId, rule.siteId, rule.domainId, rule.type, rule.path, rule.value, rule.unit, rule.honorOrigin],
  )
  return rows[0]?.id ?? ''
}

export async function updateCacheRule(
  tx: Tx,
  id: string,
  { value, unit, honorOrigin }: { value: number; unit: ExpiryUnit; honorOrigin: boolean },
): Promise<void> {
  await tx.query(
    'UPDATE cache_rule SET expiry_value = $2, expiry_unit = $3, honor_origin = $4, modified_at = now() WHERE id = $1',
    [id, value, unit, honorOrigin],
  )
}

export async function insertNoCacheRule(tx: Tx, rule: Place): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO no_cache_rule (organization_id, site_id, domain_id, type, path) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [rule.organizationId, rule.siteId, rule.domainId, rule.type, rule.path],
  )
  return rows[0]?.id ?? ''
}

export async function deleteRule(tx: Tx, table: 'cache_rule' | 'no_cache_rule', id: string): Promise<void> {
  await tx.query(`DELETE FROM ${table} WHERE id = $1`, [id])
}

export async function updateDefaultRule(
  tx: Tx,
  domainId: string,
  ttlSeconds: number,
  honorOrigin: boolean,
  everything: boolean,
): Promise<void> {
  await tx.query(
    'UPDATE domain SET cache_ttl_seconds = $2, cache_honor_origin = $3, cache_everything = $4 WHERE id = $1',
    [domainId, ttlSeconds, honorOrigin, everything],
  )
}
