import type { Tx } from '@fairway/platform'

/**
 * Steps out of a tenant's or a partner's own transaction: for names that must be unique in the whole installation, for
 * telling another organisation, and those who run it. Nothing of it may reach the caller.
 */
export async function beyondTenant<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const [before] = await tx.query<{ role: string }>('SELECT current_user AS role')
  await tx.query('SET LOCAL ROLE fairway_system')
  const answer = await work()
  await tx.query(`SELECT set_config('role', $1, true)`, [before?.role])
  return answer
}
