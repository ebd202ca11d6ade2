import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { tellAudit } from './sign-in.ts'

export type FailedAttempt = 'auth.login-failed' | 'auth.code-failed' | 'auth.passkey-failed' | 'auth.proof-failed'

/**
 * Tells the audit log of somebody's organisation that somebody failed to show that they are that person. After the
 * answer, beside the call's own transaction, which is rolled back: how long an answer takes must not say whether an
 * address has an account. The limits of attempts bound how often it comes.
 */
export function tellFailedAttempt(context: Context<Actor>, userId: string, action: FailedAttempt): void {
  const { services, actor, reply } = context
  reply.raw.once('close', () => {
    services.database
      .aside((tx) => tellAudit(tx, userId, action, actor.ip))
      .catch((error: unknown) => services.log.error({ event: 'audit.attempt-not-told', err: error }))
  })
}
