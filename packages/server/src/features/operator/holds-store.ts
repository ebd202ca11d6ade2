import { type Config, readRestored, type Tx } from '@fairway/platform'
import type { OperatorHold } from '@fairway/contract'
import { beginEpoch } from '../../publish/epoch.ts'
import { endForOperators, notifyOperators } from '../notifications/notify-operators.ts'

export type HoldKind = OperatorHold['kind']
type HoldRow = { id: string; kind: HoldKind; detail: { moment?: string | null; seconds?: number }; created_at: Date }

/** Keys are listed up to here. */
const KEYS_MOST = 100
const HOUR_S = 3_600

/** Letters of before a restore wait for an operator: they may have been sent in the time that was forgotten. */
export const IS_HELD_LETTER = `EXISTS (SELECT FROM operator_hold h WHERE h.kind = 'restored' AND h.confirmed_at IS NULL AND mail_message.created_at < h.created_at)`

/**
 * The first start on a database that was restored: whoever was signed in has to do so again, nodes take everything anew,
 * and what would be done twice waits for an operator.
 */
export async function noteRestored(tx: Tx, config: Pick<Config, 'home'>): Promise<void> {
  const restored = readRestored(config.home)
  if (restored === null) return
  const first = await tx.query(
    `INSERT INTO operator_hold (id, kind, detail) VALUES ($1, 'restored', $2) ON CONFLICT DO NOTHING RETURNING id`,
    [restored.id, JSON.stringify({ moment: restored.moment })],
  )
  if (first.length === 0) return
  await tx.query('UPDATE session SET revoked_at = now() WHERE revoked_at IS NULL')
  await beginEpoch(tx, null)
  await tellHeld(tx, { id: restored.id, kind: 'restored', hours: 0 })
}

/** The clock of a worker, or how long ago it last counted, says that what it would charge may be nobody's debt. */
export async function noteClock(tx: Tx, seconds: number): Promise<void> {
  const [hold] = await tx.query<{ id: string }>(
    `INSERT INTO operator_hold (kind, detail) SELECT 'clock', $1 WHERE NOT EXISTS (SELECT FROM operator_hold WHERE kind = 'clock' AND confirmed_at IS NULL) RETURNING id`,
    [JSON.stringify({ seconds: Math.round(seconds) })],
  )
  if (hold) await tellHeld(tx, { id: hold.id, kind: 'clock', hours: Math.round(Math.abs(seconds) / HOUR_S) })
}

const incidentOf = (holdId: string): string => `charges-held:${holdId}`

const tellHeld = (tx: Tx, { id, ...fields }: { id: string; kind: HoldKind; hours: number }): Promise<void> =>
  notifyOperators(tx, { event: 'charges-held', fields, incident: incidentOf(id) })

/** Kinds of what has not been confirmed. */
export async function holdKinds(tx: Tx): Promise<Set<HoldKind>> {
  const rows = await tx.query<{ kind: HoldKind }>('SELECT DISTINCT kind FROM operator_hold WHERE confirmed_at IS NULL')
  return new Set(rows.map(({ kind }) => kind))
}

/** Whether an operator has said within a day that the clock is right. */
export async function isClockConfirmed(tx: Tx): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM operator_hold WHERE kind = 'clock' AND confirmed_at > now() - interval '1 day'`,
  )
  return rows.length > 0
}

/** What is held, oldest first, with what waits for it now. */
export async function listHolds(tx: Tx): Promise<OperatorHold[]> {
  const rows = await tx.query<HoldRow>(
    'SELECT id, kind, detail, created_at FROM operator_hold WHERE confirmed_at IS NULL ORDER BY created_at, id',
  )
  if (rows.length === 0) return []
  const [waiting] = await tx.query<{ letters: number; charges: number; months: number }>(
    `SELECT (SELECT count(*)::int FROM mail_message WHERE state = 'waiting' AND ${IS_HELD_LETTER}) AS letters,
       (SELECT count(*)::int FROM invoice WHERE status <> 'paid' AND next_attempt_at <= now()) AS charges,
       (SELECT count(*)::int FROM billing_account b JOIN organization o ON o.id = b.organization_id WHERE b.billed AND NOT o.sandbox AND b.billed_until < date_trunc('month', now(), 'UTC')
          AND (o.closed_at IS NULL OR b.billed_until <= o.closed_at)) AS months`,
  )
  const keys = await tx.query<{ label: string }>(
    `SELECT u.email || ' · ' || k.name AS label FROM api_key k JOIN app_user u ON u.id = k.user_id WHERE k.deleted_at IS NULL ORDER BY k.created_at DESC, k.id LIMIT ${KEYS_MOST}`,
  )
  return rows.map(({ id, kind, detail, created_at }) => ({
    id,
    kind,
    at: created_at.toISOString(),
    moment: detail.moment ?? null,
    seconds: detail.seconds ?? null,
    waiting: waiting ?? { letters: 0, charges: 0, months: 0 },
    apiKeys: kind === 'restored' ? keys.map(({ label }) => label) : [],
  }))
}

/**
 * Lets go on what waits; letters of before a restore are sent, or never are. False when it was confirmed already, or
 * there is none.
 */
export async function confirmHold(tx: Tx, { id, letters, by }: ConfirmedHold): Promise<HoldKind | null> {
  const [row] = await tx.query<{ kind: HoldKind; created_at: Date }>(
    'SELECT kind, created_at FROM operator_hold WHERE id = $1 AND confirmed_at IS NULL FOR UPDATE',
    [id],
  )
  if (!row) return null
  if (row.kind === 'restored' && letters === 'drop')
    await tx.query(
      `UPDATE mail_message SET state = 'failed', problem = 'not sent after a restore' WHERE state = 'waiting' AND created_at < $1`,
      [row.created_at],
    )
  await tx.query('UPDATE operator_hold SET confirmed_at = now(), confirmed_by = $2 WHERE id = $1', [id, by])
  await endForOperators(tx, incidentOf(id))
  await tx.query(`SELECT pg_notify('mail', '')`)
  return row.kind
}

type ConfirmedHold = { id: string; letters: 'send' | 'drop'; by: string }
