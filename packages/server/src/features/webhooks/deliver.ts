import type { WebhookTry } from '@fairway/contract'
import { WEBHOOK_RETRY_SECONDS, retryAfter } from '@fairway/domain'
import { postWebhook, webhookHeaders, type WebhookAnswer } from '@fairway/drivers'
import type { Config, Database, Log, OutgoingGate, Tx } from '@fairway/platform'
import { isBeyondWait } from '../../loops/beyond-wait.ts'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { isClockTrusted } from '../billing/clock-watch.ts'
import { notify } from '../notifications/notify.ts'
import { signingSecrets } from './secrets.ts'
import { shownUrl } from './shown-url.ts'
import { endWaiting } from './store.ts'

type Due = {
  id: string
  organization_id: string
  endpoint_id: string
  notification_id: string | null
  body: string
  attempts: number
  url: string
  secret: string
  previous_secret: string | null
  previous_until: Date | null
  /** Nothing has come through to this receiver since it last failed. */
  failing: boolean
}

const AT_ONCE = 64
/** Receivers that fail together have so many of these places: those that are well never wait for them. */
const FAILING_AT_ONCE = AT_ONCE / 2
/** One receiver that is slow does not hold the others up. */
const PER_ENDPOINT = 2
/** Nor does an organisation with several of them hold up other organisations. */
const PER_ORGANIZATION = 2
/** A receiver that fails is given one place, and less time; later tries, which are few, leave it the usual time. */
const PER_FAILING_ENDPOINT = 1
const FAILING_TIMEOUT_MS = 5_000
const SHORT_TRIES = 3
const LEASE_SECONDS = 30
/** Nothing has arrived for so long, */
const GIVE_UP_DAYS = 5
/** and what was tried in vain just now has been for so long: one failure says nothing, weeks after another. */
const IN_VAIN_DAYS = 1
/** Told of the same before, at the same receiver: by number, as a clock may have been set back between them. */
const IS_EARLIER = `b.notification_id = d.notification_id AND b.endpoint_id = d.endpoint_id AND (coalesce(b.number, 0), b.created_at) < (coalesce(d.number, 0), d.created_at)`
/** An answer that another try is not likely to change: the receiver does not want this one. Not so 408 and 429. */
const isUnwanted = (status: number | null): boolean =>
  status !== null && status >= 300 && status < 500 && status !== 408 && status !== 429
const WAS_UNWANTED = `coalesce((b.tries -> -1 ->> 'status')::int NOT IN (408, 429) AND (b.tries -> -1 ->> 'status')::int BETWEEN 300 AND 499, false)`
/**
 * What is told of one notification goes in the order in which it happened, or it would never end at the receiver. What
 * the receiver answered that it does not want holds up nothing, unless it is just being tried again. With the OR each row
 * is asked about by itself, never all that wait.
 */
const IS_NEXT = `(d.notification_id IS NULL OR NOT EXISTS (SELECT FROM webhook_delivery b WHERE b.state = 'waiting' AND ${IS_EARLIER} AND (b.due_at <= now() OR b.leased_until > now() OR NOT ${WAS_UNWANTED})))`
/** No lease lasts longer, and nothing is due later, but what is due with another: a clock that was ahead said so. */
const IS_MISDATED = `d.state = 'waiting' AND ((${isBeyondWait(WEBHOOK_RETRY_SECONDS)}) AND ${IS_NEXT} OR d.leased_until > now() + make_interval(secs => ${2 * LEASE_SECONDS}))`

