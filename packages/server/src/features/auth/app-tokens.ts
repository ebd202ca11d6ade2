import { type Tx, mint } from '@fairway/platform'
import { hashOf } from '../../http/session.ts'

/** What a token is good for; one for another purpose is unknown. */
export type TokenPurpose =
  | 'verify-email'
  | 'reset-password'
  | 'invite'
  | 'email-change'
  | 'second-step'
  | 'openid'
  | 'captcha'
  | 'passkey'
  | 'login-as'
  | 'node-join'

export type NewToken = {
  purpose: TokenPurpose
  seconds: number
  /** Whose it is; a captcha's belongs to nobody. */
  user?: { id: string; organizationId: string }
  data?: Record<string, unknown>
}

/**
 * A token and what became of it. `used` and `expired` name their user too, so that a screen can say what to do next.
 */
export type FoundToken =
  | {
      state: 'ok' | 'used' | 'expired'
      userId: string | null
      organizationId: string | null
      data: Record<string, unknown>
    }
  | { state: 'unknown' }

type Row = {
  user_id: string | null
  organization_id: string | null
  data: Record<string, unknown>
  used: boolean
  expired: boolean
}

/** Makes a token: 256 random bits as base64url, for the link of a letter or an answer. Only its hash stays. */
export async function issueToken(tx: Tx, { purpose, seconds, user, data = {} }: NewToken): Promise<string> {
  const token = mint('bearer').text
  await tx.query(
    'INSERT INTO app_token (organization_id, user_id, purpose, token_hash, data, expires_at) VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))',
    [user?.organizationId ?? null, user?.id ?? null, purpose, hashOf(token), JSON.stringify(data), seconds],
  )
  return token
}

/**
 * Uses a token up: of two that come with it at once, one gets `ok`. Needs a system transaction, as public routes have.
 */
export async function redeemToken(tx: Tx, purpose: TokenPurpose, token: string): Promise<FoundToken> {
  const rows = await tx.query<Row>(
    'UPDATE app_token SET used_at = now() WHERE token_hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > now() RETURNING user_id, organization_id, data, false AS used, false AS expired',
    [hashOf(token), purpose],
  )
  return rows[0] ? foundOf(rows[0]) : peekToken(tx, purpose, token)
}

/** Keeps with a token what became of it. */
export async function noteOfToken(tx: Tx, token: string, data: Record<string, unknown>): Promise<void> {
  await tx.query('UPDATE app_token SET data = data || $2::jsonb WHERE token_hash = $1', [
    hashOf(token),
    JSON.stringify(data),
  ])
}

/** Looks at a token without using it up. */
export async function peekToken(tx: Tx, purpose: TokenPurpose, token: string): Promise<FoundToken> {
  const rows = await tx.query<Row>(
    'SELECT user_id, organization_id, data, used_at IS NOT NULL AS used, expires_at <= now() AS expired FROM app_token WHERE token_hash = $1 AND purpose = $2',
    [hashOf(token), purpose],
  )
  return rows[0] ? foundOf(rows[0]) : { state: 'unknown' }
}

/** Makes the tokens of a user worthless that were not used: an invitation sent again, a password changed. */
export async function withdrawTokens(tx: Tx, purpose: TokenPurpose, userId: string): Promise<void> {
  await tx.query(
    'UPDATE app_token SET expires_at = now() WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > now()',
    [userId, purpose],
  )
}

/** Makes links worthless by which a user would look on as somebody. Needs a system transaction. */
export async function withdrawLooks(tx: Tx, impostorId: string): Promise<void> {
  await tx.query(
    `UPDATE app_token SET expires_at = now() WHERE purpose = 'login-as' AND data->>'impostorId' = $1 AND used_at IS NULL AND expires_at > now()`,
    [impostorId],
  )
}

/** When the newest token of that purpose was made for the user; null for never. */
export async function lastIssuedAt(tx: Tx, purpose: TokenPurpose, userId: string): Promise<Date | null> {
  const rows = await tx.query<{ at: Date | null }>(
    'SELECT max(created_at) AS at FROM app_token WHERE user_id = $1 AND purpose = $2',
    [userId, purpose],
  )
  return rows[0]?.at ?? null
}

function foundOf({ user_id, organization_id, data, used, expired }: Row): FoundToken {
  return { state: used ? 'used' : expired ? 'expired' : 'ok', userId: user_id, organizationId: organization_id, data }
}
