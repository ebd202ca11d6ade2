import type { RoleId, Teammate, TeammateStatus } from '@fairway/contract'
import { apiTierOf, permissionsOf, roleOf } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { SuspendedBy } from '../organizations/suspend.ts'

/** A user, or an invitation that nobody has accepted yet; both are people of the organisation. */
export type PersonRow = {
  id: string
  email: string
  first_name: string
  last_name: string
  is_owner: boolean
  is_operator: boolean
  suspended: boolean
  suspended_by: SuspendedBy | null
  role_ids: RoleId[]
  status: TeammateStatus
  activated: boolean
  login_at: Date | null
  sent_at: Date | null
  expires_at: Date | null
  declined_why: Teammate['declinedWhy']
  created_at: Date
  key_count: number
  key_used_at: Date | null
}

const PEOPLE = `(
  SELECT u.id, u.email, u.first_name, u.last_name, u.is_owner, u.is_operator, u.suspended, u.suspended_by, u.role_ids, CASE WHEN u.suspended THEN 'suspended' ELSE 'active' END AS status, u.email_verified_at IS NOT NULL AS activated,
    u.login_at, NULL::timestamptz AS sent_at, NULL::timestamptz AS expires_at, NULL::text AS declined_why, u.created_at,
    (SELECT count(*)::int FROM api_key k WHERE k.user_id = u.id AND k.deleted_at IS NULL) AS key_count, (SELECT max(k.last_used_at) FROM api_key k WHERE k.user_id = u.id AND k.deleted_at IS NULL) AS key_used_at
  FROM app_user u
  UNION ALL
  SELECT i.id, i.email, '', '', false, false, false, NULL, i.role_ids, CASE WHEN i.declined_at IS NOT NULL THEN 'declined' WHEN i.expires_at > now() THEN 'invited' ELSE 'expired' END, false, NULL, i.sent_at, i.expires_at, i.declined_why, i.created_at, 0, NULL FROM invitation i
) AS person`
const MATCH = `($1::text IS NULL OR email ILIKE '%' || $1 || '%' OR first_name || ' ' || last_name ILIKE '%' || $1 || '%') AND ($2::text IS NULL OR status = $2)`

type Wanted = {
  search: string | null
  status: TeammateStatus | null
  order: string
  limit: number | null
  offset: number
}

export async function listPeople(
  tx: Tx,
  { search, status, order, limit, offset }: Wanted,
): Promise<{ rows: PersonRow[]; total: number }> {
  const rows = await tx.query<PersonRow>(
    `SELECT * FROM ${PEOPLE} WHERE ${MATCH} ORDER BY ${order}, email LIMIT $3 OFFSET $4`,
    [search, status, limit, offset],
  )
  const total = await tx.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${PEOPLE} WHERE ${MATCH}`, [
    search,
    status,
  ])
  return { rows, total: total[0]?.total ?? 0 }
}

export async function findPerson(tx: Tx, id: string): Promise<PersonRow | undefined> {
  return (await tx.query<PersonRow>(`SELECT * FROM ${PEOPLE} WHERE id = $1`, [id]))[0]
}

/** People of an organisation change one after the other, so that what is true of all of them stays true. */
export async function lockPeople(tx: Tx, organizationId: string): Promise<void> {
  await tx.query('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId])
}

/** Everybody who can sign in now, besides one. */
export async function activePeopleBut(
  tx: Tx,
  id: string,
): Promise<{ id: string; isOwner: boolean; roleIds: RoleId[] }[]> {
  const rows = await tx.query<{ id: string; is_owner: boolean; role_ids: RoleId[] }>(
    'SELECT id, is_owner, role_ids FROM app_user WHERE id <> $1 AND NOT suspended',
    [id],
  )
  return rows.map((row) => ({ id: row.id, isOwner: row.is_owner, roleIds: row.role_ids }))
}

/** Writes roles of a user with the permissions they come to. */
export async function writeRoles(tx: Tx, id: string, roleIds: readonly RoleId[]): Promise<void> {
  const role = roleOf(roleIds)
  await tx.query('UPDATE app_user SET role_ids = $2, permissions = $3, api_tier = $4 WHERE id = $1', [
    id,
    roleIds,
    [...permissionsOf(role)],
    apiTierOf(role),
  ])
}

/** Without an id, from an earlier release: by the address, which a key's name may follow. */
const IS_SENT_BY = `i.organization_id = u.organization_id AND i.declined_at IS NULL
  AND (i.inviter_id = u.id OR (i.inviter_id IS NULL AND (i.inviter = u.email OR starts_with(i.inviter, u.email || ' '))))`

/** Invitations that a user has sent, or vouches for, and nobody has answered. */
export async function invitationsBy(tx: Tx, id: string): Promise<{ id: string; role_ids: RoleId[] }[]> {
  return tx.query(
    `SELECT i.id, i.role_ids FROM invitation i JOIN app_user u ON ${IS_SENT_BY} WHERE u.id = $1 ORDER BY i.created_at`,
    [id],
  )
}

/**
 * Ends every session and API key of a user, and those in which the user looks on as somebody: the next call is refused.
 * So do invitations that the user has sent and nobody has answered: they may lead to a friend.
 */
export async function endAccess(tx: Tx, id: string): Promise<void> {
  await tx.query(
    'UPDATE session SET revoked_at = now() WHERE (user_id = $1 OR impostor_id = $1) AND revoked_at IS NULL',
    [id],
  )
  await tx.query('UPDATE api_key SET deleted_at = now() WHERE user_id = $1 AND deleted_at IS NULL', [id])
  await tx.query(`DELETE FROM invitation i USING app_user u WHERE u.id = $1 AND ${IS_SENT_BY}`, [id])
  await tx.query(`SELECT pg_notify('access-ended', $1)`, [id])
}

/** What roles give may be another thing in a newer release: brings what is written with them up to date. */
export async function refreshPermissions(tx: Tx): Promise<void> {
  const rows = await tx.query<{
    id: string
    is_owner: boolean
    role_ids: RoleId[]
    permissions: string[]
    api_tier: number | null
  }>(`SELECT id, is_owner, role_ids, permissions, api_tier FROM app_user WHERE is_owner OR role_ids <> '{}'`)
  for (const row of rows) {
    const role = roleOf(row.role_ids, row.is_owner)
    const [permissions, tier] = [permissionsOf(role), apiTierOf(role)]
    if (
      row.api_tier === tier &&
      permissions.size === row.permissions.length &&
      row.permissions.every((one) => new Set<string>(permissions).has(one))
    )
      continue
    await tx.query('UPDATE app_user SET permissions = $2, api_tier = $3 WHERE id = $1', [
      row.id,
      [...permissions],
      tier,
    ])
  }
}
