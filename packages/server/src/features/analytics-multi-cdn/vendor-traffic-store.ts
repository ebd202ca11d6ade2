import type { ByoPlatform, VendorReading } from '@fairway/contract'
import { plainWords, type CdnOrder } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { type OrderRow, ORDER_COLUMNS, orderOf } from '../../reconcile/store.ts'

/** One CDN of a domain whose vendor is to be asked. */
export type DueTraffic = {
  order: CdnOrder
  driver: ByoPlatform
  organizationId: string
  account: string
  isBilled: boolean
  readUntil: number
  settledAt: number | null
  attempts: number
}

type Row = OrderRow & {
  driver: ByoPlatform
  organization_id: string
  account: string
  is_billed: boolean
  read_until: Date
  settled_at: Date | null
  traffic_attempts: number
}

/** One account that is slow, or is asked for patience, does not hold the others up. */
const PER_ACCOUNT = 2
const LEASE_SECONDS = 300

export async function takeDueTraffic(tx: Tx, limit: number): Promise<DueTraffic[]> {
  const rows = await tx.query<Row>(
    `WITH due AS (
       SELECT v.domain_cdn_id, row_number() OVER (PARTITION BY v.account ORDER BY v.due_at) + (SELECT count(*) FROM vendor_traffic b WHERE b.account = v.account AND b.leased_until > now()) AS place
       FROM vendor_traffic v WHERE v.due_at <= now() AND (v.leased_until IS NULL OR v.leased_until < now())),
     taken AS (SELECT v.domain_cdn_id FROM vendor_traffic v JOIN due USING (domain_cdn_id) WHERE due.place <= ${PER_ACCOUNT} ORDER BY v.due_at LIMIT $1 FOR UPDATE OF v SKIP LOCKED)
     UPDATE vendor_traffic v SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken, domain_cdn dc, domain d, cdn c
     WHERE v.domain_cdn_id = taken.domain_cdn_id AND dc.id = v.domain_cdn_id AND d.id = dc.domain_id AND c.organization_id = dc.organization_id AND c.id = dc.cdn_id
     RETURNING ${ORDER_COLUMNS}, c.driver, dc.organization_id, v.account, c.byo_key_id IS NULL AS is_billed, v.read_until, v.settled_at, v.attempts AS traffic_attempts`,
    [limit],
  )
  return rows.map((row) => ({
    order: orderOf(row),
    driver: row.driver,
    organizationId: row.organization_id,
    account: row.account,
    isBilled: row.is_billed,
    readUntil: row.read_until.getTime(),
    settledAt: row.settled_at?.getTime() ?? null,
    attempts: row.traffic_attempts,
  }))
}

/** Buckets are in the store: what is asked next begins behind them. */
export async function noteRead(
  tx: Tx,
  { order: { reference } }: DueTraffic,
  { readUntil, settledAt, dueAt }: { readUntil: number; settledAt: number | null; dueAt: number },
): Promise<void> {
  await tx.query(
    'UPDATE vendor_traffic SET read_until = greatest(read_until, $2), settled_at = coalesce($3, settled_at), due_at = $4, attempts = 0, problem = NULL, problem_since = NULL, leased_until = NULL WHERE domain_cdn_id = $1',
    [reference, new Date(readUntil), settledAt === null ? null : new Date(settledAt), new Date(dueAt)],
  )
}

export async function noteProblem(
  tx: Tx,
  { order: { reference } }: DueTraffic,
  { problem, dueAt }: { problem: string; dueAt: number },
): Promise<void> {
  await tx.query(
    'UPDATE vendor_traffic SET attempts = attempts + 1, problem = $2, problem_since = coalesce(problem_since, now()), due_at = $3, leased_until = NULL WHERE domain_cdn_id = $1',
    [reference, plainWords(problem, 500), new Date(dueAt)],
  )
}

/** The store takes nothing at the moment, which is no fault of the vendor. */
export async function noteLater(tx: Tx, { order: { reference } }: DueTraffic, dueAt: number): Promise<void> {
  await tx.query('UPDATE vendor_traffic SET due_at = $2, leased_until = NULL WHERE domain_cdn_id = $1', [
    reference,
    new Date(dueAt),
  ])
}

/** The vendor counts the calls of an account: nobody of it asks before. */
export async function restAccount(tx: Tx, account: string, until: number): Promise<void> {
  await tx.query('UPDATE vendor_traffic SET due_at = greatest(due_at, $2) WHERE account = $1', [
    account,
    new Date(until),
  ])
}

/** Where reading stands, by CDN: the domain that is furthest behind, and one that cannot be read before all others. */
export async function vendorReadings(
  tx: Tx,
  { siteId, domainId, cdn }: { siteId?: string | undefined; domainId?: string | undefined; cdn?: string | undefined },
): Promise<VendorReading[]> {
  const rows = await tx.query<{ cdn_id: string; read_until: Date; problem: string | null }>(
    `SELECT DISTINCT ON (dc.cdn_id) dc.cdn_id, min(v.read_until) OVER (PARTITION BY dc.cdn_id) AS read_until, v.problem FROM vendor_traffic v JOIN domain_cdn dc ON dc.id = v.domain_cdn_id
     WHERE ($1::uuid IS NULL OR dc.site_id = $1) AND ($2::uuid IS NULL OR dc.domain_id = $2) AND ($3::text IS NULL OR dc.cdn_id = $3) ORDER BY dc.cdn_id, v.problem_since NULLS LAST`,
    [siteId ?? null, domainId ?? null, cdn ?? null],
  )
  return rows.map((row) => ({ cdnId: row.cdn_id, readUntil: row.read_until.toISOString(), problem: row.problem }))
}
