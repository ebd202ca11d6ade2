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

/** A letter to each who may know and wants to, in their language. */
export async function writeLetters(tx: Tx, row: NotificationRow): Promise<void> {
  if (isNotificationEvent(row.event) && EVENTS[row.event].ownLetter) return
  for (const { email, locale, partner_id: partnerId, mail } of await readersByMail(tx, row)) {
    if (!comesByMail(row.level, mail ?? DEFAULT_PREFERENCE.mail)) continue
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
      },
    })
  }
}

/** Users of the organisation that the notification is for, with a proven address. */
function readersByMail(
  tx: Tx,
  row: NotificationRow,
): Promise<{ email: string; locale: Locale; partner_id: string; mail: MailLevel | null }[]> {
  return tx.query(
    `SELECT u.email, u.locale, o.partner_id, p.mail FROM app_user u JOIN organization o ON o.id = u.organization_id LEFT JOIN notification_preference p ON p.user_id = u.id AND p.type = $4
     WHERE u.organization_id = $1 AND NOT u.suspended AND u.email_verified_at IS NOT NULL AND NOT o.sandbox
       AND CASE WHEN $2::uuid IS NOT NULL THEN u.id = $2 WHEN $3::text IS NULL THEN true WHEN $3 = 'operator' THEN u.is_operator ELSE $3 = ANY(u.permissions) END
     ORDER BY u.email`,
    [row.organization_id, row.user_id, row.audience, row.type],
  )
}
