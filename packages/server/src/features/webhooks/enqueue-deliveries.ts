import crypto from 'node:crypto'
import { notificationWords } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { presentNews, type NotificationRow } from '../notifications/store.ts'

/**
 * A delivery for each webhook that wants notifications of this type, in the transaction of what is told. What was told
 * of it before goes first.
 */
export async function enqueueDeliveries(tx: Tx, row: NotificationRow, what: 'created' | 'ended'): Promise<void> {
  const endpoints = await tx.query<{ id: string }>(
    `SELECT id FROM webhook_endpoint WHERE organization_id = $1 AND enabled AND $2 = ANY(types) AND NOT EXISTS (SELECT FROM notification_unhooked h WHERE h.organization_id = $1 AND h.type = $2)`,
    [row.organization_id, row.type],
  )
  const { title, text, cause, ended } = notificationWords('en', row.event, row.fields)
  const words = { title: what === 'ended' ? (ended ?? title) : title, text, cause: cause ?? null }
  const { read: _, ...news } = presentNews(row)
  for (const { id } of endpoints)
    await enqueueDelivery(tx, {
      organizationId: row.organization_id,
      endpointId: id,
      event: `notification.${what}`,
      notificationId: row.id,
      data: { ...news, ...words },
      at: row.ended_at ?? row.created_at,
    })
  // What has just happened does not wait for hours behind what a receiver could not take before.
  if (endpoints.length > 0)
    await tx.query(
      `UPDATE webhook_delivery SET due_at = now() WHERE id IN (SELECT id FROM webhook_delivery WHERE notification_id = $1 AND state = 'waiting' AND due_at > now() FOR UPDATE SKIP LOCKED)`,
      [row.id],
    )
}

/** One delivery; its id is the message's, which stays the same however often it is tried. */
export async function enqueueDelivery(
  tx: Tx,
  of: { organizationId: string; endpointId: string; event: string; data: object; at: Date; notificationId?: string },
): Promise<string> {
  const id = crypto.randomUUID()
  const body = JSON.stringify({ type: of.event, timestamp: of.at.toISOString(), data: of.data })
  await tx.query(
    'INSERT INTO webhook_delivery (id, organization_id, endpoint_id, event, body, notification_id) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, of.organizationId, of.endpointId, of.event, body, of.notificationId ?? null],
  )
  await tx.query(`SELECT pg_notify('webhook', '')`)
  return id
}
