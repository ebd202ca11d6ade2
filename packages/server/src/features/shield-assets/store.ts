import type { OriginShield } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { IS_THERE } from '../nodes/away.ts'

export type InstanceRow = {
  domain_id: string
  domain: string
  site: string
  origin_shield: OriginShield
  node: string
  away: boolean
  region: string | null
  /** Sent to the origin today; null while the node has told nothing. */ own: number | null
  others: number | null
  /** What the node has confirmed of the site's rules; null for nothing yet. */ version: number | null
  ok: boolean | null
  reason: string | null
  /** The version that put the domain behind its shield or took it from there; null when none that is known did. */
  turned: number | null
  turned_at: Date | null
}

/** Every domain of the organisation at every node of the edge. */
export async function instanceRows(tx: Tx): Promise<InstanceRow[]> {
  return tx.query<InstanceRow>(
    `SELECT d.id AS domain_id, d.name AS domain, s.domain_name AS site, d.origin_shield, n.name AS node, NOT (n.${IS_THERE}) AS away, coalesce(n.region_given, n.region_told) AS region,
       c.own::float8 AS own, c.others::float8 AS others,
       v.version, v.ok, v.reason, t.number AS turned, t.created_at AS turned_at
     FROM domain d JOIN site s ON s.id = d.site_id CROSS JOIN node n
     LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = 'edge-security' AND v.key = d.site_id::text
     LEFT JOIN shield_count c ON c.domain_id = d.id AND c.node_id = n.id AND c.day = (now() AT TIME ZONE 'UTC')::date
     LEFT JOIN LATERAL (
       SELECT w.number, w.created_at FROM version w, jsonb_array_elements(w.changes) c
       WHERE w.site_id = d.site_id AND c->>'entity' = 'domain' AND c->>'id' = d.id::text
         AND c->'before'->>'origin_shield' IS DISTINCT FROM c->'after'->>'origin_shield' AND c->'before' <> 'null'
       ORDER BY w.number DESC LIMIT 1
     ) t ON true
     WHERE n.role = 'edge' AND d.removed_at IS NULL AND (d.origin_shield = 'use' OR t.number IS NOT NULL)
     ORDER BY d.name, n.name`,
  )
}