/** Calls webhooks as deliveries come due, signs each try anew, and writes down what came back. */
export function startWebhooks(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  let failing = 0
  return startLeasedWork<Due>(database, log, {
    name: 'webhook',
    channel: 'webhook',
    atOnce: AT_ONCE,
    due: `SELECT FROM webhook_delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id AND w.enabled WHERE d.state = 'waiting' AND d.due_at <= now() AND (d.leased_until IS NULL OR d.leased_until < now()) AND ${IS_NEXT} UNION ALL SELECT FROM webhook_delivery d WHERE ${IS_MISDATED}`,
    take: (tx, limit) => takeDue(tx, limit, FAILING_AT_ONCE - failing),
    async work(row, stopped) {
      failing += Number(row.failing)
      await call(row, stopped).finally(() => (failing -= Number(row.failing)))
    },
  })

  async function call(row: Due, stopped: AbortSignal): Promise<void> {
    const at = new Date()
    const headers = webhookHeaders({ id: row.id, at, body: row.body, secrets: signingSecrets(config, row, at) })
    const answer = await postWebhook({
      url: row.url,
      headers,
      body: row.body,
      gate,
      sender: { organizationId: row.organization_id, purpose: 'webhook' },
      signal: stopped,
      ...(row.failing && row.attempts < SHORT_TRIES ? { timeoutMs: FAILING_TIMEOUT_MS } : {}),
    })
    if (stopped.aborted && answer.status === null)
      return void (await database.system((tx) =>
        tx.query('UPDATE webhook_delivery SET leased_until = NULL WHERE id = $1', [row.id]),
      ))
    await database.system((tx) =>
      settle(
        tx,
        row,
        {
          at: at.toISOString(),
          requestHeaders: headers,
          tookMs: answer.tookMs,
          status: answer.status,
          problem: answer.problem,
          address: answer.address,
          response: answer.response,
        },
        answer,
      ),
    )
  }
}

/**
 * The two oldest of each endpoint that has any (one, while it fails), by its index, the fewest under way first. Of an
 * organisation's endpoints those that are well and those that fail take turns, so that neither wait for the other's
 * backlog; organisations take turns likewise. `$1` at most, and `$2` of endpoints that fail.
 */
export const TAKE_DUE = `WITH RECURSIVE hooked AS (
    (SELECT endpoint_id FROM webhook_delivery WHERE state = 'waiting' ORDER BY endpoint_id LIMIT 1)
    UNION ALL SELECT (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.state = 'waiting' AND d.endpoint_id > h.endpoint_id ORDER BY d.endpoint_id LIMIT 1) FROM hooked h WHERE h.endpoint_id IS NOT NULL),
  leased AS MATERIALIZED (SELECT d.endpoint_id, d.organization_id, w.failing_since IS NOT NULL AS failing FROM webhook_delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id WHERE d.state = 'waiting' AND d.leased_until > now()),
  due AS (
    SELECT d.id, d.due_at, w.organization_id, w.failing_since IS NOT NULL AS failing, row_number() OVER (PARTITION BY w.id ORDER BY d.due_at) + (SELECT count(*) FROM leased l WHERE l.endpoint_id = w.id) AS place
    FROM hooked h JOIN webhook_endpoint w ON w.id = h.endpoint_id AND w.enabled
      CROSS JOIN LATERAL (SELECT d.id, d.due_at FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.state = 'waiting' AND d.due_at <= now() AND (d.leased_until IS NULL OR d.leased_until < now()) AND ${IS_NEXT} ORDER BY d.due_at LIMIT ${PER_ENDPOINT}) d),
  turns AS (
    SELECT *, row_number() OVER (PARTITION BY organization_id, failing ORDER BY place, due_at) + (SELECT count(*) FROM leased l WHERE l.organization_id = due.organization_id AND l.failing = due.failing) AS turn,
      (SELECT count(*) FROM leased l WHERE l.organization_id = due.organization_id) AS under_way
    FROM due WHERE place <= CASE WHEN failing THEN ${PER_FAILING_ENDPOINT} ELSE ${PER_ENDPOINT} END),
  seated AS (SELECT *, row_number() OVER (PARTITION BY failing ORDER BY turn, due_at) AS seat FROM turns WHERE under_way < ${PER_ORGANIZATION}),
  placed AS (
    SELECT id, due_at, failing, row_number() OVER (PARTITION BY organization_id ORDER BY turn, failing, due_at) + under_way AS place
    FROM seated WHERE NOT failing OR seat <= $2),
  taken AS (SELECT d.id, r.failing FROM placed r JOIN webhook_delivery d ON d.id = r.id WHERE r.place <= ${PER_ORGANIZATION} AND d.state = 'waiting' AND (d.leased_until IS NULL OR d.leased_until < now()) ORDER BY r.place, r.due_at LIMIT $1 FOR UPDATE OF d SKIP LOCKED)
  UPDATE webhook_delivery d SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken, webhook_endpoint w WHERE d.id = taken.id AND w.id = d.endpoint_id
  RETURNING d.id, d.organization_id, d.endpoint_id, d.notification_id, d.body, d.attempts, w.url, w.secret, w.previous_secret, w.previous_until, taken.failing`

