import { cdnSlug, type ByoPlatform } from '@fairway/contract'
import { insertVendorCdn } from '../cdn-management/vendor-cdns.ts'
import { hasVideosAt } from '../signed-urls/cloudfront-store.ts'
import { isSteeredTo } from '../stream-balancers/store.ts'
import type { Tx } from '@fairway/platform'

export type ByoKeyRow = {
  id: string
  platform: ByoPlatform
  name: string
  fields: Record<string, string>
  sealed: string
  tested_at: Date | null
  test_problem: string | null
  created_at: Date
  modified_at: Date
  total: number
}

export async function listKeys(
  tx: Tx,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<ByoKeyRow[]> {
  return tx.query(
    `SELECT *, count(*) OVER ()::int AS total FROM byo_cdn_key WHERE $1::text IS NULL OR name ILIKE '%' || $1 || '%' OR platform ILIKE '%' || $1 || '%' ORDER BY ${order}, id LIMIT $2 OFFSET $3`,
    [search, limit, offset],
  )
}

export async function findKey(tx: Tx, id: string): Promise<ByoKeyRow | undefined> {
  return (await tx.query<ByoKeyRow>('SELECT *, 1 AS total FROM byo_cdn_key WHERE id = $1 FOR UPDATE', [id]))[0]
}

/** Null when the organisation has this very key already. */
export async function insertKey(
  tx: Tx,
  key: {
    id: string
    organizationId: string
    platform: ByoPlatform
    name: string
    fields: object
    sealed: string
    fingerprint: string
  },
): Promise<ByoKeyRow | null> {
  const rows = await tx.query<ByoKeyRow>(
    `INSERT INTO byo_cdn_key (id, organization_id, platform, name, fields, sealed, fingerprint) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (organization_id, fingerprint) DO NOTHING RETURNING *, 1 AS total`,
    [key.id, key.organizationId, key.platform, key.name, JSON.stringify(key.fields), key.sealed, key.fingerprint],
  )
  return rows[0] ?? null
}

/** What was tested was the key before: an edited one has to be tested again. */
export async function updateKey(
  tx: Tx,
  id: string,
  key: { name: string; fields: object; sealed: string; fingerprint: string },
): Promise<ByoKeyRow | undefined> {
  const rows = await tx.query<ByoKeyRow>(
    `UPDATE byo_cdn_key SET name = $2, fields = $3, sealed = $4, tested_at = CASE WHEN fingerprint = $5 AND fields = $3 THEN tested_at END, test_problem = CASE WHEN fingerprint = $5 AND fields = $3 THEN test_problem END, fingerprint = $5, modified_at = now()
     WHERE id = $1 RETURNING *, 1 AS total`,
    [id, key.name, JSON.stringify(key.fields), key.sealed, key.fingerprint],
  )
  return rows[0]
}

export async function fingerprintTaken(tx: Tx, fingerprint: string, exceptId: string): Promise<boolean> {
  return (
    (await tx.query('SELECT FROM byo_cdn_key WHERE fingerprint = $1 AND id <> $2', [fingerprint, exceptId])).length > 0
  )
}

export async function noteTest(tx: Tx, id: string, problem: string | null): Promise<ByoKeyRow | undefined> {
  return (
    await tx.query<ByoKeyRow>(
      'UPDATE byo_cdn_key SET tested_at = now(), test_problem = $2 WHERE id = $1 RETURNING *, 1 AS total',
      [id, problem],
    )
  )[0]
}

/** The CDN that the key reaches, for domains to be attached to. */
export async function addKeyCdn(
  tx: Tx,
  {
    organizationId,
    keyId,
    platform,
    name,
  }: { organizationId: string; keyId: string; platform: ByoPlatform; name: string },
): Promise<void> {
  const own = keyId.slice(0, 8)
  const taken = (await tx.query('SELECT FROM cdn WHERE lower(name) = lower($1)', [name])).length > 0
  await insertVendorCdn(tx, {
    organizationId,
    id: `${cdnSlug(name).slice(0, 40)}-${own}`,
    name: taken ? `${name} ${own}` : name,
    platform,
    keyId,
  })
}

/** False while a domain is, or is still being taken off, what the key reaches, or videos are there or players steered to it. */
export async function dropKeyCdn(tx: Tx, keyId: string): Promise<boolean> {
  const cdns = await tx.query<{ id: string; used: boolean }>(
    'SELECT c.id, EXISTS (SELECT FROM domain_cdn dc WHERE dc.organization_id = c.organization_id AND dc.cdn_id = c.id) AS used FROM cdn c WHERE c.byo_key_id = $1',
    [keyId],
  )
  for (const { id, used } of cdns) if (used || (await isSteeredTo(tx, id)) || (await hasVideosAt(tx, id))) return false
  await tx.query('DELETE FROM cdn WHERE byo_key_id = $1', [keyId])
  return true
}
