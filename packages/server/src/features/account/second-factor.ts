import crypto from 'node:crypto'
import { generateURI, verify } from 'otplib'
import { Failure } from '../../http/failure.ts'
import { type Config, type Tx, mint, seal, secret, unseal } from '@fairway/platform'

const PURPOSE = 'totp'
/** One step of 30 seconds to either side: clocks of telephones differ. */
const TOLERANCE_SECONDS = 30
const RECOVERY_CODES = 10

type TotpRow = { secret: string; last_step: number }

/** A new secret that waits for its first code; one that was not confirmed is replaced. */
export async function beginTotp(
  tx: Tx,
  config: Config,
  user: { id: string; organizationId: string; email: string; issuer: string },
): Promise<{ secret: string; uri: string }> {
  const fresh = mint('totp').text
  await tx.query(
    'INSERT INTO totp (user_id, organization_id, secret) VALUES ($1, $2, $3) ON CONFLICT (user_id) DO UPDATE SET secret = $3, confirmed_at = NULL, last_step = 0, created_at = now()',
    [user.id, user.organizationId, seal(config, PURPOSE, fresh)],
  )
  return { secret: fresh, uri: generateURI({ issuer: user.issuer, label: user.email, secret: fresh }) }
}

/** What a code of the app is: one that was right before is not right again (RFC 6238 5.2). */
export type CodeAnswer = 'right' | 'used' | 'wrong'

/** A right code is used up, also when two come with it at once. */
export async function judgeTotp(
  tx: Tx,
  config: Config,
  userId: string,
  code: string,
  now: Date,
  { confirmed = true } = {},
): Promise<CodeAnswer> {
  const rows = await tx.query<TotpRow>(
    'SELECT secret, last_step FROM totp WHERE user_id = $1 AND (confirmed_at IS NOT NULL) = $2',
    [userId, confirmed],
  )
  const row = rows[0]
  if (!row) return 'wrong'
  const step = await stepOf(unseal(config, PURPOSE, row.secret), code, now)
  if (step === null) return 'wrong'
  const taken = await tx.query(
    'UPDATE totp SET last_step = $2, confirmed_at = coalesce(confirmed_at, now()) WHERE user_id = $1 AND last_step < $2 RETURNING user_id',
    [userId, step],
  )
  return taken.length > 0 ? 'right' : 'used'
}

/** The refusal of a code that is not right, at its field. */
export const codeRefused = (answer: Exclude<CodeAnswer, 'right'>): Failure =>
  new Failure(400, {
    fields: [{ path: 'code', message: answer === 'used' ? 'validation.mfaCodeUsed' : 'validation.mfaCodeWrong' }],
  })

/** The time step (RFC 6238, 30 seconds) that a code belongs to; null when it is no code of about now. */
export async function stepOf(base32Secret: string, code: string, now: Date): Promise<number | null> {
  const result = await verify({
    secret: base32Secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: TOLERANCE_SECONDS,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Ten new one-time codes in place of the old ones, answered once and kept as keyed hashes. */
export async function newRecoveryCodes(
  tx: Tx,
  config: Config,
  user: { id: string; organizationId: string },
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => mint('recovery'))
  await tx.query('DELETE FROM recovery_code WHERE user_id = $1', [user.id])
  for (const code of codes)
    await tx.query('INSERT INTO recovery_code (user_id, organization_id, code_hash) VALUES ($1, $2, $3)', [
      user.id,
      user.organizationId,
      recoveryHash(config, user.id, code.secret),
    ])
  return codes.map((code) => code.text)
}

/** Uses a recovery code up. */
export async function recoveryCodeFits(tx: Tx, config: Config, userId: string, code: string): Promise<boolean> {
  return (
    (
      await tx.query(
        'UPDATE recovery_code SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING user_id',
        [userId, recoveryHash(config, userId, code)],
      )
    ).length > 0
  )
}

export async function endTotp(tx: Tx, userId: string): Promise<void> {
  await tx.query('DELETE FROM totp WHERE user_id = $1', [userId])
  await tx.query('DELETE FROM recovery_code WHERE user_id = $1', [userId])
  await tx.query('UPDATE app_user SET mfa_enabled = false WHERE id = $1', [userId])
}

/** Keyed with a secret outside of the database: who only has its rows cannot search for 60-bit codes. */
function recoveryHash(config: Config, userId: string, code: string): string {
  return crypto.createHmac('sha256', secret(config, 'recovery-codes')).update(`${userId}:${code}`).digest('base64url')
}
