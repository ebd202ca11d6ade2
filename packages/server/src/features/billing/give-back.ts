import { shareDown } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { AccountRow } from './account-store.ts'
import { endingCreditOf, grantCredit } from './credit-store.ts'
import { type Fee, leftFees } from './fees.ts'
import { invoiceById } from './invoice-store.ts'

const MILLION = 1_000_000

/**
 * What is left of the fees of a plan or an add-on becomes credit, with the tax that its invoice took. What credit with
 * an end has paid ends with that one; the rest is money, and does not end. Expects the account's lock, and the fee's
 * subject to be on.
 * @returns the credit that was given, in the currency's smallest unit
 */
export async function giveBack(tx: Tx, account: AccountRow, of: Fee, now: Date): Promise<number> {
  const parts = new Map<number | null, number>()
  const add = (expiresAt: number | null, minor: number) => parts.set(expiresAt, (parts.get(expiresAt) ?? 0) + minor)
  for (const { line, leftMinor } of await leftFees(tx, account, of, now)) {
    const invoice = await invoiceById(tx, line.invoice_id)
    if (!invoice) continue
    const whole = leftMinor + shareDown(leftMinor, invoice.tax_rate_ppm, MILLION)
    let rest = whole
    for (const { expires_at, amount_minor } of await endingCreditOf(tx, invoice.id)) {
      // Rounded up: of credit that ends no cent becomes one that does not.
      const kept = whole - shareDown(whole, Math.max(0, invoice.total_minor - amount_minor), invoice.total_minor)
      const part = Math.min(rest, kept, amount_minor)
      rest -= part
      add(expires_at.getTime(), part)
    }
    add(null, rest)
  }
  let given = 0
  for (const [expiresAt, amountMinor] of parts) {
    if (amountMinor <= 0 || (expiresAt !== null && expiresAt <= now.getTime())) continue
    given += amountMinor
    await grantCredit(tx, {
      organizationId: account.organization_id,
      kind: 'unused',
      amountMinor,
      currency: account.currency,
      note: of.itemId,
      at: now,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })
  }
  return given
}
