import type { Tx } from '@fairway/platform'
import { endIncident, notify } from './notify.ts'

/** Told from nine tenths on, and over below eight: a count that swings around the line is told once. */
const NEAR = 0.9
const FAR = 0.8

type Use = {
  organization_id: string
  what: 'sites' | 'records' | 'cdns'
  key: string
  of: string | null
  site_id: string | null
  used: number
  limit: number
}

const USES = `
  SELECT o.id AS organization_id, 'sites' AS what, '' AS key, NULL::text AS of, NULL::uuid AS site_id, count(s.id)::int AS used, p.site_limit AS limit
    FROM organization o JOIN plan p ON p.id = o.plan_id JOIN site s ON s.organization_id = o.id GROUP BY o.id, p.site_limit
  UNION ALL SELECT s.organization_id, 'records', s.id::text, s.domain_name, s.id, s.record_count, p.record_limit
    FROM site s JOIN organization o ON o.id = s.organization_id JOIN plan p ON p.id = o.plan_id WHERE s.record_count > 0
  UNION ALL SELECT d.organization_id, 'cdns', d.id::text, d.name, d.site_id, count(c.id)::int, p.cdn_limit
    FROM domain d JOIN organization o ON o.id = d.organization_id JOIN plan p ON p.id = o.plan_id JOIN domain_cdn c ON c.domain_id = d.id AND c.state <> 'deleting' WHERE d.removed_at IS NULL GROUP BY d.id, p.cdn_limit`

/** What a plan includes and is nearly used. */
export async function watchQuotas(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(4715)')
  const uses = await tx.query<Use>(
    `SELECT * FROM (${USES}) AS u WHERE used >= ${NEAR} * "limit" ORDER BY organization_id, what, key`,
  )
  for (const { organization_id: organizationId, what, key, of, site_id: siteId, used, limit } of uses) {
    await notify(tx, {
      organizationId,
      event: 'quota-near',
      fields: { what, of, used, limit },
      incident: `quota:${what}:${key}`,
      ...(siteId ? { siteId } : {}),
    })
  }
  const over = await tx.query<{ organization_id: string; incident: string }>(
    `SELECT n.organization_id, n.incident FROM notification n WHERE n.event = 'quota-near' AND n.incident IS NOT NULL AND n.ended_at IS NULL AND n.fields->>'what' IN ('sites', 'records', 'cdns')
       AND NOT EXISTS (SELECT FROM (${USES}) AS u WHERE u.organization_id = n.organization_id AND n.incident = 'quota:' || u.what || ':' || u.key AND u.used >= ${FAR} * u."limit")`,
  )
  for (const { organization_id: organizationId, incident } of over) await endIncident(tx, organizationId, incident)
}
