import type { Acknowledgement, NotificationType, PublicationKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'
import { endIncident, notify } from './notify.ts'

const TYPES: Partial<Record<PublicationKind, NotificationType>> = {
  'dns-zone': 'dns',
  'edge-certificates': 'ssl',
  'edge-challenges': 'ssl',
  'edge-pages': 'cdn',
  'edge-security': 'origin-shield',
  'edge-site': 'cdn',
  'outside-feeds': 'analytics',
  'probe-targets': 'analytics',
}

/** A node that refuses a document tells the organisation why; taking that or a later version ends it. */
export async function tellRefusals(
  tx: Tx,
  nodeId: string,
  acknowledgements: readonly Acknowledgement[],
): Promise<void> {
  const refused = acknowledgements.filter(({ ok }) => !ok)
  const taken = acknowledgements.filter(({ ok }) => ok)
  if (taken.length) {
    const over = await tx.query<{ organization_id: string; incident: string }>(
      `SELECT organization_id, incident FROM notification WHERE event = 'deployment-refused' AND ended_at IS NULL AND incident = ANY($1)`,
      [taken.map(({ kind, key }) => incidentOf(nodeId, kind, key))],
    )
    for (const { organization_id: organizationId, incident } of over) await endIncident(tx, organizationId, incident)
  }
  for (const { kind, key, version, reason } of refused) {
    const row = (
      await tx.query<{ organization_id: string; node: string; site_id: string | null; site: string | null }>(
        `SELECT p.organization_id, n.name AS node, s.id AS site_id, s.domain_name AS site FROM publication p JOIN node n ON n.id = $3 LEFT JOIN site s ON s.id = ${uuidIn('p.key')} WHERE p.kind = $1 AND p.key = $2 AND p.organization_id IS NOT NULL`,
        [kind, key, nodeId],
      )
    )[0]
    if (!row) continue
    await notify(tx, {
      organizationId: row.organization_id,
      event: 'deployment-refused',
      fields: { site: row.site ?? key, node: row.node, version, reason: reason ?? '' },
      incident: incidentOf(nodeId, kind, key),
      ...(row.site_id ? { siteId: row.site_id } : {}),
      ...(TYPES[kind] ? { type: TYPES[kind] } : {}),
    })
  }
}

const incidentOf = (nodeId: string, kind: string, key: string): string => `refused:${nodeId}:${kind}:${key}`
