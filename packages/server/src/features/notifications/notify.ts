import { type NotificationFields, type NotificationLevel, type NotificationType } from '@fairway/contract'
import { EVENTS, type NotificationEvent, type NotificationEvents } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { enqueueDeliveries } from '../webhooks/enqueue-deliveries.ts'
import { nearbyChange } from './nearby-change.ts'
import type { NotificationRow } from './store.ts'
import { writeLetters } from './write-letters.ts'

export type News<E extends NotificationEvent> = {
  organizationId: string
  event: E
  fields: NotificationEvents[E]
  siteId?: string
  /** The CDN that it is about. */
  cdnId?: string
  /**
   * Tells one person only: what concerns their own account. Left out: everyone who has the permission that the event
   * asks for.
   */
  userId?: string
  /** For what lasts: names it (`cdn-down:polaris`), so that it is told once until `endIncident` ends it. */
  incident?: string
  /** When it began, if that was before now. */
  at?: Date
  /** Another type or level than the event usually has. */
  type?: NotificationType
  level?: NotificationLevel
}

/**
 * Tells people that something has happened: in the console, by mail and to webhooks, each as they prefer. Written in
 * the transaction of what it tells,
 * which may be the tenant's own or the system's. Answers false when the incident is open already.
 */
export async function notify<E extends NotificationEvent>(tx: Tx, news: News<E>): Promise<boolean> {
  const { type, level, audience } = EVENTS[news.event]
  const at = news.at ?? new Date()
  const change =
    (news.type ?? type) === 'account'
      ? null
      : await nearbyChange(tx, news.organizationId, { siteId: news.siteId ?? null, cdnId: news.cdnId ?? null }, at)
  const rows = await tx.query<NotificationRow>(
    `INSERT INTO notification AS n (organization_id, user_id, audience, type, level, event, fields, site_id, incident, change, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (organization_id, incident) WHERE incident IS NOT NULL AND ended_at IS NULL DO NOTHING
     RETURNING n.*, (SELECT domain_name FROM site WHERE id = n.site_id) AS site_name`,
    [
      news.organizationId,
      news.userId ?? null,
      audience,
      news.type ?? type,
      news.level ?? level,
      news.event,
      JSON.stringify(news.fields),
      news.siteId ?? null,
      news.incident ?? null,
      change && JSON.stringify(change),
      at,
    ],
  )
  if (!rows[0]) return false
  await tell(tx, rows[0], 'created')
  return true
}

/**
 * The incident is over: its notification says so, and those who were told of it are told. Answers false when none was
 * open. `fields` replaces what has become clearer.
 */
export async function endIncident(
  tx: Tx,
  organizationId: string,
  incident: string,
  more: { at?: Date; fields?: NotificationFields } = {},
): Promise<boolean> {
  const rows = await tx.query<NotificationRow>(
    `UPDATE notification n SET ended_at = $3, fields = fields || $4 WHERE organization_id = $1 AND incident = $2 AND ended_at IS NULL RETURNING n.*, (SELECT domain_name FROM site WHERE id = n.site_id) AS site_name`,
    [organizationId, incident, more.at ?? new Date(), JSON.stringify(more.fields ?? {})],
  )
  if (!rows[0]) return false
  await tell(tx, rows[0], 'ended')
  return true
}

/** It is over, but that all is well again would not be true: nobody is told, and open consoles show it no more. */
export async function endQuietly(tx: Tx, organizationId: string, incident: string): Promise<void> {
  const ended = await tx.query(
    'UPDATE notification SET ended_at = now() WHERE organization_id = $1 AND incident = $2 AND ended_at IS NULL RETURNING id',
    [organizationId, incident],
  )
  if (ended.length > 0) await notifyConsole(tx, { organizationId, kind: 'notification', siteId: null })
}

/**
 * An incident goes on that may have been told to be over: then people are told again, and else only what is shown of it
 * changes. One that nobody remembers begins anew.
 */
export async function continueIncident<E extends NotificationEvent>(
  tx: Tx,
  news: News<E> & { incident: string },
): Promise<void> {
  const [last] = await tx.query<{ id: string; is_over: boolean }>(
    'SELECT id, ended_at IS NOT NULL AS is_over FROM notification WHERE organization_id = $1 AND incident = $2 ORDER BY ended_at IS NULL DESC, created_at DESC LIMIT 1',
    [news.organizationId, news.incident],
  )
  if (!last) return void (await notify(tx, news))
  const rows = await tx.query<NotificationRow>(
    'UPDATE notification n SET ended_at = NULL, fields = fields || $2 WHERE id = $1 RETURNING n.*, (SELECT domain_name FROM site WHERE id = n.site_id) AS site_name',
    [last.id, JSON.stringify(news.fields)],
  )
  if (last.is_over && rows[0]) await tell(tx, rows[0], 'created')
}

async function tell(tx: Tx, row: NotificationRow, what: 'created' | 'ended'): Promise<void> {
  await writeLetters(tx, row)
  // What concerns one person is not for the organisation's other systems.
  if (row.user_id === null && row.audience !== 'operator') await enqueueDeliveries(tx, row, what)
  await notifyConsole(tx, { organizationId: row.organization_id, kind: 'notification', siteId: null })
}
