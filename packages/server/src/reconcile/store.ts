import { ByoPlatform, type CdnDriverName, type CdnState } from '@fairway/contract'
import { STEERED_TTL_SECONDS } from '@fairway/domain'
import { type CdnOrder, type Leased, type Learnt } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'

export type OrderRow = {
  id: string
  site_id: string
  domain_id: string
  host: string
  cdn_id: string
  slug: string
  custom_cname: string | null
  wanted_version: number
  vendor_ref: string | null
  vendor_certificate: string | null
}
type LeasedRow = OrderRow & {
  driver: CdnDriverName
  state: CdnState
  state_since: Date
  applied_version: number | null
  next_attempt_at: Date
  attempts: number
  bad_looks: number
}

/** What an order is made of: a row of `domain_cdn` as `dc`, with its domain as `d` and its CDN as `c`. */
export const ORDER_COLUMNS =
  'dc.id, dc.site_id, dc.domain_id, d.name AS host, dc.cdn_id, c.slug, c.cname AS custom_cname, dc.wanted_version, dc.vendor_ref, dc.vendor_certificate'

export const orderOf = (row: OrderRow): CdnOrder => ({
  reference: row.id,
  domainId: row.domain_id,
  siteId: row.site_id,
  host: row.host,
  cdnId: row.cdn_id,
  slug: row.slug,
  customCname: row.custom_cname,
  vendorRef: row.vendor_ref,
  vendorCertificate: row.vendor_certificate,
  version: row.wanted_version,
})

const TTL = `coalesce((SELECT r.ttl_seconds FROM dns_record r WHERE r.domain_id = dc.domain_id), ${STEERED_TTL_SECONDS})`

/** What is asked elsewhere, which may take long: vendors, and CDNs that their owners have set up. */
const OUTSIDE: readonly CdnDriverName[] = [...ByoPlatform.options, 'custom']

const LOOK_EVERY_MS = 300_000
const LOOK_PACE_MS = 500

/**
 * Whose CDNs a worker's turn is about; `looks`: those at vendors that are as they are wanted, which take turns of their
 * own, so that a vendor that hangs holds up no changes.
 */
export type Whose = 'house' | 'vendors' | 'looks'

const listed = (names: readonly string[]): string => `(${names.map((name) => `'${name}'`).join(', ')})`
/** Of rows of `domain_cdn` as `dc` with their CDN as `c`. */
const IS_LOOK = `(dc.state = 'operational' AND coalesce(dc.applied_version, -1) >= dc.wanted_version AND c.driver IN ${listed(ByoPlatform.options)})`
const THEIRS: Record<Whose, string> = {
  house: `c.driver NOT IN ${listed(OUTSIDE)}`,
  vendors: `c.driver IN ${listed(OUTSIDE)} AND NOT ${IS_LOOK}`,
  looks: IS_LOOK,
}
/** Has rows when there are looks to be made. */
export const UNLOOKED = `SELECT FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.next_attempt_at <= now() AND ${IS_LOOK}`

/**
 * Takes CDNs that are not at their goal, or those of vendors that have not been looked at for a while. Organisations
 * take turns, with what one has leased already counted; of each what serves comes last.
 * One that leaves is a driver's matter only when resolvers have forgotten it; one that only a request can tell about is
 * asked again when it is time, not whenever something else happens. A name that is not served is set up nowhere.
 */
