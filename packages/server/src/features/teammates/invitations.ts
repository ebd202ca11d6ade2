import type { RoleId } from '@fairway/contract'
import { apiTierOf, permissionsOf, roleOf } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { consoleLink } from '../../http/console-link.ts'
import type { Services } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { enqueueSealedMail } from '../../mail/enqueue-mail.ts'
import { notify } from '../notifications/notify.ts'
import { issueToken, peekToken, redeemToken } from '../auth/app-tokens.ts'
import { invitationLimits, mayAttempt, takeAttempts, unaskedLetterLimit } from '../auth/attempts.ts'
import { removeUnproven } from '../auth/remove-unproven.ts'

const VALID_DAYS = 7
const DAY_SECONDS = 86_400
/** A letter to one address at most so often. */
const AGAIN_AFTER_SECONDS = 60
const PENDING_LIMIT = 100

type InvitationRow = {
  id: string
  organization_id: string
  email: string
  role_ids: RoleId[]
  inviter: string
  letter: number
  expired: boolean
  organization_name: string
  organization_suspended: boolean
  partner_id: string
}

/**
 * Writes an invitation and its letter; answers its id. @throws Failure 7491 when the address is among the people
 * already, 1485 when too many are pending, 1570 and 429 when too many letters were sent today.
 */
