import crypto from 'node:crypto'
import { type Config, type Tx, nodeToken, placeOf } from '@fairway/platform'

/** Of the places where somebody was signed in the newest are known, for so long after the last time. */
const MOST_PLACES = 20
export const KNOWN_DAYS = 90

/** Another one for each account, and nothing to whoever has only the database. */
const hashOf = (config: Config, userId: string, ip: string): string =>
  crypto
    .createHmac('sha256', nodeToken(config))
    .update(`sign-in place ${userId} ${placeOf(ip)}`)
    .digest('base64url')

/** Whether the account was signed in to from the caller's place. An address without an account costs the same. */
export async function isKnownPlace(tx: Tx, config: Config, userId: string | undefined, ip: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT FROM sign_in_place WHERE user_id = $1 AND place_hash = $2 AND seen_at > now() - make_interval(days => $3)',
    [userId ?? null, hashOf(config, userId ?? '', ip), KNOWN_DAYS],
  )
  return rows.length > 0
}

/** Whoever signs in, or sets a password by a letter, is known at this place from now on. */
export async function notePlace(
  tx: Tx,
  config: Config,
  user: { id: string; organization_id: string },
  ip: string,
): Promise<void> {
  await tx.query(
    'INSERT INTO sign_in_place (user_id, organization_id, place_hash) VALUES ($1, $2, $3) ON CONFLICT (user_id, place_hash) DO UPDATE SET seen_at = now()',
    [user.id, user.organization_id, hashOf(config, user.id, ip)],
  )
  await tx.query(
    'DELETE FROM sign_in_place WHERE user_id = $1 AND place_hash NOT IN (SELECT place_hash FROM sign_in_place WHERE user_id = $1 ORDER BY seen_at DESC LIMIT $2)',
    [user.id, MOST_PLACES],
  )
}

/** Places of before count no longer: somebody else may have known the password. */
export async function forgetPlaces(tx: Tx, userId: string): Promise<void> {
  await tx.query('DELETE FROM sign_in_place WHERE user_id = $1', [userId])
}
