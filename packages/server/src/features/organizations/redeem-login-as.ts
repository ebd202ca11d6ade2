import type { auth } from '@fairway/contract'
import { Failure } from '../../http/failure.ts'
import type { VerbOf } from '../../http/register.ts'
import { setSessionCookies } from '../../http/session-cookies.ts'
import { openSession } from '../../http/session.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { redeemToken } from '../auth/app-tokens.ts'
import { notify } from '../notifications/notify.ts'

/** Long enough to help somebody, short enough to be forgotten. */
const SESSION_SECONDS = 3_600

type Person = {
  email: string
  suspended: boolean
  org_suspended: boolean
  public_sandbox: boolean
  is_operator: boolean
  allowed: boolean
}

/**
 * Uses up a login-as link: opens a session as the user that remembers who looks on, and says so in the user's own audit
 * log.
 */
export const redeemLoginAs: VerbOf<typeof auth.routes.loginAs> = async (
  { tx, actor, reply, services, userAgent },
  { token },
) => {
  const found = await redeemToken(tx, 'login-as', token)
  if (found.state !== 'ok' || !found.userId || !found.organizationId)
    throw new Failure(401, { internal: `login-as link is ${found.state}` })
  const {
    userId,
    organizationId,
    data: { impostor, impostorId },
  } = found
  if (typeof impostor !== 'string' || typeof impostorId !== 'string') throw new Failure(401)
  // Both ends may have changed since the link was made.
  const person = (
    await tx.query<Person>(
      `SELECT u.email, u.suspended, o.suspended AS org_suspended, o.public_sandbox, u.is_operator,
       EXISTS (SELECT FROM app_user i JOIN organization h ON h.id = i.organization_id WHERE i.id = $2 AND NOT i.suspended AND NOT h.suspended AND (i.is_operator OR (i.administers_partner_id = o.partner_id AND NOT EXISTS (SELECT FROM app_user e WHERE e.organization_id = o.id AND e.is_operator)))) AS allowed
     FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1`,
      [userId, impostorId],
    )
  )[0]
  if (!person?.allowed || person.is_operator)
    throw new Failure(401, { internal: 'nobody may look on as this user any more' })
  if (person.org_suspended) throw new Failure(1451)
  if (person.suspended) throw new Failure(1461)
  const jwtToken = await openSession(tx, {
    userId,
    organizationId,
    seconds: SESSION_SECONDS,
    ip: actor.ip,
    agent: userAgent,
    impostor: { id: impostorId, email: impostor },
  })
  // Who is everybody is told nothing.
  if (!person.public_sandbox) await notify(tx, { organizationId, userId, event: 'looked-on', fields: { by: impostor } })
  await writeAudit(tx, {
    organizationId,
    action: 'auth.loginAs',
    userId,
    userLabel: person.email,
    impostor,
    ip: actor.ip,
    source: 'console',
    siteId: null,
    domain: null,
    version: null,
    changes: [],
  })
  setSessionCookies(reply, services.config, jwtToken, SESSION_SECONDS)
  return { customerId: userId, organizationId, jwtToken, next: 'done' as const, ticket: null, methods: [] }
}
