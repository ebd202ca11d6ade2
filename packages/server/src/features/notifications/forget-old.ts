import type { Tx } from '@fairway/platform'

/** Nobody looks back further; letters hold links and are kept the shortest. Incidents that last stay. */
const KEPT_DAYS = { notifications: 180, deliveries: 30, letters: 30 } as const

export async function forgetOld(tx: Tx): Promise<void> {
  await tx.query(
    'DELETE FROM notification WHERE created_at < now() - make_interval(days => $1) AND (incident IS NULL OR ended_at IS NOT NULL)',
    [KEPT_DAYS.notifications],
  )
  await tx.query(
    `DELETE FROM webhook_delivery WHERE created_at < now() - make_interval(days => $1) AND state <> 'waiting'`,
    [KEPT_DAYS.deliveries],
  )
  await tx.query(
    `DELETE FROM mail_message WHERE created_at < now() - make_interval(days => $1) AND state <> 'waiting'`,
    [KEPT_DAYS.letters],
  )
}
