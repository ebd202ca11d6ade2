import type { Tx } from '@fairway/platform'

/**
 * Somebody has proven that the mailbox is theirs. Whoever signed up with the address before, without proving it, has
 * never been in; the organisation that was made for them stays empty and closed. Needs a system transaction.
 */
export async function removeUnproven(tx: Tx, email: string): Promise<void> {
  const gone = await tx.query<{ organization_id: string }>(
    'DELETE FROM app_user WHERE email = $1 AND email_verified_at IS NULL RETURNING organization_id',
    [email],
  )
  if (gone[0])
    await tx.query(
      'UPDATE organization SET suspended = true WHERE id = $1 AND NOT EXISTS (SELECT FROM app_user WHERE organization_id = $1)',
      [gone[0].organization_id],
    )
}
