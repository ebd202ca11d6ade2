import type { NotificationEvent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { endForOperators, notifyOperators } from './notify-operators.ts'
import { notify, type News } from './notify.ts'

/**
 * Tells those who run the installation, and those who look after the partner, once for each incident. For the system's
 * transactions.
 */
export async function notifyPartner<E extends NotificationEvent>(
  tx: Tx,
  partnerId: string,
  news: Omit<News<E>, 'organizationId' | 'siteId' | 'userId'> & { incident: string },
): Promise<void> {
  await notifyOperators(tx, news)
  const people = await tx.query<{ id: string; organization_id: string }>(
    'SELECT id, organization_id FROM app_user WHERE administers_partner_id = $1 AND NOT is_operator AND NOT suspended ORDER BY id',
    [partnerId],
  )
  for (const { id: userId, organization_id: organizationId } of people)
    await notify(tx, { ...news, organizationId, userId, incident: `${news.incident}:${userId}` })
}

/** What was told is over. */
export async function endForPartner(tx: Tx, incident: string): Promise<void> {
  const open = await tx.query<{ incident: string }>(
    `SELECT DISTINCT incident FROM notification WHERE ended_at IS NULL AND (incident = $1 OR starts_with(incident, $1 || ':')) ORDER BY 1`,
    [incident],
  )
  for (const one of open) await endForOperators(tx, one.incident)
}
