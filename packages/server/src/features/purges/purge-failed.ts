import type { PurgeDetail } from '@fairway/contract'
import type { Database, Tx } from '@fairway/platform'
import { endIncident, endQuietly, notify } from '../notifications/notify.ts'
import type { Pending } from './purger-store.ts'

/** So long nothing has failed before it is told that purges work again: programs purge many times a minute. */
const CALM_MINUTES = 10
const MOST = 500

const PREFIX = 'purge-failed:'
const UUID_LENGTH = 36
const incidentOf = ({ order: { siteId, cdnId } }: Pending): string => `${PREFIX}${siteId}:${cdnId}`

/** Once for a site and CDN until its purges work again. */
export async function tellFailedPurge(tx: Tx, pending: Pending, detail?: PurgeDetail | null): Promise<void> {
  const { organizationId } = pending
  const { siteId, cdnId } = pending.order
  const incident = incidentOf(pending)
  // Held until this failure can be seen: nobody ends the incident meanwhile without having seen it.
  const open = await tx.query(
    'SELECT FROM notification WHERE organization_id = $1 AND incident = $2 AND ended_at IS NULL FOR SHARE',
    [organizationId, incident],
  )
  if (open.length > 0) return
  const [names] = await tx.query<{ site: string; cdn: string }>(
    `SELECT s.domain_name AS site, c.name AS cdn FROM site s JOIN cdn c ON c.organization_id = s.organization_id AND c.id = $2 WHERE s.id = $1`,
    [siteId, cdnId],
  )
  if (!names) return
  const fields = { ...names, code: detail?.code ?? 'refused', reason: detail?.why ?? detail?.path ?? '' }
  await notify(tx, { organizationId, event: 'purge-failed', siteId, cdnId, fields, incident })
}

type Over = { id: string; organizationId: string; incident: string; isGone: boolean }

/**
 * Incidents without a failure for a while, where each name that had one has a purge that was done after its last one:
 * proven, or by the vendor's word; one where nothing was compared, or nothing stored, proves nothing. By when they
 * finished: of two under way, the later may be done before the earlier fails. `isGone` where no such name is left.
 */
const overWhere = (condition: string) =>
  `WITH calm AS MATERIALIZED (
     SELECT n.id, n.organization_id, n.incident, n.site_id, n.created_at, i.cdn_id FROM notification n CROSS JOIN LATERAL (SELECT substr(n.incident, ${PREFIX.length + UUID_LENGTH + 2}) AS cdn_id) i
     WHERE n.event = 'purge-failed' AND n.incident IS NOT NULL AND n.ended_at IS NULL AND ${condition} AND n.created_at < now() - make_interval(mins => ${CALM_MINUTES})
       AND (SELECT true FROM purge_receipt r JOIN purge p ON p.id = r.purge_id AND p.site_id = n.site_id
         WHERE r.organization_id = n.organization_id AND r.cdn_id = i.cdn_id AND r.status = 'failed' AND r.finished_at > now() - make_interval(mins => ${CALM_MINUTES}) LIMIT 1) IS NULL)
   SELECT n.id, n.organization_id AS "organizationId", n.incident, f.failing IS NULL AS "isGone" FROM calm n CROSS JOIN LATERAL (
     SELECT bool_or(NOT EXISTS (SELECT FROM purge p JOIN purge_receipt r ON r.purge_id = p.id AND r.cdn_id = n.cdn_id
         WHERE p.domain_id = d.id AND p.marked_at > last.failed_at - interval '1 day' AND r.finished_at > last.failed_at
           AND (r.status = 'completed' AND r.detail->>'code' IS DISTINCT FROM 'nothing-stored' OR r.status = 'unknown' AND r.detail->>'code' = 'vendor-says'))) AS failing
     -- What failed before is of an incident that has ended, which none does sooner after a failure.
     FROM (SELECT p.domain_id, max(r.finished_at) AS failed_at FROM purge_receipt r JOIN purge p ON p.id = r.purge_id AND p.site_id = n.site_id
         WHERE r.organization_id = n.organization_id AND r.cdn_id = n.cdn_id AND r.status = 'failed' AND r.finished_at > n.created_at - make_interval(mins => ${CALM_MINUTES}) GROUP BY p.domain_id) last
       JOIN domain d ON d.id = last.domain_id AND d.removed_at IS NULL
       JOIN domain_cdn c ON c.domain_id = d.id AND c.cdn_id = n.cdn_id AND c.state <> 'deleting') f
   WHERE f.failing IS NOT TRUE LIMIT ${MOST}`

/** Tells those who were told of failed purges that they work again, once they have for a while. */
export async function watchPurges(database: Database): Promise<void> {
  for (const { id } of await database.system((tx) => tx.query<Over>(overWhere('true'))))
    await database.system(async (tx) => {
      // Whoever holds it tells of a failure at this moment; one that was told of before this is seen by the question.
      const held = await tx.query('SELECT FROM notification WHERE id = $1 FOR UPDATE SKIP LOCKED', [id])
      if (held.length === 0) return
      const [over] = await tx.query<Over>(overWhere('n.id = $1'), [id])
      if (over) await (over.isGone ? endQuietly : endIncident)(tx, over.organizationId, over.incident)
    })
}
