import type { Location, VisitorFilter } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type VsrRow = {
  id: string
  name: string
  enabled: boolean
  filter: VisitorFilter
  cdn_id: string | null
  mimicked_address: string
  mimicked_location: Location
  created_at: Date
}
export type VsrSettings = {
  name: string
  enabled: boolean
  filter: VisitorFilter
  cdnId: string | null
  mimickedAddress: string
  mimickedLocation: Location
}

export async function listRules(
  tx: Tx,
  domainId: string,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<{ rows: VsrRow[]; total: number }> {
  const match = `domain_id = $1 AND ($2::text IS NULL OR name ILIKE '%' || $2 || '%')`
  const rows = await tx.query<VsrRow>(
    `SELECT * FROM vsr_rule WHERE ${match} ORDER BY ${order}, id LIMIT $3 OFFSET $4`,
    [domainId, search, limit, offset],
  )
  return { rows, total: await countRules(tx, domainId, search) }
}

export async function countRules(tx: Tx, domainId: string, search: string | null): Promise<number> {
  return (
    (
      await tx.query<{ total: number }>(
        `SELECT count(*) AS total FROM vsr_rule WHERE domain_id = $1 AND ($2::text IS NULL OR name ILIKE '%' || $2 || '%')`,
        [domainId, search],
      )
    )[0]?.total ?? 0
  )
}

/** All of a domain in the order they are read. */
export async function allRules(tx: Tx, domainId: string): Promise<VsrRow[]> {
  return tx.query<VsrRow>('SELECT * FROM vsr_rule WHERE domain_id = $1 ORDER BY created_at, id', [domainId])
}

export async function ruleById(tx: Tx, domainId: string, id: string): Promise<VsrRow | undefined> {
  return (await tx.query<VsrRow>('SELECT * FROM vsr_rule WHERE domain_id = $1 AND id = $2', [domainId, id]))[0]
}

export async function insertRule(
  tx: Tx,
  place: { organizationId: string; siteId: string; domainId: string },
  rule: VsrSettings,
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO vsr_rule (organization_id, site_id, domain_id, name, enabled, filter, cdn_id, mimicked_address, mimicked_location) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id',
    [place.organizationId, place.siteId, place.domainId, ...columns(rule)],
  )
  return rows[0]?.id ?? ''
}

export async function updateRule(tx: Tx, id: string, rule: VsrSettings): Promise<void> {
  await tx.query(
    'UPDATE vsr_rule SET name = $2, enabled = $3, filter = $4, cdn_id = $5, mimicked_address = $6, mimicked_location = $7, modified_at = now() WHERE id = $1',
    [id, ...columns(rule)],
  )
}

function columns(rule: VsrSettings): unknown[] {
  return [
    rule.name,
    rule.enabled,
    JSON.stringify(rule.filter),
    rule.cdnId,
    rule.mimickedAddress,
    JSON.stringify(rule.mimickedLocation),
  ]
}

export async function deleteRule(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM vsr_rule WHERE id = $1', [id])
}