export async function createInvitation(
  tx: Tx,
  services: Services,
  actor: UserActor,
  email: string,
  roleIds: readonly RoleId[],
): Promise<string> {
  const there = await tx.query(
    `SELECT FROM app_user WHERE email = $1 UNION ALL SELECT FROM invitation WHERE email = $1`,
    [email],
  )
  if (there.length) throw new Failure(7491, { fields: [{ path: 'email', message: 'validation.teammateExists' }] })
  const pending = await tx.query<{ count: number }>('SELECT count(*)::int AS count FROM invitation')
  if ((pending[0]?.count ?? 0) >= PENDING_LIMIT) throw new Failure(1485)
  const mayWrite = await takeLetter(services, actor, email)
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO invitation (organization_id, email, role_ids, inviter, expires_at, inviter_id) VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), $6) RETURNING id`,
    [actor.organizationId, email, roleIds, actor.label, VALID_DAYS * DAY_SECONDS, actor.userId],
  )
  const id = rows[0]?.id ?? ''
  if (mayWrite) await sendLetter(tx, services, actor, { id, email, letter: 1 })
  return id
}

/**
 * Sends the letter again; links of earlier ones stop working, unless the address has got as many letters today as it
 * may: then none is sent and the link before lives on. @throws Failure 1570 within a minute, 1570 and 429 when too many
 * were sent today.
 */
export async function repeatInvitation(tx: Tx, services: Services, actor: UserActor, id: string): Promise<void> {
  const [before] = await tx.query<{ email: string; letter: number }>(
    `SELECT email, letter FROM invitation WHERE id = $1 AND sent_at <= now() - make_interval(secs => $2) FOR UPDATE`,
    [id, AGAIN_AFTER_SECONDS],
  )
  if (!before) throw new Failure(1570)
  const mayWrite = await takeLetter(services, actor, before.email)
  const letter = before.letter + (mayWrite ? 1 : 0)
  // Noted as sent either way, for nobody is told which it was; a link ends by its own time.
  await tx.query(
    `UPDATE invitation SET letter = $2, sent_at = now(), expires_at = now() + make_interval(secs => $3), inviter = $4, inviter_id = $5 WHERE id = $1`,
    [id, letter, VALID_DAYS * DAY_SECONDS, actor.label, actor.userId],
  )
  if (mayWrite) await sendLetter(tx, services, actor, { id, email: before.email, letter })
}

/**
 * Counts a letter. @returns whether the address may get one. @throws Failure 1570 and 429 when the organisation may
 * send none
 */
async function takeLetter({ database }: Services, { organizationId }: UserActor, email: string): Promise<boolean> {
  await takeAttempts(database, invitationLimits(organizationId, email))
  return mayAttempt(database, [unaskedLetterLimit('invite', email)])
}

/**
 * Whoever has an account in another organisation is told so by letter, and may tell the one who invites; until then
 * that one sees no difference, so that nobody learns from it which addresses have accounts.
 */
async function sendLetter(
  tx: Tx,
  { config }: Services,
  actor: UserActor,
  { id, email, letter }: { id: string; email: string; letter: number },
): Promise<void> {
  const [about] = await tx.query<{ name: string; locale: 'en' | 'zhHant' | 'zhHans' }>(
    'SELECT o.name, u.locale FROM organization o, app_user u WHERE o.id = $1 AND u.id = $2',
    [actor.organizationId, actor.userId],
  )
  if (!about) throw new Error('whoever invites is no user')
  const [elsewhere, token] = await beyondTenant(
    tx,
    async () =>
      [
        await hasAccount(tx, email),
        await issueToken(tx, {
          purpose: 'invite',
          seconds: VALID_DAYS * DAY_SECONDS,
          data: { invitationId: id, letter },
        }),
      ] as const,
  )
  const to = { to: email, locale: about.locale, organizationId: actor.organizationId, partnerId: actor.partnerId }
  await enqueueSealedMail(tx, config, {
    ...to,
    template: elsewhere ? 'invite-elsewhere' : 'invite',
    fields: {
      inviter: actor.label,
      organization: about.name,
      days: VALID_DAYS,
      link: await consoleLink(tx, config, actor.partnerId, `/verify-invite-email?token=${token}`),
    },
  })
}

export type FoundInvitation = {
  state: 'ok' | 'expired' | 'used' | 'unknown'
  email: string | null
  organizationName: string
  hasAccount: boolean
}

/**
 * What a link stands for, without using it up. One that was withdrawn is unknown, one that a later letter has replaced
 * has expired. Needs a system transaction.
 */
export async function findInvitation(tx: Tx, token: string): Promise<FoundInvitation> {
  const found = await peekToken(tx, 'invite', token)
  const row = found.state === 'unknown' || found.state === 'used' ? undefined : await invitationOf(tx, found.data)
  if (!row)
    return { state: found.state === 'used' ? 'used' : 'unknown', email: null, organizationName: '', hasAccount: false }
  return {
    state: found.state === 'ok' && !row.expired ? 'ok' : 'expired',
    email: row.email,
    organizationName: row.organization_name,
    hasAccount: await hasAccount(tx, row.email),
  }
}

/** Whether the address has an account that somebody has proven to be theirs. */
async function hasAccount(tx: Tx, email: string): Promise<boolean> {
  return (await tx.query('SELECT FROM app_user WHERE email = $1 AND email_verified_at IS NOT NULL', [email])).length > 0
}

export type NewTeammate = { token: string; passwordHash: string; firstName: string; lastName: string; ip: string }

/**
 * Makes the user that was invited, uses the link up and answers the user's id; of two that come with it at once one
 * gets through. Needs a system transaction.
 * @throws Failure 400 at the token when it is none, was used or has run out; 7491 when the address has got an account
 *   meanwhile; 1451 when the organisation is suspended.
 */
export async function acceptInvitation(
  tx: Tx,
  { token, passwordHash, firstName, lastName, ip }: NewTeammate,
): Promise<string> {
  const found = await redeemToken(tx, 'invite', token)
  if (found.state !== 'ok') throw notGood(found.state)
  const row = await invitationOf(tx, found.data, 'FOR UPDATE OF i')
  if (!row || row.expired) throw notGood(row ? 'expired' : 'unknown')
  if (row.organization_suspended) throw new Failure(1451)
  await removeUnproven(tx, row.email)
  const role = roleOf(row.role_ids)
  const made = await tx.query(
    `INSERT INTO app_user (id, organization_id, email, password_hash, first_name, last_name, role_ids, permissions, api_tier, email_verified_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now()) ON CONFLICT (email) DO NOTHING RETURNING id`,
    [
      row.id,
      row.organization_id,
      row.email,
      passwordHash,
      firstName,
      lastName,
      row.role_ids,
      [...permissionsOf(role)],
      apiTierOf(role),
    ],
  )
  if (!made.length) throw new Failure(7491)
  await tx.query('DELETE FROM invitation WHERE id = $1', [row.id])
  await notify(tx, {
    organizationId: row.organization_id,
    event: 'invite-accepted',
    fields: { name: `${firstName} ${lastName}`, email: row.email },
  })
  const person = { email: row.email, roles: row.role_ids }
  await writeAudit(tx, {
    organizationId: row.organization_id,
    action: 'teammate.accept',
    userId: row.id,
    userLabel: row.email,
    ip,
    source: 'console',
    changes: [
      {
        entity: 'teammate',
        id: row.id,
        label: row.email,
        before: { ...person, status: 'invited' },
        after: { ...person, status: 'active' },
      },
    ],
  })
  return row.id
}

/**
 * The invited person says no, which uses the link up: the organisation learns it, and that the address has an account
 * when it has one. Needs a system transaction.
 * @throws Failure 400 at the token when it is none, was used or has run out
 */
export async function declineInvitation(tx: Tx, token: string, ip: string): Promise<void> {
  const found = await redeemToken(tx, 'invite', token)
  if (found.state !== 'ok') throw notGood(found.state)
  const row = await invitationOf(tx, found.data, 'FOR UPDATE OF i')
  if (!row || row.expired) throw notGood(row ? 'expired' : 'unknown')
  const why = (await hasAccount(tx, row.email)) ? 'has-account' : 'not-wanted'
  await tx.query('UPDATE invitation SET declined_at = now(), declined_why = $2 WHERE id = $1', [row.id, why])
  await notify(tx, { organizationId: row.organization_id, event: 'invite-declined', fields: { email: row.email, why } })
  const person = { email: row.email, roles: row.role_ids }
  await writeAudit(tx, {
    organizationId: row.organization_id,
    action: 'teammate.decline',
    userId: null,
    userLabel: row.email,
    ip,
    source: 'console',
    changes: [
      {
        entity: 'teammate',
        id: row.id,
        label: row.email,
        before: { ...person, status: 'invited' },
        after: { ...person, status: 'declined' },
      },
    ],
  })
}

const notGood = (state: 'used' | 'expired' | 'unknown') =>
  new Failure(400, {
    fields: [
      {
        path: 'token',
        message: {
          used: 'validation.tokenUsed',
          expired: 'validation.tokenExpired',
          unknown: 'validation.tokenUnknown',
        }[state],
      },
    ],
  })

/** The invitation that a token's data name, when no later letter has replaced it. */
async function invitationOf(
  tx: Tx,
  { invitationId, letter }: Record<string, unknown>,
  lock: '' | 'FOR UPDATE OF i' = '',
): Promise<InvitationRow | undefined> {
  const rows = await tx.query<InvitationRow>(
    `SELECT i.id, i.organization_id, i.email, i.role_ids, i.inviter, i.letter, i.expires_at <= now() AS expired, o.name AS organization_name, o.suspended AS organization_suspended, o.partner_id
     FROM invitation i JOIN organization o ON o.id = i.organization_id WHERE i.id::text = $1 ${lock}`,
    [invitationId],
  )
  const row = rows[0]
  return row && (row.letter === letter ? row : { ...row, expired: true })
}
