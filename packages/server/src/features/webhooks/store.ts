import type { NotificationType, Webhook, WebhookDelivery, WebhookTry } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type WebhookRow = {
  id: string
  url: string
  description: string
  types: NotificationType[]
  enabled: boolean
  disabled_reason: Webhook['disabledReason']
  secret: string
  previous_secret: string | null
  previous_until: Date | null
  failing_since: Date | null
  created_at: Date
  last_delivery_at: Date | null
}
export type DeliveryRow = {
  id: string
  endpoint_id: string
  event: string
  body: string
  state: WebhookDelivery['state']
  tries: WebhookTry[]
  due_at: Date
  created_at: Date
  finished_at: Date | null
}

const COLUMNS = `w.*, (SELECT max(d.created_at) FROM webhook_delivery d WHERE d.endpoint_id = w.id) AS last_delivery_at`

export const listWebhooks = (tx: Tx): Promise<WebhookRow[]> =>
  tx.query(`SELECT ${COLUMNS} FROM webhook_endpoint w ORDER BY created_at, id`)

export async function webhookById(tx: Tx, id: string, { hold = false } = {}): Promise<WebhookRow | undefined> {
  return (
    await tx.query<WebhookRow>(`SELECT ${COLUMNS} FROM webhook_endpoint w WHERE id = $1 ${hold ? 'FOR UPDATE' : ''}`, [
      id,
    ])
  )[0]
}

type Wanted = { url: string; description: string; types: NotificationType[]; enabled: boolean }

export async function insertWebhook(
  tx: Tx,
  organizationId: string,
  { url, description, types, enabled }: Wanted,
  sealedSecret: string,
): Promise<string> {
  return (
    (
      await tx.query<{ id: string }>(
        'INSERT INTO webhook_endpoint (organization_id, url, description, types, enabled, secret) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id',
        [organizationId, url, description, types, enabled, sealedSecret],
      )
    )[0]?.id ?? ''
  )
}

/** Switching it on, or to another address, forgets why it was off. */
export async function updateWebhook(tx: Tx, id: string, { url, description, types, enabled }: Wanted): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoint SET url = $2, description = $3, types = $4, enabled = $5, disabled_reason = CASE WHEN $5 OR url <> $2 THEN NULL ELSE disabled_reason END,
       failing_since = CASE WHEN ($5 AND NOT enabled) OR url <> $2 THEN NULL ELSE failing_since END, modified_at = now() WHERE id = $1`,
    [id, url, description, types, enabled],
  )
}

/**
 * The old secret is good on for a while. When there is an older one that still is, it stays instead: it is the one that
 * the receiver is known to have.
 */
export async function replaceSecret(tx: Tx, id: string, sealedSecret: string, previousHours: number): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoint SET previous_secret = CASE WHEN previous_until > now() THEN previous_secret ELSE secret END,
       previous_until = CASE WHEN previous_until > now() THEN previous_until ELSE now() + make_interval(hours => $3) END, secret = $2, modified_at = now() WHERE id = $1`,
    [id, sealedSecret, previousHours],
  )
}

export async function listDeliveries(
  tx: Tx,
  endpointId: string,
  { state, limit, offset }: { state: string | null; limit: number | null; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const rows = await tx.query<DeliveryRow>(
    'SELECT * FROM webhook_delivery WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2) ORDER BY created_at DESC, id LIMIT $3 OFFSET $4',
    [endpointId, state, limit, offset],
  )
  const total = await tx.query<{ total: number }>(
    'SELECT count(*) AS total FROM webhook_delivery WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2)',
    [endpointId, state],
  )
  return { rows, total: total[0]?.total ?? 0 }
}

export async function deliveryById(tx: Tx, endpointId: string, id: string): Promise<DeliveryRow | undefined> {
  return (
    await tx.query<DeliveryRow>('SELECT * FROM webhook_delivery WHERE endpoint_id = $1 AND id = $2', [endpointId, id])
  )[0]
}

/** Begins the tries anew, at once, with all that is told of the same: it may wait for what was told before. */
export async function deliverAgain(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `UPDATE webhook_delivery SET state = 'waiting', attempts = 0, due_at = now(), finished_at = NULL WHERE id = $1`,
    [id],
  )
  await tx.query(
    `UPDATE webhook_delivery d SET due_at = now() FROM webhook_delivery asked WHERE asked.id = $1 AND d.notification_id = asked.notification_id AND d.endpoint_id = asked.endpoint_id AND d.state = 'waiting'`,
    [id],
  )
  await tx.query(`SELECT pg_notify('webhook', '')`)
}

/** What waits for a webhook that is switched off is old news when it is on again. */
export async function endWaiting(tx: Tx, endpointId: string): Promise<void> {
  await tx.query(
    `UPDATE webhook_delivery SET state = 'failed', finished_at = now(), leased_until = NULL WHERE endpoint_id = $1 AND state = 'waiting'`,
    [endpointId],
  )
}

/** Deliveries that somebody has asked for and that have not come to their end. */
export async function countAskedFor(tx: Tx, endpointId: string): Promise<number> {
  const rows = await tx.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'waiting' AND (event = 'webhook.test' OR (attempts = 0 AND tries <> '[]'))`,
    [endpointId],
  )
  return rows[0]?.total ?? 0
}

export function presentWebhook(row: WebhookRow, now: Date): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    previousSecretUntil: row.previous_until && row.previous_until > now ? row.previous_until.toISOString() : null,
    lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    state: row.state,
    body: row.body,
    tries: row.tries,
    createdAt: row.created_at.toISOString(),
    nextTryAt: row.state === 'waiting' ? row.due_at.toISOString() : null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
}
