/**
 * Credit that was given; `usedMinor` is what invoices have taken. Times are epoch milliseconds, `expiresAt` null is
 * never.
 */
export type CreditGrant = { id: string; amountMinor: number; usedMinor: number; expiresAt: number | null }

const left = (grant: CreditGrant, now: number): number =>
  grant.expiresAt !== null && grant.expiresAt <= now ? 0 : Math.max(0, grant.amountMinor - grant.usedMinor)

export const creditLeft = (grant: CreditGrant, now: number): number => left(grant, now)

export const creditBalance = (grants: readonly CreditGrant[], now: number): number =>
  grants.reduce((total, grant) => total + left(grant, now), 0)

/** Which grants pay an amount: what ends soonest goes first. Never more than there is. */
export function useCredit(
  grants: readonly CreditGrant[],
  amountMinor: number,
  now: number,
): { grantId: string; amountMinor: number }[] {
  const uses: { grantId: string; amountMinor: number }[] = []
  let missing = amountMinor
  for (const grant of [...grants].sort((a, b) => (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity))) {
    const part = Math.min(left(grant, now), missing)
    if (part <= 0) continue
    uses.push({ grantId: grant.id, amountMinor: part })
    missing -= part
  }
  return uses
}
