import { type Locale, type RouteParsed, type RouteOutput, type SignedIn, auth } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { type FoundToken, peekToken, redeemToken, withdrawTokens } from './app-tokens.ts'
import { letterLimits, mayAttempt, takeAttempts } from './attempts.ts'
import { forgetPlaces, notePlace } from './known-places.ts'
import { sendPasswordChanged, sendPasswordLink } from './letters.ts'
import { acceptInvitation, declineInvitation, findInvitation } from '../teammates/invitations.ts'
import { hashPassword } from './password.ts'
import { type SignInRow, completeSignIn, endSessions, tellAudit, userByEmail, userById } from './sign-in.ts'

/** The same answer whoever asks for whatever address. */
export async function forgotPassword(
  { tx, services, actor }: Context<Actor>,
  { email, locale }: RouteParsed<typeof auth.routes.forgotPassword>,
): Promise<Record<string, never>> {
  const [place, address] = letterLimits('reset', email.toLowerCase(), actor.ip)
  await takeAttempts(services.database, [place])
  const mayWrite = await mayAttempt(services.database, [address])
  const user = await userByEmail(tx, email)
  if (user && mayWrite && !user.suspended && user.verified) await sendPasswordLink(tx, services.config, user, locale)
  return {}
}

export async function resetPassword(
  context: Context<Actor>,
  { token, password, keepOtherWays }: RouteParsed<typeof auth.routes.resetPassword>,
): Promise<Record<string, never>> {
  const { tx, actor, services, now } = context
  const user = await holderOf(tx, await redeemToken(tx, 'reset-password', token))
  await setPassword(tx, user.id, password)
  await endSessions(tx, user.id)
  if (!keepOtherWays) await removeOtherWays(tx, user.id)
  await forgetPlaces(tx, user.id)
  await notePlace(tx, services.config, user, actor.ip)
  await tellAudit(tx, user.id, 'auth.reset-password', actor.ip)
  await sendPasswordChanged(tx, user, await localeOf(tx, user.id), actor.ip, now)
  return {}
}

/** Who had got in may have left themselves another way: a new password alone would not keep them out. */
async function removeOtherWays(tx: Tx, userId: string): Promise<void> {
  await tx.query('DELETE FROM passkey WHERE user_id = $1', [userId])
  await tx.query('DELETE FROM user_identity WHERE user_id = $1', [userId])
}

export async function tokenInfo(
  { tx }: Context<Actor>,
  { purpose, token }: RouteParsed<typeof auth.routes.tokenInfo>,
): Promise<RouteOutput<typeof auth.routes.tokenInfo>> {
  if (purpose === 'invite') return findInvitation(tx, token)
  const found = await peekToken(tx, purpose, token)
  const user = found.state === 'ok' && found.userId ? await userById(tx, found.userId) : undefined
  return {
    state: found.state === 'ok' && !user ? 'unknown' : found.state,
    email: user?.email ?? null,
    organizationName: '',
    hasAccount: false,
  }
}

/** An invited person sets up the account; the link has proven the address. */
export async function acceptInvite(
  context: Context<Actor>,
  { token, password, firstName, lastName }: RouteParsed<typeof auth.routes.acceptInvite>,
): Promise<SignedIn> {
  const { tx, actor } = context
  const user = await userById(
    tx,
    await acceptInvitation(tx, {
      token,
      passwordHash: await hashPassword(password),
      firstName,
      lastName,
      ip: actor.ip,
    }),
  )
  if (!user) throw new Error('the user that was just made is not there')
  return completeSignIn(context, user, { remember: false, proven: false })
}

/** An invited person says no; whoever has an account in another organisation can do nothing else. */
export async function declineInvite(
  { tx, actor }: Context<Actor>,
  { token }: RouteParsed<typeof auth.routes.declineInvite>,
): Promise<Record<string, never>> {
  await declineInvitation(tx, token, actor.ip)
  return {}
}

/** Stores the hash; links to the old password's replacement are worth nothing any more. */
export async function setPassword(tx: Tx, userId: string, password: string): Promise<void> {
  await tx.query('UPDATE app_user SET password_hash = $2, password_changed_at = now() WHERE id = $1', [
    userId,
    await hashPassword(password),
  ])
  await withdrawTokens(tx, 'reset-password', userId)
}

export async function localeOf(tx: Tx, userId: string): Promise<Locale> {
  return (await tx.query<{ locale: Locale }>('SELECT locale FROM app_user WHERE id = $1', [userId]))[0]?.locale ?? 'en'
}

async function holderOf(tx: Tx, found: FoundToken): Promise<SignInRow> {
  const user = found.state === 'ok' && found.userId ? await userById(tx, found.userId) : undefined
  if (user) return user
  const message = {
    ok: 'validation.tokenUnknown',
    unknown: 'validation.tokenUnknown',
    used: 'validation.tokenUsed',
    expired: 'validation.tokenExpired',
  }[found.state]
  throw new Failure(400, { fields: [{ path: 'token', message }] })
}
