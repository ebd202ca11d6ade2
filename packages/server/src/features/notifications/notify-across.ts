import type { NotificationEvent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { notify, type News } from './notify.ts'

/**
 * Tells another organisation than the caller's, from within the caller's transaction: the operator's, or a partner's
 * whose role sees no notifications.
 */
export async function notifyAcross<E extends NotificationEvent>(tx: Tx, news: News<E>): Promise<void> {
  await beyondTenant(tx, () => notify(tx, news))
}
