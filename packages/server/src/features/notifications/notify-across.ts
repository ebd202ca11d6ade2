import type { NotificationEvent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { notify, type News } from './notify.ts'

/**
 * Tells another organisation than the caller's, from within the caller's transaction: the operator's, or a partner's
 * whose role sees no notifications.
 */
export async function notifyAcross<E extends NotificationEvent>(tx: Tx, news: News<E>): Promise<void> {
  const role = (await tx.query<{ role: string }>('SELECT current_user AS role'))[0]?.role
  await tx.query('SET LOCAL ROLE fairway_system')
  await notify(tx, news)
  await tx.query(`SELECT set_config('role', $1, true)`, [role])
}
