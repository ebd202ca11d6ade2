import type { CdnCategory, CdnDriverName, CdnReview } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'
import { notifyConsole } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { holdSite } from '../../reconcile/store.ts'
import { reviewIncident } from '../cdn-management/offered.ts'
import { notify } from '../notifications/notify.ts'
import { endForOperators } from '../notifications/notify-operators.ts'

type ReviewRow = {
  id: string
  state: CdnReview['state']
  cdn: string
  cdn_id: string
  driver: CdnDriverName
  category: CdnCategory
  domain: string
  domain_id: string
  site_id: string
  origin: string
  organization_id: string
  organization_name: string
  icp_number: string | null
  requested_by: string
  requested_at: Date
  decided_by: string | null
  decided_at: Date | null
  reason: string | null
  total: number
}
export type ReviewQuery = {
  id?: string
  state: string | null
  search: string | null
  order: string
  limit: number | null
  offset: number
}

/** What waits is what stands on a domain waiting; what was withdrawn is nobody's work. */
const STATE = `CASE WHEN dc.state = 'under-review' THEN 'waiting' ELSE r.state END`

export async function listReviews(
  tx: Tx,
  { id, state, search, order, limit, offset }: ReviewQuery,
): Promise<ReviewRow[]> {
  return tx.query(
    `SELECT dc.id, ${STATE} AS state, c.name AS cdn, c.id AS cdn_id, c.driver, c.category, d.name AS domain, d.id AS domain_id, d.site_id, d.origin_address AS origin, r.organization_id, o.name AS organization_name,
       r.icp_number, r.requested_by, r.requested_at, r.decided_by, r.decided_at, r.reason, count(*) OVER ()::int AS total
     FROM cdn_review r JOIN domain_cdn dc ON dc.domain_id = r.domain_id AND dc.cdn_id = r.cdn_id AND dc.state <> 'deleting' JOIN cdn c ON c.organization_id = r.organization_id AND c.id = r.cdn_id
       JOIN domain d ON d.id = r.domain_id JOIN organization o ON o.id = r.organization_id
     WHERE c.review AND (r.state <> 'waiting' OR dc.state = 'under-review') AND ($1::uuid IS NULL OR dc.id = $1) AND ($2::text IS NULL OR ${STATE} = $2) AND ($3::text IS NULL OR c.name ILIKE '%' || $3 || '%' OR d.name ILIKE '%' || $3 || '%' OR o.name ILIKE '%' || $3 || '%')
     ORDER BY ${order}, dc.id LIMIT $4 OFFSET $5`,
    [id ?? null, state, search, limit, offset],
  )
}

export const presentReview = (row: ReviewRow): CdnReview => ({
  id: row.id,
  state: row.state,
  cdn: row.cdn,
  driver: row.driver,
  category: row.category,
  domain: row.domain,
  origin: row.origin,
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  icpNumber: row.icp_number,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at.toISOString(),
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.toISOString() ?? null,
  reason: row.reason,
})

/** @throws Failure 404 when nothing waits by that id */
export async function reviewById(tx: Tx, id: string): Promise<ReviewRow> {
  const [row] = /^[0-9a-f-]{36}$/.test(id)
    ? await listReviews(tx, { id, state: null, search: null, order: 'r.requested_at', limit: 1, offset: 0 })
    : []
  if (!row) throw new Failure(404)
  return row
}

/**
 * Approved: from here on the reconciler does what it does for every CDN, as a version of the site. Refused: it stays on
 * the domain with the reason until somebody takes it off or asks again.
 */
export async function decideReview(
  tx: Tx,
  actor: UserActor,
  row: ReviewRow,
  { approved, reason, now }: { approved: boolean; reason: string; now: Date },
): Promise<void> {
  const site = await holdSite(tx, row.site_id)
  if (!site) throw new Failure(404)
  await tx.query(
    'UPDATE cdn_review SET state = $3, decided_by = $4, decided_at = $5, reason = $6 WHERE domain_id = $1 AND cdn_id = $2',
    [row.domain_id, row.cdn_id, approved ? 'approved' : 'refused', actor.label, now, reason || null],
  )
  const label = `${row.cdn} on ${row.domain}`
  if (approved) {
    const change = {
      entity: 'domain-cdn',
      id: row.id,
      label,
      before: { state: 'under-review' },
      after: { state: 'deploying' },
    }
    const version = await systemVersion(tx, {
      organizationId: row.organization_id,
      siteId: row.site_id,
      title: `${row.cdn} is approved for ${row.domain}`,
      kinds: ['dns-zone', 'edge-site', 'probe-targets'],
      changes: [change],
    })
    await tx.query(
      `UPDATE domain_cdn SET state = 'deploying', state_since = $3, detail = NULL, wanted_version = $2, attempts = 0, next_attempt_at = $3 WHERE id = $1`,
      [row.id, version, now],
    )
  } else {
    await tx.query(`UPDATE domain_cdn SET state = 'review-failed', state_since = $3, detail = $2 WHERE id = $1`, [
      row.id,
      reason || null,
      now,
    ])
    await notifyConsole(tx, { organizationId: row.organization_id, kind: 'version', siteId: row.site_id })
  }
  await notify(tx, {
    organizationId: row.organization_id,
    siteId: row.site_id,
    ...(approved
      ? { event: 'cdn-approved', fields: { cdn: row.cdn, host: row.domain } }
      : { event: 'cdn-refused', fields: { cdn: row.cdn, host: row.domain, reason } }),
  })
  await endForOperators(tx, reviewIncident(row.domain_id, row.cdn_id))
}