export async function leaseUnsettled(
  tx: Tx,
  whose: Whose,
  limit: number,
  leaseMs: number,
  now: Date,
): Promise<Leased[]> {
  const rows = await tx.query<LeasedRow>(
    `WITH held AS (
       SELECT dc.organization_id, count(*) AS places FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.leased_until >= $3 AND ${THEIRS[whose]} GROUP BY 1),
     due AS (
       SELECT dc.id, dc.next_attempt_at, row_number() OVER (PARTITION BY dc.organization_id ORDER BY dc.state = 'operational', dc.next_attempt_at, dc.state_since) + coalesce(held.places, 0) AS place
       FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id JOIN site s ON s.id = dc.site_id AND (s.claim IN ('served', 'proven') OR dc.state = 'deleting') LEFT JOIN held ON held.organization_id = dc.organization_id
       WHERE (dc.leased_until IS NULL OR dc.leased_until < $3) AND ${THEIRS[whose]} AND (dc.state IN ('deploying', 'failed', 'action-required', 'waiting-ssl', 'waiting-approval') AND (c.driver IN ('fairway-edge', 'simulated') OR dc.next_attempt_at <= $3)
         OR dc.state = 'operational' AND dc.applied_version < dc.wanted_version AND dc.next_attempt_at <= $3
         OR ${IS_LOOK} AND dc.next_attempt_at <= $3
         OR dc.state = 'deleting' AND dc.left_dns_at + make_interval(secs => ${TTL}) <= $3 AND dc.next_attempt_at <= $3)),
     taken AS (
       SELECT dc.id FROM due JOIN domain_cdn dc USING (id) WHERE dc.leased_until IS NULL OR dc.leased_until < $3
       ORDER BY due.place, dc.state = 'operational', due.next_attempt_at LIMIT $1 FOR UPDATE OF dc SKIP LOCKED)
     UPDATE domain_cdn dc SET leased_until = $3::timestamptz + make_interval(secs => $2::float8 / 1000) FROM taken, domain d, cdn c
     WHERE dc.id = taken.id AND d.id = dc.domain_id AND c.organization_id = dc.organization_id AND c.id = dc.cdn_id
     RETURNING ${ORDER_COLUMNS}, c.driver, dc.state, dc.state_since, dc.applied_version, dc.next_attempt_at, dc.attempts, dc.bad_looks`,
    [limit, leaseMs, now],
  )
  return rows.map((row) => ({
    order: orderOf(row),
    driver: row.driver,
    desired: { goal: row.state === 'deleting' ? 'gone' : 'serving', version: row.wanted_version },
    state: row.state,
    stateSince: row.state_since.getTime(),
    appliedVersion: row.applied_version,
    nextAttemptAt: row.next_attempt_at.getTime(),
    attempts: row.attempts,
    badLooks: row.bad_looks,
  }))
}

/** How often each CDN of a vendor that serves is looked at, ms: all of them together so often that no vendor minds. */
export async function lookEveryMs(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ serving: number }>(
    `SELECT count(*)::int AS serving FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.state = 'operational' AND c.driver = ANY($1)`,
    [ByoPlatform.options],
  )
  return Math.max(LOOK_EVERY_MS, (row?.serving ?? 0) * LOOK_PACE_MS)
}

/** What a worker had taken when it died is free again. */
export async function releaseAll(tx: Tx, whose: Whose): Promise<void> {
  await tx.query(
    `UPDATE domain_cdn dc SET leased_until = NULL FROM cdn c WHERE dc.leased_until IS NOT NULL AND c.organization_id = dc.organization_id AND c.id = dc.cdn_id AND ${THEIRS[whose]}`,
  )
}

/**
 * Writes what was learnt, unless somebody wants something else by now, and ends the lease. True when it was written.
 */
export async function writeLearnt(tx: Tx, { order, desired }: Leased, learnt: Learnt): Promise<boolean> {
  await tx.query('UPDATE domain_cdn SET leased_until = NULL WHERE id = $1', [order.reference])
  if (!Object.keys(learnt).length) return false
  const time = (ms: number | undefined) => (ms === undefined ? null : new Date(ms))
  const rows = await tx.query(
    `UPDATE domain_cdn SET state = coalesce($4, state), state_since = coalesce($5, state_since), applied_version = coalesce($6, applied_version), next_attempt_at = coalesce($7, next_attempt_at),
       attempts = coalesce($8, attempts), detail = CASE WHEN $9 THEN $10 ELSE detail END, bad_looks = coalesce($11, bad_looks)
     WHERE id = $1 AND wanted_version = $2 AND (state = 'deleting') = $3 RETURNING id`,
    [
      order.reference,
      desired.version,
      desired.goal === 'gone',
      learnt.state ?? null,
      time(learnt.stateSince),
      learnt.appliedVersion ?? null,
      time(learnt.nextAttemptAt),
      learnt.attempts ?? null,
      'detail' in learnt,
      learnt.detail || null,
      learnt.badLooks ?? null,
    ],
  )
  return rows.length > 0
}

/**
 * What a vendor has made is written whatever is wanted by now: it is there. True when DNS has something new to answer
 * for it.
 */
export async function writePlaced(
  tx: Tx,
  { order: { reference } }: Leased,
  { placed, records }: Learnt,
): Promise<boolean> {
  if (placed) {
    await tx.query(
      `UPDATE domain_cdn SET vendor_ref = $2, vendor_cname = $3, vendor_certificate_at = CASE WHEN vendor_certificate IS NOT DISTINCT FROM $4 THEN vendor_certificate_at WHEN $4::text IS NOT NULL THEN now() END, vendor_certificate = $4 WHERE id = $1`,
      [reference, placed.ref, placed.cname, placed.certificate],
    )
  }
  if (!records) return false
  return (
    (
      await tx.query(
        'UPDATE domain_cdn SET vendor_records = $2 WHERE id = $1 AND vendor_records IS DISTINCT FROM $2::jsonb RETURNING id',
        [reference, JSON.stringify(records)],
      )
    ).length > 0
  )
}

