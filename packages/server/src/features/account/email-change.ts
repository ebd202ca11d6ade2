import crypto from 'node:crypto'
import { type Profile, type RouteParsed, account } from '@fairway/contract'
import type { Config } from '@fairway/platform'
import { secret } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { enqueueSealedMail } from '../../mail/enqueue-mail.ts'
import { lastIssuedAt, issueToken, withdrawTokens } from '../auth/app-tokens.ts'
import { mayAttempt, messageLimit, takeAttempts, unaskedLetterLimit } from '../auth/attempts.ts'
import { sendAddressChanged } from '../auth/letters.ts'
import { removeUnproven } from '../auth/remove-unproven.ts'
import { renamePerson } from '../teammates/erase-person.ts'
import { confirmIdentity, forgiveAttemptsAfter, ownRow } from './confirm-identity.ts'
import { readProfile } from './own-details.ts'

type Routes = typeof account.routes
const MINUTES = 10
const WAIT_MS = 60_000

/** A six-digit code to the new address. One that belongs to somebody gets no code, and the answer is the same. */
export async function sendMessage(
  context: Context,
  { email, ...proof }: RouteParsed<Routes['sendMessage']>,
): Promise<Record<string, never>> {
  const { tx, services, now } = context
  const user = await confirmIdentity(context, proof)
  const last = await lastIssuedAt(tx, 'email-change', user.id)
  if (last && now.getTime() - last.getTime() < WAIT_MS)
    throw new Failure(1570, { retryAfterSeconds: (WAIT_MS - now.getTime() + last.getTime()) / 1000 })
  await withdrawTokens(tx, 'email-change', user.id)
  const address = email.toLowerCase()
  const code = String(crypto.randomInt(1_000_000)).padStart(6, '0')
  await issueToken(tx, {
    purpose: 'email-change',
    seconds: MINUTES * 60,
    user: { id: user.id, organizationId: user.organization_id },
    data: { email: address, code: codeHash(services.config, user.id, code) },
  })
  const limits = [unaskedLetterLimit('email-change', address)]
  if ((await isTaken(context, address)) || !(await mayAttempt(services.database, limits))) return {}
  await enqueueSealedMail(tx, services.config, {
    to: address,
    template: 'email-change',
    locale: user.locale,
    organizationId: user.organization_id,
    partnerId: user.partner_id,
    fields: { firstName: user.first_name, code, minutes: MINUTES },
  })
  return {}
}

export async function verifyMessage(
  context: Context,
  { code }: RouteParsed<Routes['verifyMessage']>,
): Promise<Profile> {
  const { tx, services, change, actor, now } = context
  const user = await ownRow(context)
  const limits = [messageLimit(user.id)]
  await takeAttempts(services.database, limits)
  const rows = await tx.query<{ data: { email: string } }>(
    `UPDATE app_token SET used_at = now() WHERE user_id = $1 AND purpose = 'email-change' AND used_at IS NULL AND expires_at > now() AND data->>'code' = $2 RETURNING data`,
    [user.id, codeHash(services.config, user.id, code)],
  )
  const address = rows[0]?.data.email
  if (!address || (await isTaken(context, address)))
    throw new Failure(400, { fields: [{ path: 'code', message: 'validation.messageCodeWrong' }] })
  await forgiveAttemptsAfter(context, limits)
  await beyondTenant(tx, () => removeUnproven(tx, address))
  await tx.query('UPDATE app_user SET email = $2, email_verified_at = now() WHERE id = $1', [user.id, address])
  await renamePerson(tx, { id: user.id, email: user.email, organizationId: user.organization_id }, address)
  for (const purpose of ['reset-password', 'verify-email'] as const) await withdrawTokens(tx, purpose, user.id)
  await sendAddressChanged(tx, user, user.locale, { to: address, ip: actor.ip, now })
  change.title = `${user.email} → ${address}`
  return readProfile(context)
}

/** A sign-up that was never proven keeps nobody from an address that is theirs. */
const isTaken = ({ tx }: Context, address: string): Promise<boolean> =>
  beyondTenant(tx, async () => {
    const owners = await tx.query('SELECT FROM app_user WHERE email = $1 AND email_verified_at IS NOT NULL', [address])
    return owners.length > 0
  })

/** Keyed: six digits are searched through in no time by who has the row. */
function codeHash(config: Config, userId: string, code: string): string {
  return crypto
    .createHmac('sha256', secret(config, 'recovery-codes'))
    .update(`email:${userId}:${code}`)
    .digest('base64url')
}
