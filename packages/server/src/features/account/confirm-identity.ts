import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { forgiveAttempts, proofLimit, takeAttempts } from '../auth/attempts.ts'
import { passwordMatches } from '../auth/password.ts'
import { tellFailedAttempt } from '../auth/failed-attempts.ts'
import { codeRefused, judgeTotp } from './second-factor.ts'

export type OwnRow = {
  id: string
  organization_id: string
  email: string
  first_name: string
  last_name: string
  password_hash: string | null
  mfa_enabled: boolean
  partner_id: string
  locale: 'en' | 'zhHant' | 'zhHans'
}

export async function ownRow({ tx, actor }: Context): Promise<OwnRow> {
  const rows = await tx.query<OwnRow>(
    'SELECT u.id, u.organization_id, u.email, u.first_name, u.last_name, u.password_hash, u.mfa_enabled, u.locale, o.partner_id FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1',
    [actor.userId],
  )
  if (!rows[0]) throw new Error('the signed-in user has no row')
  return rows[0]
}

/**
 * Before the ways to sign in are changed: the password, or a code of the authenticator app. Who has neither (came by
 * Google) has nothing to show.
 * @throws Failure 400 at the field, 2523 after too many tries
 */
export async function confirmIdentity(
  context: Context,
  { password, code }: { password?: string | undefined; code?: string | undefined },
): Promise<OwnRow> {
  const user = await ownRow(context)
  if (user.password_hash === null && !user.mfa_enabled) return user
  const withCode = user.mfa_enabled && code !== undefined
  if (!withCode && (password === undefined || user.password_hash === null))
    throw new Failure(400, {
      fields: [{ path: user.password_hash === null ? 'code' : 'password', message: 'validation.required' }],
    })
  const limits = [proofLimit(user.id)]
  await takeAttempts(context.services.database, limits)
  const answer = withCode
    ? await judgeTotp(context.tx, context.services.config, user.id, code, context.now)
    : (await passwordMatches(password ?? '', user.password_hash))
      ? 'right'
      : 'wrong'
  if (answer !== 'right') {
    tellFailedAttempt(context, user.id, 'auth.proof-failed')
    throw withCode
      ? codeRefused(answer)
      : new Failure(400, { fields: [{ path: 'password', message: 'validation.passwordWrong' }] })
  }
  await forgiveAttemptsAfter(context, limits)
  return user
}

/** In the system's own transaction: a tenant does not see the counters. */
export async function forgiveAttemptsAfter(
  { services }: Context,
  limits: Parameters<typeof forgiveAttempts>[1],
): Promise<void> {
  await services.database.aside((tx) => forgiveAttempts(tx, limits))
}
