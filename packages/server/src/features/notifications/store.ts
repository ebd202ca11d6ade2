import type {
  MailLevel,
  NearbyChange,
  Notification,
  NotificationFields,
  NotificationLevel,
  NotificationType,
} from '@fairway/contract'
import { placeOf } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'

export type NotificationRow = {
  id: string
  organization_id: string
  user_id: string | null
  audience: string | null
  type: NotificationType
  level: NotificationLevel
  event: string
  fields: NotificationFields
  site_id: string | null
  site_name: string | null
  incident: string | null
  change: NearbyChange | null
  created_at: Date
  ended_at: Date | null
}

export function presentNews(row: NotificationRow & { is_read?: boolean }): Notification {
  return {
    id: row.id,
    type: row.type,
    level: row.level,
    event: row.event,
    fields: row.fields,
    siteId: row.site_id,
    siteName: row.site_name,
    link: placeOf(row.event, row.site_name),
    change: row.change,
    createdAt: row.created_at.toISOString(),
    isIncident: row.incident !== null,
    endedAt: row.ended_at?.toISOString() ?? null,
    read: row.is_read ?? false,
  }
}

/**
 * Who reads: what they may know and want to see, and up to when everything counts as read. Asked first, so that the
 * statements about notifications stay simple and quick.
 */
type Reader = {
  values: [
    organizationId: string,
    userId: string,
    permissions: string[],
    isOperator: boolean,
    muted: string[],
    readUntil: Date,
  ]
}

async function readerOf(tx: Tx, { organizationId, userId, permissions, isOperator }: UserActor): Promise<Reader> {
  const row = (
    await tx.query<{ muted: string[]; read_until: Date }>(
      `SELECT ARRAY(SELECT type FROM notification_preference WHERE user_id = $1 AND NOT in_app) AS muted, greatest(u.created_at, (SELECT all_read_at FROM notification_reader WHERE user_id = $1)) AS read_until FROM app_user u WHERE u.id = $1`,
      [userId],
    )
  )[0]
  if (!row) throw new Error('the signed-in user has no row')
  return { values: [organizationId, userId, [...permissions], isOperator, row.muted, row.read_until] }
}

const SEEN = `n.organization_id = $1 AND (n.user_id = $2 OR n.user_id IS NULL AND (n.audience IS NULL OR n.audience = ANY($3) OR $4 AND n.audience = 'operator')) AND n.type <> ALL($5::text[])`
/** Marked one by one, else by time. The driver's times have milliseconds, the column microseconds. */
const IS_READ = `coalesce((SELECT r.is_read FROM notification_read r WHERE r.user_id = $2 AND r.notification_id = n.id), date_trunc('milliseconds', n.created_at) <= $6::timestamptz)`

export type Wanted = {
  type: NotificationType | null
  level: NotificationLevel | null
  state: 'all' | 'unread' | 'read' | 'open'
  order: string
  limit: number | null
  offset: number
}

const STATES: Readonly<Record<Wanted['state'], string>> = {
  all: 'true',
  unread: `NOT ${IS_READ}`,
  read: IS_READ,
  open: 'n.incident IS NOT NULL AND n.ended_at IS NULL',
}

export async function listNews(
  tx: Tx,
  actor: UserActor,
  { type, level, state, order, limit, offset }: Wanted,
): Promise<{ rows: (NotificationRow & { is_read: boolean })[]; total: number }> {
  const values = [...(await readerOf(tx, actor)).values, type, level]
  // The first condition about $6 only says its type where no other does.
  const where = `${SEEN} AND $6::timestamptz IS NOT NULL AND ($7::text IS NULL OR n.type = $7) AND ($8::text IS NULL OR n.level = $8) AND ${STATES[state]}`
  const rows = await tx.query<NotificationRow & { is_read: boolean }>(
    `SELECT n.*, ${IS_READ} AS is_read, (SELECT domain_name FROM site s WHERE s.id = n.site_id) AS site_name FROM notification n WHERE ${where} ORDER BY ${order}, n.id LIMIT $9 OFFSET $10`,
    [...values, limit, offset],
  )
  const total = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM notification n WHERE ${where}`, values)
  return { rows, total: total[0]?.total ?? 0 }
}

/** Of the time that counts as read only what was marked as unread is looked at: there may be millions before it. */
export async function countUnread(tx: Tx, actor: UserActor): Promise<number> {
  return (
    (
      await tx.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM notification n WHERE ${SEEN} AND n.created_at >= $6::timestamptz + interval '1 millisecond'
             AND NOT EXISTS (SELECT FROM notification_read r WHERE r.user_id = $2 AND r.notification_id = n.id))
           + (SELECT count(*) FROM notification_read r JOIN notification n ON n.id = r.notification_id WHERE r.user_id = $2 AND NOT r.is_read AND ${SEEN}) AS count`,
        (await readerOf(tx, actor)).values,
      )
    )[0]?.count ?? 0
  )
}

/** False when there is no such notification for this user. */
export async function markOne(tx: Tx, actor: UserActor, id: string, isRead: boolean): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO notification_read (user_id, notification_id, organization_id, is_read) SELECT $2, n.id, n.organization_id, $8 FROM notification n WHERE ${SEEN} AND $6::timestamptz IS NOT NULL AND n.id = $7
     ON CONFLICT (user_id, notification_id) DO UPDATE SET is_read = EXCLUDED.is_read RETURNING user_id`,
    [...(await readerOf(tx, actor)).values, id, isRead],
  )
  return rows.length > 0
}

export async function markAll(tx: Tx, actor: UserActor): Promise<void> {
  await tx.query('DELETE FROM notification_read WHERE user_id = $1', [actor.userId])
  await tx.query(
    'INSERT INTO notification_reader (user_id, organization_id, all_read_at) VALUES ($1, $2, clock_timestamp()) ON CONFLICT (user_id) DO UPDATE SET all_read_at = EXCLUDED.all_read_at',
    [actor.userId, actor.organizationId],
  )
}

export async function chosenPreferences(
  tx: Tx,
  userId: string,
): Promise<Map<NotificationType, { inApp: boolean; mail: MailLevel }>> {
  const rows = await tx.query<{ type: NotificationType; in_app: boolean; mail: MailLevel }>(
    'SELECT type, in_app, mail FROM notification_preference WHERE user_id = $1',
    [userId],
  )
  return new Map(rows.map((row) => [row.type, { inApp: row.in_app, mail: row.mail }]))
}

export async function unhookedTypes(tx: Tx): Promise<Set<NotificationType>> {
  return new Set(
    (await tx.query<{ type: NotificationType }>('SELECT type FROM notification_unhooked')).map(({ type }) => type),
  )
}

export async function choosePreference(
  tx: Tx,
  actor: UserActor,
  type: NotificationType,
  { inApp, mail }: { inApp: boolean; mail: MailLevel },
): Promise<void> {
  await tx.query(
    'INSERT INTO notification_preference (user_id, organization_id, type, in_app, mail) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, type) DO UPDATE SET in_app = EXCLUDED.in_app, mail = EXCLUDED.mail',
    [actor.userId, actor.organizationId, type, inApp, mail],
  )
}

export async function hookType(tx: Tx, actor: UserActor, type: NotificationType, hooked: boolean): Promise<void> {
  if (hooked)
    await tx.query('DELETE FROM notification_unhooked WHERE organization_id = $1 AND type = $2', [
      actor.organizationId,
      type,
    ])
  else
    await tx.query('INSERT INTO notification_unhooked (organization_id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      actor.organizationId,
      type,
    ])
}
