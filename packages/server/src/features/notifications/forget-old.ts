import type { Tx } from '@fairway/platform'
import { forgetSignIns } from '../auth/forget-sign-ins.ts'
import { forgetTexts } from '../custom-pages/store.ts'
import { forgetPurges } from '../purges/store.ts'

/** Nobody looks back further; letters hold links and are kept the shortest. Incidents that last stay. */
const KEPT_DAYS = { notifications: 180, health: 180, deliveries: 30, letters: 30 } as const

export async function forgetOld(tx: Tx): Promise<void> {
  await tx.query(
    'DELETE FROM notification WHERE created_at < now() - make_interval(days => $1) AND (incident IS NULL OR ended_at IS NOT NULL)',
    [KEPT_DAYS.notifications],
  )
  await tx.query('DELETE FROM health_event WHERE ended_at < now() - make_interval(days => $1)', [KEPT_DAYS.health])
  // Told in the very moment that it was switched off.
  await tx.query(
    `UPDATE webhook_delivery d SET state = 'failed', finished_at = now(), leased_until = NULL FROM webhook_endpoint w WHERE w.id = d.endpoint_id AND NOT w.enabled AND d.state = 'waiting'`,
  )
  await tx.query(
    `DELETE FROM webhook_delivery WHERE created_at < now() - make_interval(days => $1) AND state <> 'waiting'`,
    [KEPT_DAYS.deliveries],
  )
  await tx.query(
    `DELETE FROM mail_message WHERE created_at < now() - make_interval(days => $1) AND state <> 'waiting'`,
    [KEPT_DAYS.letters],
  )
  await forgetSignIns(tx)
  await forgetPurges(tx)
  await forgetTexts(tx)
}
