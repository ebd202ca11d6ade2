import type { BillingAddress, MeterAmounts, PlanCategory, PlanFeature, PlanPrice, UsageType } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { PLAN_MISSING } from '../../http/spending.ts'

export type StoredCard = { brand: string; last4: string; expiryMonth: number; expiryYear: number }

export type PlanRow = {
  plan_id: string
  plan_name: string
  category: PlanCategory
  rank: number
  /** What the plan itself includes, without add-ons. */
  ability: PlanFeature[]
  offered: boolean
  trial_days: number
  trial_credit: Record<string, number>
  over_usage: 'bill' | 'stop'
  allowances: MeterAmounts
  prices: Record<string, PlanPrice>
  site_limit: number
  record_limit: number
  cdn_limit: number
}

/** How an organisation pays and what it is on. */
export type AccountRow = PlanRow & {
  organization_id: string
  organization_name: string
  status: 'active' | 'payment_failed' | 'locked'
  suspended: boolean
  /** Its owner has closed it: what it has used is billed, and nothing ahead. */
  closed: boolean
  partner_id: string
  sandbox: boolean
  plan_chosen_at: Date | null
  plan_missing: boolean
  currency: string
  gateway: string | null
  customer_ref: string | null
  payment_method_ref: string | null
  card: StoredCard | null
  address: BillingAddress | null
  activated_at: Date | null
  billed: boolean
  billed_until: Date | null
  trial_started_at: Date | null
  cap_minor: number | null
  cap_action: 'continue' | 'stop'
  cap_reached_at: Date | null
  cap_warned_at: Date | null
  quota_reached_at: Date | null
  trial_over_at: Date | null
  serving_stopped_at: Date | null
  locked_at: Date | null
  suspended_at: Date | null
  card_removed_at: Date | null
}

const PLAN =
  'p.name AS plan_name, p.category, p.rank, p.ability, p.offered, p.trial_days, p.trial_credit, p.over_usage, p.allowances, p.prices, p.site_limit, p.record_limit, p.cdn_limit'
const ACCOUNT = `SELECT b.*, o.name AS organization_name, o.status, o.suspended, o.closed_at IS NOT NULL AS closed, o.partner_id, o.sandbox, o.plan_chosen_at, ${PLAN_MISSING} AS plan_missing, o.plan_id, ${PLAN}
  FROM billing_account b JOIN organization o ON o.id = b.organization_id JOIN plan p ON p.id = o.plan_id`

/**
 * @param lock holds the account until the transaction ends: changes of plan, card and invoices come one after the other
 */
export async function accountOf(tx: Tx, organizationId: string, { lock = false } = {}): Promise<AccountRow> {
  const rows = await tx.query<AccountRow>(`${ACCOUNT} WHERE b.organization_id = $1 ${lock ? 'FOR UPDATE OF b' : ''}`, [
    organizationId,
  ])
  if (!rows[0]) throw new Failure(29001)
  return rows[0]
}

/**
 * Accounts of which the worker has to find out something again and again: a limit, a quota or a trial that may end, a
 * lock or a suspension that ends serving, or what was found before. Who pays for what he uses is none: there are too
 * many to look at each every few seconds.
 */
export const followedAccounts = (tx: Tx): Promise<AccountRow[]> =>
  tx.query<AccountRow>(
    `${ACCOUNT} WHERE NOT o.sandbox AND o.closed_at IS NULL AND (b.cap_minor IS NOT NULL OR p.over_usage = 'stop' OR (b.billed AND p.category = 'trial' AND b.payment_method_ref IS NULL)
       OR o.status = 'locked' OR (o.suspended AND EXISTS (SELECT FROM app_user u WHERE u.organization_id = o.id))
       OR coalesce(b.cap_reached_at, b.cap_warned_at, b.quota_reached_at, b.trial_over_at, b.locked_at, b.suspended_at, b.serving_stopped_at) IS NOT NULL)`,
  )

/** Accounts whose last month has no invoice yet. */
export async function accountsToBill(tx: Tx, until: Date): Promise<string[]> {
  const rows = await tx.query<{ organization_id: string }>(
    'SELECT b.organization_id FROM billing_account b JOIN organization o ON o.id = b.organization_id WHERE b.billed AND NOT o.sandbox AND (b.billed_until IS NULL OR b.billed_until < $1) AND (o.closed_at IS NULL OR b.billed_until <= o.closed_at) ORDER BY b.organization_id',
    [until],
  )
  return rows.map((row) => row.organization_id)
}

export async function planRow(tx: Tx, planId: string): Promise<PlanRow | undefined> {
  return (await tx.query<PlanRow>(`SELECT p.id AS plan_id, ${PLAN} FROM plan p WHERE p.id = $1`, [planId]))[0]
}

export async function updateAccount(
  tx: Tx,
  organizationId: string,
  values: Partial<Record<keyof AccountRow, unknown>>,
): Promise<void> {
  const names = Object.keys(values)
  const set = names.map((name, index) => `${name} = $${index + 2}`).join(', ')
  const plain = names.map((name) => jsonOf(values[name as keyof AccountRow]))
  await tx.query(`UPDATE billing_account SET ${set}, modified_at = now() WHERE organization_id = $1`, [
    organizationId,
    ...plain,
  ])
}

const jsonOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value

/** What an organisation has of what its plan bounds in number. */
export async function countedQuotas(
  tx: Tx,
  organizationId: string,
): Promise<{ sites: number; records: number; mostRecordsOfSite: number; cdns: number; mostCdnsOfDomain: number }> {
  const rows = await tx.query<{
    sites: number
    records: number
    most_records: number
    cdns: number
    most_cdns: number
  }>(
    `SELECT (SELECT count(*) FROM site WHERE organization_id = $1) AS sites, r.*, c.*
     FROM (SELECT coalesce(sum(record_count), 0)::int AS records, coalesce(max(record_count), 0)::int AS most_records FROM site WHERE organization_id = $1) r,
          (SELECT coalesce(sum(n), 0)::int AS cdns, coalesce(max(n), 0)::int AS most_cdns FROM (SELECT count(*) AS n FROM domain_cdn WHERE organization_id = $1 GROUP BY domain_id) x) c`,
    [organizationId],
  )
  const row = rows[0]
  return {
    sites: row?.sites ?? 0,
    records: row?.records ?? 0,
    cdns: row?.cdns ?? 0,
    mostRecordsOfSite: row?.most_records ?? 0,
    mostCdnsOfDomain: row?.most_cdns ?? 0,
  }
}

/** Bounds by number: CDNs of a domain and records of a site, shown for the fullest one. */
export const numberQuotas = (account: AccountRow): Partial<Record<UsageType, number>> => ({
  mcdn: account.cdn_limit,
  dns: account.record_limit,
})
