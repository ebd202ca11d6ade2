import type { SecurityExpression } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type RulePart =
  | 'firewall-rules'
  | 'api-protection'
  | 'failed-login'
  | 'credential-stuffing'
  | 'http-header-rewrite'
  | 'origin-rules'
export type RuleRow = {
  id: string
  position: number
  name: string
  enabled: boolean
  expression: SecurityExpression | null
  does: unknown
  created_at: Date
}
export type RuleContent = { name: string; enabled: boolean; expression: SecurityExpression | null; does: object }

const COLUMNS = 'id, position, name, enabled, expression, does, created_at'

/** A list's rules in the order in which they are read. */
export async function rulesOf(tx: Tx, domainId: string, part: RulePart): Promise<RuleRow[]> {
  return tx.query<RuleRow>(
    `SELECT ${COLUMNS} FROM security_rule WHERE domain_id = $1 AND part = $2 ORDER BY position, created_at, id`,
    [domainId, part],
  )
}

/** How many rules each list of a domain has; an empty one is left out. */
export async function countRules(tx: Tx, domainId: string): Promise<Map<RulePart, number>> {
  const rows = await tx.query<{ part: RulePart; n: number }>(
    'SELECT part, count(*)::int AS n FROM security_rule WHERE domain_id = $1 GROUP BY part',
    [domainId],
  )
  return new Map(rows.map(({ part, n }) => [part, n]))
}

type Place = { organizationId: string; siteId: string; domainId: string; part: RulePart; position: number }

/** Those at the position and behind it make room. */
export async function insertRule(tx: Tx, place: Place, rule: RuleContent): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO security_rule (organization_id, site_id, domain_id, part, position, name, enabled, expression, does) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id',
    [
      place.organizationId,
      place.siteId,
      place.domainId,
      place.part,
      place.position,
      rule.name,
      rule.enabled,
      rule.expression === null ? null : JSON.stringify(rule.expression),
      JSON.stringify(rule.does),
    ],
  )
  return rows[0]?.id ?? ''
}

export async function updateRule(tx: Tx, id: string, rule: RuleContent): Promise<void> {
  await tx.query(
    'UPDATE security_rule SET name = $2, enabled = $3, expression = $4, does = $5, modified_at = now() WHERE id = $1',
    [
      id,
      rule.name,
      rule.enabled,
      rule.expression === null ? null : JSON.stringify(rule.expression),
      JSON.stringify(rule.does),
    ],
  )
}

/** Gives the rules the positions of their places in the list. */
export async function setPositions(tx: Tx, domainId: string, part: RulePart, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE security_rule r SET position = o.position FROM unnest($3::uuid[]) WITH ORDINALITY AS o (id, position)
     WHERE r.id = o.id AND r.domain_id = $1 AND r.part = $2 AND r.position <> o.position`,
    [domainId, part, ids],
  )
}

export async function deleteRule(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM security_rule WHERE id = $1', [id])
}