/**
 * The site's domains at vendors are to be brought to this version: how the edge serves them, or their certificates,
 * have changed.
 */
export async function askVendorsAgain(tx: Tx, siteId: string, version: number): Promise<void> {
  await tx.query(
    `UPDATE domain_cdn dc SET wanted_version = $2, next_attempt_at = now(), attempts = 0, bad_looks = 0 FROM cdn c
     WHERE dc.site_id = $1 AND c.organization_id = dc.organization_id AND c.id = dc.cdn_id AND c.driver = ANY($3) AND dc.wanted_version < $2 AND dc.state NOT IN ('deleting', 'under-review', 'review-failed')`,
    [siteId, version, ByoPlatform.options],
  )
}

/** The CDN is gone; its domain too when the record is gone and this was the last one. */
export async function deleteGone(tx: Tx, { order, desired }: Leased): Promise<void> {
  await tx.query(`DELETE FROM domain_cdn WHERE id = $1 AND state = 'deleting' AND wanted_version = $2`, [
    order.reference,
    desired.version,
  ])
  await removeEmptyDomains(tx)
}

export async function removeEmptyDomains(tx: Tx): Promise<void> {
  await tx.query(
    'DELETE FROM domain d WHERE removed_at IS NOT NULL AND NOT EXISTS (SELECT FROM domain_cdn dc WHERE dc.domain_id = d.id)',
  )
}

/** Holds the site, as every change of it does. */
export async function holdSite(
  tx: Tx,
  siteId: string,
): Promise<{ name: string; organizationId: string; version: number } | undefined> {
  return (
    await tx.query<{ name: string; organizationId: string; version: number }>(
      'SELECT domain_name AS name, organization_id AS "organizationId", version FROM site WHERE id = $1 FOR NO KEY UPDATE',
      [siteId],
    )
  )[0]
}

export async function ownerOf(tx: Tx, siteId: string): Promise<string | undefined> {
  const [site] = await tx.query<{ id: string }>('SELECT organization_id AS id FROM site WHERE id = $1', [siteId])
  return site?.id
}

export async function nameOf(tx: Tx, rowId: string): Promise<string> {
  return (
    (
      await tx.query<{ name: string }>(
        'SELECT c.name FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.id = $1',
        [rowId],
      )
    )[0]?.name ?? ''
  )
}

/**
 * Marks a domain's CDNs that have left DNS as leaving the edge with a version; answers those that were not marked
 * before.
 */
export async function leaveEdge(
  tx: Tx,
  domainId: string,
  version: number,
): Promise<{ id: string; name: string; host: string }[]> {
  return tx.query(
    `UPDATE domain_cdn dc SET edge_left_version = $2 FROM cdn c, domain d WHERE dc.domain_id = $1 AND dc.state = 'deleting' AND dc.left_dns_at IS NOT NULL AND dc.leased_until IS NOT NULL AND dc.edge_left_version IS NULL
       AND c.organization_id = dc.organization_id AND c.id = dc.cdn_id AND d.id = dc.domain_id RETURNING dc.id, c.name, d.name AS host`,
    [domainId, version],
  )
}

export async function leftVersion(tx: Tx, domainId: string): Promise<number> {
  return (
    (
      await tx.query<{ version: number | null }>(
        'SELECT max(edge_left_version) AS version FROM domain_cdn WHERE domain_id = $1',
        [domainId],
      )
    )[0]?.version ?? 0
  )
}

/** CDNs that have to leave DNS, with the version of the zone that does not answer with them. */
export async function leavingDns(tx: Tx): Promise<{ id: string; siteId: string; version: number }[]> {
  return tx.query(
    `SELECT id, site_id AS "siteId", wanted_version AS version FROM domain_cdn WHERE state = 'deleting' AND left_dns_at IS NULL`,
  )
}

export async function markLeftDns(tx: Tx, ids: string[], version: number, now: Date): Promise<void> {
  await tx.query(
    `UPDATE domain_cdn SET left_dns_at = $3, detail = NULL WHERE id = ANY($1) AND wanted_version = $2 AND state = 'deleting' AND left_dns_at IS NULL`,
    [ids, version, now],
  )
}

export async function markWaiting(tx: Tx, ids: string[], why: string): Promise<void> {
  await tx.query('UPDATE domain_cdn SET detail = $2 WHERE id = ANY($1) AND detail IS DISTINCT FROM $2', [ids, why])
}
