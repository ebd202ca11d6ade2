import { type RouteParsed, type SignedIn, auth } from '@fairway/contract'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { codeRefused, judgeTotp, recoveryCodeFits } from '../account/second-factor.ts'
import { type FoundToken, peekToken, redeemToken } from './app-tokens.ts'
import { codeLimit, forgiveAttempts, signInLimits, takeAttempts } from './attempts.ts'
import { tellFailedAttempt } from './failed-attempts.ts'
import { isKnownPlace } from './known-places.ts'
import { passwordMatches } from './password.ts'
import { type SignInRow, completeSignIn, userByEmail, userById } from './sign-in.ts'

export async function login(
  context: Context<Actor>,
  { email, password, remember }: RouteParsed<typeof auth.routes.login>,
): Promise<SignedIn> {
  const { tx, services, actor } = context
  const user = await userByEmail(tx, email)
  const isKnown = await isKnownPlace(tx, services.config, user?.id, actor.ip)
  const limits = signInLimits(email.toLowerCase(), actor.ip, isKnown)
  await takeAttempts(services.database, limits)
  const right = await passwordMatches(password, user?.password_hash ?? null)
  if (!right && user) tellFailedAttempt(context, user.id, 'auth.login-failed')
  if (!right || !user) throw new Failure(401, { fields: [{ path: 'password', message: 'validation.credentials' }] })
  await forgiveAttempts(tx, limits)
  return completeSignIn(context, user, { remember, proven: false })
}

/** Second step with the code of the app or a recovery code. The ticket is used up only by a right one. */
export async function secondStep(
  context: Context<Actor>,
  { stepTicket: ticket, code, recoveryCode }: RouteParsed<typeof auth.routes.secondStep>,
): Promise<SignedIn> {
  const { tx, services } = context
  const { user, remember } = await ticketHolder(context, await peekToken(tx, 'second-step', ticket))
  if (code === undefined && recoveryCode === undefined)
    throw new Failure(400, { fields: [{ path: 'code', message: 'validation.required' }] })
  const limits = [codeLimit(user.id)]
  await takeAttempts(services.database, limits)
  const answer =
    code !== undefined
      ? await judgeTotp(tx, services.config, user.id, code, context.now)
      : (await recoveryCodeFits(tx, services.config, user.id, recoveryCode ?? ''))
        ? 'right'
        : 'wrong'
  if (answer !== 'right') {
    tellFailedAttempt(context, user.id, 'auth.code-failed')
    throw code === undefined
      ? new Failure(400, { fields: [{ path: 'recoveryCode', message: 'validation.recoveryCodeWrong' }] })
      : codeRefused(answer)
  }
  if ((await redeemToken(tx, 'second-step', ticket)).state !== 'ok') throw new Failure(1575)
  await forgiveAttempts(tx, limits)
  return completeSignIn(context, user, { remember, proven: true })
}

/**
 * Whose second step it is. @throws Failure 1575 when the ticket is none, used or too old: the first step has to be done
 * again.
 */
export async function ticketHolder(
  { tx }: Context<Actor>,
  found: FoundToken,
): Promise<{ user: SignInRow; remember: boolean }> {
  const user = found.state === 'ok' && found.userId ? await userById(tx, found.userId) : undefined
  if (found.state !== 'ok' || !user) throw new Failure(1575)
  return { user, remember: found.data['remember'] === true }
}
