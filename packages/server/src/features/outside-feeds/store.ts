import type { OutsideFeedInput } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type OutsideFeedRow = {
  id: string
  name: string
  weight_percent: number
  enabled: boolean
  old_key_until: Date | null
  created_at: Date
}

// Keys are read where they are published and nowhere else.
const COLUMNS = 'id, name, weight_percent, enabled, old_key_until, created_at'

export async function listOutsideFeeds(tx: Tx): Promise<OutsideFeedRow[]> {
  return tx.query<OutsideFeedRow>(`SELECT ${COLUMNS} FROM outside_feed ORDER BY created_at, id`)
}

export async function countOutsideFeeds(tx: Tx): Promise<number> {
  return (await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM outside_feed'))[0]?.n ?? 0
}

export async function outsideFeedById(tx: Tx, id: string): Promise<OutsideFeedRow | undefined> {
  return (await tx.query<OutsideFeedRow>(`SELECT ${COLUMNS} FROM outside_feed WHERE id = $1`, [id]))[0]
}

export async function nameTaken(tx: Tx, name: string, butOf: string | null): Promise<boolean> {
  const rows = await tx.query(
    'SELECT FROM outside_feed WHERE lower(name) = lower($1) AND id IS DISTINCT FROM $2::uuid',
    [name, butOf],
  )
  return rows.length > 0
}

export async function insertOutsideFeed(
  tx: Tx,
  organizationId: string,
  { name, weightPercent, enabled }: OutsideFeedInput,
  keySealed: string,
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO outside_feed (organization_id, name, weight_percent, enabled, key_sealed) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [organizationId, name, weightPercent, enabled, keySealed],
  )
  return row?.id ?? ''
}

export async function updateOutsideFeed(
  tx: Tx,
  id: string,
  { name, weightPercent, enabled }: OutsideFeedInput,
): Promise<void> {
  await tx.query('UPDATE outside_feed SET name = $2, weight_percent = $3, enabled = $4 WHERE id = $1', [
    id,
    name,
    weightPercent,
    enabled,
  ])
}

/** An older key that is still good stays beside the new one: it is the one that the sender is known to have. */
export async function replaceKey(tx: Tx, id: string, keySealed: string, keepOldHours: number): Promise<void> {
  await tx.query(
    `UPDATE outside_feed SET old_key_sealed = CASE WHEN old_key_until > now() THEN old_key_sealed ELSE key_sealed END,
       old_key_until = CASE WHEN old_key_until > now() THEN old_key_until ELSE now() + make_interval(hours => $3) END, key_sealed = $2 WHERE id = $1`,
    [id, keySealed, keepOldHours],
  )
}
