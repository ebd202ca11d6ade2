import type { Tx } from '@fairway/platform'

/** Reads what other organisations have, inside a tenant's own transaction: names that must be unique in the whole installation. Nothing of it may reach the caller. */
export async function beyondTenant<T>(tx: Tx, read: () => Promise<T>): Promise<T> {
  await tx.query('SET LOCAL ROLE fairway_system')
  const answer = await read()
  await tx.query('SET LOCAL ROLE fairway_app')
  return answer
}