async function takeDue(tx: Tx, limit: number, failing: number): Promise<Due[]> {
  // A lease that may be in force holds for as long as one lasts.
  await tx.query(
    `UPDATE webhook_delivery SET due_at = least(due_at, now()), leased_until = CASE WHEN leased_until IS NOT NULL THEN least(leased_until, now() + make_interval(secs => ${LEASE_SECONDS})) END
     WHERE id IN (SELECT d.id FROM webhook_delivery d WHERE ${IS_MISDATED} FOR UPDATE SKIP LOCKED)`,
  )
  return tx.query<Due>(TAKE_DUE, [limit, failing])
}

async function settle(tx: Tx, row: Due, tried: WebhookTry, { status }: WebhookAnswer): Promise<void> {
  // Before the delivery, as whoever switches it off does.
  const [endpoint] = await tx.query<{ enabled: boolean }>(
    'SELECT enabled FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE',
    [row.endpoint_id],
  )
  const isTaken = status !== null && status >= 200 && status < 300
  const waitSeconds =
    isTaken || !endpoint?.enabled ? null : retryAfter(WEBHOOK_RETRY_SECONDS, row.attempts + 1, Math.random())
  await tx.query(
    `UPDATE webhook_delivery SET tries = tries || $2::jsonb, attempts = attempts + 1, leased_until = NULL, state = $3, finished_at = CASE WHEN $3 = 'waiting' THEN NULL ELSE now() END,
       due_at = CASE WHEN $3 = 'waiting' THEN now() + make_interval(secs => $4) ELSE due_at END WHERE id = $1`,
    [row.id, JSON.stringify([tried]), isTaken ? 'sent' : waitSeconds === null ? 'failed' : 'waiting', waitSeconds ?? 0],
  )
  // What waits for it is due with it, so that whoever looks for what is due need not pass over it.
  if (waitSeconds !== null && row.notification_id !== null && !isUnwanted(status))
    await tx.query(
      `UPDATE webhook_delivery d SET due_at = greatest(d.due_at, b.due_at) FROM webhook_delivery b
       WHERE b.id = $1 AND d.state = 'waiting' AND ${IS_EARLIER}`,
      [row.id],
    )
  if (isTaken)
    await tx.query('UPDATE webhook_endpoint SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL', [
      row.endpoint_id,
    ])
  else await noteFailure(tx, row, status === 410 ? 'gone' : 'failing')
  await tx.query(`SELECT pg_notify('console', $1)`, [
    JSON.stringify({ organizationId: row.organization_id, kind: 'notification', siteId: null }),
  ])
}

/**
 * A receiver that says it is gone, or that nothing has reached for days though it was tried, is not called any more,
 * and people are told.
 */
async function noteFailure(
  tx: Tx,
  { id: deliveryId, endpoint_id: id, organization_id: organizationId, url }: Due,
  reason: 'gone' | 'failing',
): Promise<void> {
  const rows = await tx.query<{ is_over: boolean | null }>(
    `UPDATE webhook_endpoint SET failing_since = least(failing_since, now()) WHERE id = $1 AND enabled
     RETURNING failing_since < now() - make_interval(days => ${GIVE_UP_DAYS})
       AND (SELECT (d.tries -> -d.attempts ->> 'at')::timestamptz < now() - make_interval(days => ${IN_VAIN_DAYS}) FROM webhook_delivery d WHERE d.id = $2) AS is_over`,
    [id, deliveryId],
  )
  if (!rows[0] || (reason !== 'gone' && !(rows[0].is_over && (await isClockTrusted(tx))))) return
  await tx.query('UPDATE webhook_endpoint SET enabled = false, disabled_reason = $2 WHERE id = $1', [id, reason])
  await endWaiting(tx, id)
  await notify(tx, { organizationId, event: 'webhook-disabled', fields: { url: shownUrl(url), reason } })
}
