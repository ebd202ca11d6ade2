import type { Tx } from '@fairway/platform'

/**
 * Steps out of a tenant's own transaction: for names that must be unique in the whole installation, and for telling
 * those who run it. Nothing of it may reach the caller.
 */
export async function beyondTenant<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('SET LOCAL ROLE fairway_system')
  const answer = await work()
  await tx.query('SET LOCAL ROLE fairway_app')
  return answer
}
