import type { Database } from '@fairway/platform'
import { forgetSignIns } from '../auth/forget-sign-ins.ts'
import { forgetJobs } from '../bulk-configure/store.ts'
import { forgetTexts } from '../custom-pages/store.ts'
import { forgetPurges } from '../purges/store.ts'

/** Nobody looks back further; letters hold links and are kept the shortest. Incidents that last stay. */
const KEPT_DAYS = { notifications: 180, health: 180, deliveries: 30, letters: 30 } as const

/** So many rows go in one transaction: neither a long one nor its end in the middle keeps all others from going. */
const AT_ONCE = 5_000

const GONE = {
  notification: `created_at < now() - interval '${KEPT_DAYS.notifications} days' AND (incident IS NULL OR ended_at IS NOT NULL)`,
  health_event: `ended_at < now() - interval '${KEPT_DAYS.health} days'`,
  webhook_delivery: `created_at < now() - interval '${KEPT_DAYS.deliveries} days' AND state <> 'waiting'`,
  mail_message: `created_at < now() - interval '${KEPT_DAYS.letters} days' AND state <> 'waiting'`,
} as const

/** Each step in transactions of its own. */
export async function forgetOld(database: Database): Promise<void> {
  // Told in the very moment that it was switched off.
  await database.system((tx) =>
    tx.query(
      `UPDATE webhook_delivery d SET state = 'failed', finished_at = now(), leased_until = NULL FROM webhook_endpoint w WHERE w.id = d.endpoint_id AND NOT w.enabled AND d.state = 'waiting'`,
    ),
  )
  for (const [table, isGone] of Object.entries(GONE))
    for (let gone = AT_ONCE; gone === AT_ONCE;)
      gone = await database.system(
        async (tx) =>
          (
            await tx.query(
              `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${isGone} LIMIT ${AT_ONCE}) AND ${isGone} RETURNING id`,
            )
          ).length,
      )
  while (await database.system(forgetJobs));
  for (const step of [...forgetSignIns, forgetPurges, forgetTexts]) await database.system(step)
}
