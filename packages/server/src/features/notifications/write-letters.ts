import type { Locale, MailLevel } from '@fairway/contract'
import {
  DEFAULT_PREFERENCE,
  EVENTS,
  comesByMail,
  isNotificationEvent,
  notificationWords,
  placeOf,
} from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import type { NotificationRow } from './store.ts'

/**
 * Of an hour and a person, each by itself: no number of warnings keeps what is critical back, and nothing that
 * customers do keeps back what is told of machines. What is more is told by number in the next letter, and stands in
 * the information center.
 */
const LETTERS_OF_AN_HOUR = {
  critical: { most: 100, counter: 'critical_letters' },
  // One organisation may open twenty tickets in an hour, and keeps no letter of another's back with them.
  customers: { most: 30, counter: 'customer_letters' },
  others: { most: 30, counter: 'letters' },
}

/** A letter to each who may know and wants to, in their language. */
export async function writeLetters(tx: Tx, row: NotificationRow): Promise<void> {
  if (isNotificationEvent(row.event) && EVENTS[row.event].ownLetter) return
  for (const { id, email, locale, partner_id: partnerId, mail } of await readersByMail(tx, row)) {
    if (!comesByMail(row.level, mail ?? DEFAULT_PREFERENCE.mail)) continue
    const { goes, leftOut } = await countLetter(tx, id, row)
    if (!goes) continue
    const { title, text, cause, ended } = notificationWords(locale, row.event, row.fields)
    const isOver = row.ended_at !== null
    await enqueueMail(tx, {
      to: email,
      locale,
      partnerId,
      organizationId: row.organization_id,
      template: 'notification',
      fields: {
        title: isOver ? (ended ?? title) : title,
        text: isOver ? title : text,
        level: row.level,
        link: placeOf(row.event, row.site_name) ?? '/account/information-center',
        cause: cause ?? null,
        change: row.change && `${row.change.title} (${row.change.siteName}, ${row.change.author})`,
        ...(leftOut > 0 ? { leftOut } : {}),
      },
    })
  }
}

/** Counts a letter of this hour: whether it may go, and how many did not since the one before. */
async function countLetter(
  tx: Tx,
  userId: string,
  { organization_id: organizationId, level, event }: NotificationRow,
): Promise<{ goes: boolean; leftOut: number }> {
  const isOfCustomers = isNotificationEvent(event) && EVENTS[event].byCustomers
  const { most, counter } =
    LETTERS_OF_AN_HOUR[isOfCustomers ? 'customers' : level === 'critical' ? 'critical' : 'others']
  // It holds the person's row until the end of the transaction.
  const [row] = await tx.query<{ count: number; left_out: number }>(
    `INSERT INTO notification_pace AS p (user_id, organization_id, hour) VALUES ($1, $2, date_trunc('hour', now()))
     ON CONFLICT (user_id) DO UPDATE SET hour = EXCLUDED.hour, letters = CASE WHEN p.hour = EXCLUDED.hour THEN p.letters ELSE 0 END,
       critical_letters = CASE WHEN p.hour = EXCLUDED.hour THEN p.critical_letters ELSE 0 END,
       customer_letters = CASE WHEN p.hour = EXCLUDED.hour THEN p.customer_letters ELSE 0 END
     RETURNING ${counter} AS count, left_out`,
    [userId, organizationId],
  )
  const goes = (row?.count ?? 0) < most
  await tx.query(
    `UPDATE notification_pace SET ${goes ? `${counter} = ${counter} + 1, left_out = 0` : 'left_out = left_out + 1'} WHERE user_id = $1`,
    [userId],
  )
  return { goes, leftOut: row?.left_out ?? 0 }
}

/** Users of the organisation that the notification is for, with a proven address. */
function readersByMail(
  tx: Tx,
  row: NotificationRow,
): Promise<{ id: string; email: string; locale: Locale; partner_id: string; mail: MailLevel | null }[]> {
  return tx.query(
    `SELECT u.id, u.email, u.locale, o.partner_id, p.mail FROM app_user u JOIN organization o ON o.id = u.organization_id LEFT JOIN notification_preference p ON p.user_id = u.id AND p.type = $4
     WHERE u.organization_id = $1 AND NOT u.suspended AND u.email_verified_at IS NOT NULL AND NOT o.sandbox
       AND CASE WHEN $2::uuid IS NOT NULL THEN u.id = $2 WHEN $3::text IS NULL THEN true WHEN $3 = 'operator' THEN u.is_operator ELSE $3 = ANY(u.permissions) END
     ORDER BY u.email`,
    [row.organization_id, row.user_id, row.audience, row.type],
  )
}
