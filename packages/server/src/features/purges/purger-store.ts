import { CachedSample, type PurgeDetail, type PurgeKind, type PurgeStatus } from '@fairway/contract'
import type { CdnOrder } from '@fairway/drivers'
import type { CdnDriverName } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { nextPurgeVersion } from './store.ts'

const OPEN = `status IN ('deploying', 'rate-limited')`

/** One CDN's part of a purge that is not finished. */
export type Pending = {
  id: string
  purgeId: string
  organizationId: string
  kind: PurgeKind
  targets: string[]
  soft: boolean
  markedAt: Date
  version: number
  createdAt: Date
  samples: CachedSample[]
  /** All nodes had said what they hold. */
  looked: boolean
  attempts: number
  acceptedAt: Date | null
  driver: CdnDriverName
  simulatedAddress: string | null
  cname: string | null
  vendorRef: string | null
  order: CdnOrder
}

type Row = Omit<Pending, 'order' | 'samples'> &
  Omit<CdnOrder, 'version' | 'reference' | 'vendorRef' | 'vendorCertificate'> & {
    reference: string | null
    samples: unknown
    propertyRef: string | null
  }

/**
 * Takes up to `limit` that are due, so that nobody else takes them for `leaseMs`: of each organisation its oldest, then
 * of each its second and so on, so that one with thousands delays nobody.
 */
export async function leasePending(tx: Tx, limit: number, leaseMs: number, now: Date): Promise<Pending[]> {
  const rows = await tx.query<Row>(
    `WITH RECURSIVE owners AS (
         (SELECT organization_id FROM purge_receipt WHERE ${OPEN} ORDER BY organization_id LIMIT 1)
         UNION ALL SELECT (SELECT r.organization_id FROM purge_receipt r WHERE ${OPEN} AND r.organization_id > o.organization_id ORDER BY r.organization_id LIMIT 1) FROM owners o WHERE o.organization_id IS NOT NULL),
       oldest AS (SELECT r.* FROM owners o CROSS JOIN LATERAL (
         SELECT id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at) AS place FROM (SELECT id, next_attempt_at FROM purge_receipt
           WHERE organization_id = o.organization_id AND ${OPEN} AND next_attempt_at <= $1 AND (leased_until IS NULL OR leased_until < $1) ORDER BY next_attempt_at LIMIT $2) few) r),
       due AS (SELECT r.id FROM oldest o JOIN purge_receipt r ON r.id = o.id WHERE ${OPEN} AND (r.leased_until IS NULL OR r.leased_until < $1) ORDER BY o.place, o.next_attempt_at LIMIT $2 FOR UPDATE OF r SKIP LOCKED),
       taken AS (UPDATE purge_receipt r SET leased_until = $3 FROM due WHERE r.id = due.id RETURNING r.*)
     SELECT t.id, t.purge_id AS "purgeId", t.organization_id AS "organizationId", p.kind, p.targets, p.soft, p.marked_at AS "markedAt", p.version, p.created_at AS "createdAt", t.samples, t.looked, t.attempts, t.accepted_at AS "acceptedAt",
       c.driver, s.address AS "simulatedAddress", dc.id AS reference, p.domain_id AS "domainId", p.site_id AS "siteId", d.name AS host, t.cdn_id AS "cdnId", c.slug, c.cname AS "customCname",
       t.vendor_ref AS "vendorRef", dc.vendor_ref AS "propertyRef", coalesce(dc.vendor_cname, dc.cname) AS cname
     FROM taken t JOIN purge p ON p.id = t.purge_id JOIN domain d ON d.id = p.domain_id JOIN cdn c ON c.organization_id = t.organization_id AND c.id = t.cdn_id
       LEFT JOIN domain_cdn dc ON dc.domain_id = p.domain_id AND dc.cdn_id = t.cdn_id LEFT JOIN simulated_cdn s ON s.slug = c.slug AND c.driver = 'simulated'`,
    [now, limit, new Date(now.getTime() + leaseMs)],
  )
  return rows.map(({ reference, domainId, siteId, host, cdnId, slug, customCname, samples, propertyRef, ...row }) => ({
    ...row,
    samples: CachedSample.array().parse(samples),
    order: {
      reference: reference ?? row.id,
      domainId,
      siteId,
      host,
      cdnId,
      slug,
      customCname,
      vendorRef: propertyRef,
      vendorCertificate: null,
      version: row.version,
    },
  }))
}

export type ReceiptChange = {
  status?: PurgeStatus
  detail?: PurgeDetail
  attempts?: number
  acceptedAt?: Date | null
  nextAttemptAt?: Date
  vendorRef?: string | null
  samples?: CachedSample[]
}

/** Writes what was learnt and ends the lease; nothing of a purge that was taken back meanwhile, and then false. */
export async function writeReceipt(
  tx: Tx,
  { id, attempts, acceptedAt, vendorRef }: Pending,
  change: ReceiptChange,
  now: Date,
): Promise<boolean> {
  const finished = change.status !== undefined && change.status !== 'deploying' && change.status !== 'rate-limited'
  const rows = await tx.query(
    `UPDATE purge_receipt SET status = coalesce($2, status), detail = coalesce($3::jsonb, detail), attempts = $4, accepted_at = $5, next_attempt_at = coalesce($6, next_attempt_at), finished_at = $7, vendor_ref = $8, samples = coalesce($9::jsonb, samples), leased_until = NULL WHERE id = $1 AND status IN ('deploying', 'rate-limited') RETURNING id`,
    [
      id,
      change.status ?? null,
      change.detail ? JSON.stringify(change.detail) : null,
      change.attempts ?? attempts,
      change.acceptedAt === undefined ? acceptedAt : change.acceptedAt,
      change.nextAttemptAt ?? null,
      finished ? now : null,
      change.vendorRef === undefined ? vendorRef : change.vendorRef,
      change.samples ? JSON.stringify(change.samples) : null,
    ],
  )
  return rows.length > 0
}

/**
 * The edge is told again, with a later moment: what was stored in the same second as the purge cannot be told from what
 * came after it.
 */
export async function markAgain(tx: Tx, { purgeId, organizationId, order }: Pending): Promise<void> {
  const version = await nextPurgeVersion(tx, organizationId, order.domainId)
  await tx.query('UPDATE purge SET marked_at = clock_timestamp(), version = $2 WHERE id = $1 AND undone_at IS NULL', [
    purgeId,
    version,
  ])
}

export async function releasePending(tx: Tx): Promise<void> {
  await tx.query(
    `UPDATE purge_receipt SET leased_until = NULL WHERE leased_until IS NOT NULL AND status IN ('deploying', 'rate-limited')`,
  )
}
