import { type RouteParsed, type SignedIn, auth } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { redeemToken, withdrawTokens } from './app-tokens.ts'
import { letterLimits, takeAttempts } from './attempts.ts'
import { type SignUpDetails, passwordTicket, sendVerification } from './letters.ts'
import { type SignInRow, completeSignIn, endSessions, tellAudit, userByEmail, userById } from './sign-in.ts'
import { takeDetails } from './sign-up.ts'

/** Sends the letter again; says nothing of whether there is such an account. */
export async function sendEmail(
  { tx, services, actor }: Context<Actor>,
  { email, locale }: RouteParsed<typeof auth.routes.sendEmail>,
): Promise<Record<string, never>> {
  await takeAttempts(services.database, letterLimits('verify', email.toLowerCase(), actor.ip))
  const user = await userByEmail(tx, email)
  if (user && !user.verified && user.password_hash !== null && !user.suspended)
    await sendVerification(tx, services.config, user, locale)
  return {}
}

/** The link proves the address, and signs in. */
export async function verifyEmail(
  context: Context<Actor>,
  { token }: RouteParsed<typeof auth.routes.verifyEmail>,
): Promise<SignedIn> {
  const { tx, actor } = context
  const found = await redeemToken(tx, 'verify-email', token)
  const user = found.state !== 'unknown' && found.userId ? await userById(tx, found.userId) : undefined
  if (!user) throw new Failure(400, { fields: [{ path: 'token', message: 'validation.tokenUnknown' }] })
  if (user.verified) throw new Failure(1465)
  if (found.state !== 'ok')
    throw new Failure(400, {
      fields: [{ path: 'token', message: found.state === 'used' ? 'validation.tokenUsed' : 'validation.tokenExpired' }],
    })
  const [row] = await tx.query<{ contested: boolean }>(
    'UPDATE app_user SET email_verified_at = now() WHERE id = $1 RETURNING sign_up_contested AS contested',
    [user.id],
  )
  for (const purpose of ['verify-email', 'reset-password'] as const) await withdrawTokens(tx, purpose, user.id)
  await endSessions(tx, user.id)
  await tellAudit(tx, user.id, 'auth.verify-email', actor.ip)
  if (row?.contested) return settleContest(tx, user, found.data['signUp'])
  return completeSignIn(context, { ...user, verified: true }, { remember: false, proven: false })
}

/**
 * Several people have signed up with the address, and who holds the mailbox may have clicked any of their letters: no
 * password that was typed is taken, the holder sets one now.
 */
async function settleContest(tx: Tx, user: SignInRow, signUp: unknown): Promise<SignedIn> {
  await tx.query('UPDATE app_user SET password_hash = NULL, sign_up_contested = false WHERE id = $1', [user.id])
  if (signUp) await takeDetails(tx, user.id, signUp as SignUpDetails)
  return {
    customerId: '',
    organizationId: '',
    jwtToken: '',
    next: 'set-password',
    ticket: await passwordTicket(tx, user),
    methods: [],
  }
}
