import type { SignedIn } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { sandboxLimit, takeAttempts } from './attempts.ts'
import { completeSignIn, userById } from './sign-in.ts'

/** Whether this installation has an organisation that stands open to everybody, and is complete. */
export async function sandboxVisitor(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    'SELECT u.id FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE o.public_sandbox AND o.sandbox AND NOT o.suspended AND NOT u.suspended ORDER BY u.created_at LIMIT 1',
  )
  return row?.id ?? null
}

/**
 * Lets anybody in who wants to look around. Writing is closed to its one user, who is everybody. @throws Failure 404
 * where there is none
 */
export async function enterSandbox(context: Context<Actor>): Promise<SignedIn> {
  await takeAttempts(context.services.database, [sandboxLimit(context.actor.ip)])
  const id = await sandboxVisitor(context.tx)
  const user = id === null ? undefined : await userById(context.tx, id)
  if (!user) throw new Failure(404)
  return completeSignIn(context, user, { remember: false, proven: true })
}
