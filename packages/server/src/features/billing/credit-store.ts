import { type CreditGrant, creditBalance } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

export type GrantRow = {
  id: string
  kind: 'trial' | 'coupon' | 'grant' | 'unused'
  amount_minor: number
  currency: string
  note: string
  granted_at: Date
  expires_at: Date | null
  used_minor: number
}

export const grantsOf = (tx: Tx, organizationId: string, currency: string): Promise<GrantRow[]> =>
  tx.query<GrantRow>(
    `SELECT g.*, coalesce((SELECT sum(u.amount_minor) FROM credit_use u WHERE u.grant_id = g.id), 0)::bigint AS used_minor FROM credit_grant g WHERE g.organization_id = $1 AND g.currency = $2 ORDER BY g.granted_at DESC`,
    [organizationId, currency],
  )

export const asGrant = (row: GrantRow): CreditGrant => ({
  id: row.id,
  amountMinor: row.amount_minor,
  usedMinor: row.used_minor,
  expiresAt: row.expires_at?.getTime() ?? null,
})

/** What of an invoice was paid by credit that ends, by its end. */
export const endingCreditOf = (tx: Tx, invoiceId: string): Promise<{ expires_at: Date; amount_minor: number }[]> =>
  tx.query(
    `SELECT g.expires_at, sum(u.amount_minor)::bigint AS amount_minor FROM credit_use u JOIN credit_grant g ON g.id = u.grant_id
       WHERE u.invoice_id = $1 AND g.expires_at IS NOT NULL GROUP BY g.expires_at ORDER BY g.expires_at`,
    [invoiceId],
  )

export async function creditOf(tx: Tx, organizationId: string, currency: string, now: Date): Promise<number> {
  return creditBalance((await grantsOf(tx, organizationId, currency)).map(asGrant), now.getTime())
}

export async function grantCredit(
  tx: Tx,
  grant: {
    organizationId: string
    kind: GrantRow['kind']
    amountMinor: number
    currency: string
    note?: string
    by?: string
    at: Date
    expiresAt?: Date | null
  },
): Promise<void> {
  await tx.query(
    'INSERT INTO credit_grant (organization_id, kind, amount_minor, currency, note, granted_by, granted_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      grant.organizationId,
      grant.kind,
      grant.amountMinor,
      grant.currency,
      grant.note ?? '',
      grant.by ?? null,
      grant.at,
      grant.expiresAt ?? null,
    ],
  )
}
