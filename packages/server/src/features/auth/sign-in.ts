import type { SignedIn } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { setSessionCookies } from '../../http/session-cookies.ts'
import { openSession } from '../../http/session.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { issueToken, withdrawLooks } from './app-tokens.ts'
import { notePlace } from './known-places.ts'

const DAY = 86_400
/** A session ends after so long without use, and at the latest after so long in all. */
const SESSION = {
  remembered: { seconds: 30 * DAY, idleSeconds: 14 * DAY },
  usual: { seconds: DAY, idleSeconds: DAY / 6 },
}
const SECOND_STEP_SECONDS = 600

export type SignInRow = {
  id: string
  organization_id: string
  email: string
  first_name: string
  password_hash: string | null
  suspended: boolean
  org_suspended: boolean
  public_sandbox: boolean
  verified: boolean
  mfa_enabled: boolean
  recovery_codes: number
  passkeys: number
  partner_id: string
}

const COLUMNS = `u.id, u.organization_id, u.email, u.first_name, u.password_hash, u.suspended, o.suspended AS org_suspended, o.public_sandbox, u.email_verified_at IS NOT NULL AS verified, u.mfa_enabled, o.partner_id,
  (SELECT count(*)::int FROM recovery_code r WHERE r.user_id = u.id AND r.used_at IS NULL) AS recovery_codes, (SELECT count(*)::int FROM passkey k WHERE k.user_id = u.id) AS passkeys`

export async function userByEmail(tx: Tx, address: string): Promise<SignInRow | undefined> {
  return (
    await tx.query<SignInRow>(
      `SELECT ${COLUMNS} FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.email = $1`,
      [address.toLowerCase()],
    )
  )[0]
}

export async function userById(tx: Tx, id: string): Promise<SignInRow | undefined> {
  return (
    await tx.query<SignInRow>(
      `SELECT ${COLUMNS} FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1`,
      [id],
    )
  )[0]
}

/**
 * The end of every way to sign in: a session, or what is still missing. `proven` is a second proof that was given
 * already.
 */
export async function completeSignIn(
  context: Context<Actor>,
  user: SignInRow,
  { remember, proven }: { remember: boolean; proven: boolean },
): Promise<SignedIn> {
  if (user.org_suspended) throw new Failure(1451)
  if (user.suspended) throw new Failure(1461)
  const missing = { customerId: '', organizationId: '', jwtToken: '', ticket: null, methods: [] }
  if (!user.verified) return { ...missing, next: 'verify-email' }
  if (user.mfa_enabled && !proven) {
    const ticket = await issueToken(context.tx, {
      purpose: 'second-step',
      seconds: SECOND_STEP_SECONDS,
      user: { id: user.id, organizationId: user.organization_id },
      data: { remember },
    })
    const methods: SignedIn['methods'] = [
      'totp',
      ...(user.recovery_codes > 0 ? ['recovery' as const] : []),
      ...(user.passkeys > 0 ? ['passkey' as const] : []),
    ]
    return { ...missing, next: 'second-step', ticket, methods }
  }
  return beginSession(context, user, remember)
}

/**
 * Opens the session, sets its cookies, and tells the audit log. Of the one user of the sandbox, who is everybody, nothing
 * is kept that others would see.
 */
async function beginSession(
  { tx, reply, actor, services, userAgent }: Context<Actor>,
  user: SignInRow,
  remember: boolean,
): Promise<SignedIn> {
  const limits = remember ? SESSION.remembered : SESSION.usual
  const token = await openSession(tx, {
    userId: user.id,
    organizationId: user.organization_id,
    ...limits,
    ip: user.public_sandbox ? null : actor.ip,
    agent: user.public_sandbox ? null : (userAgent?.slice(0, 400) ?? null),
  })
  await tx.query('UPDATE app_user SET login_at = now() WHERE id = $1', [user.id])
  if (!user.public_sandbox) {
    await notePlace(tx, services.config, user, actor.ip)
    await tellAudit(tx, user.id, 'auth.login', actor.ip)
  }
  setSessionCookies(reply, services.config, token, remember ? limits.seconds : undefined)
  return {
    customerId: user.id,
    organizationId: user.organization_id,
    jwtToken: token,
    next: 'done',
    ticket: null,
    methods: [],
  }
}

/** What happened without a session, told as the user's own: the wrapper only knows calls of signed-in users. */
export async function tellAudit(tx: Tx, userId: string, action: string, ip: string): Promise<void> {
  const rows = await tx.query<{ organization_id: string; email: string }>(
    'SELECT organization_id, email FROM app_user WHERE id = $1',
    [userId],
  )
  if (rows[0])
    await writeAudit(tx, {
      organizationId: rows[0].organization_id,
      action,
      userId,
      userLabel: rows[0].email,
      ip,
      source: 'console',
      changes: [],
    })
}

/**
 * Ends the sessions of a user, all but `except` when one is named, and their looks into accounts of others. Answers how
 * many there were of the user's own.
 */
export async function endSessions(tx: Tx, userId: string, except: string | null = null): Promise<number> {
  const own = await tx.query(
    'UPDATE session SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now() AND id IS DISTINCT FROM $2::uuid RETURNING id',
    [userId, except],
  )
  // They are of the organisations that are looked at.
  await beyondTenant(tx, async () => {
    await tx.query('UPDATE session SET revoked_at = now() WHERE impostor_id = $1 AND revoked_at IS NULL', [userId])
    await withdrawLooks(tx, userId)
  })
  return own.length
}
