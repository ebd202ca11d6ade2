import type { OrganizationStatus } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import type { SuspendedBy } from './suspend.ts'

export type OrganizationListRow = {
  id: string
  name: string
  plan_id: string
  plan_name: string
  partner_id: string
  partner_name: string
  status: OrganizationStatus
  suspended: boolean
  suspended_by: SuspendedBy | null
  sandbox: boolean
  billed: boolean
  closing_at: Date | null
  closed_at: Date | null
  closing_problem: string | null
  holds_operator: boolean
  /** Is on trial, or of a partner that shows no bills. */
  never_billed: boolean
  site_count: number
  user_count: number
  created_at: Date
  total: number
}

const holdsOperatorIn = (id: string) =>
  `EXISTS (SELECT FROM app_user x WHERE x.organization_id = ${id} AND x.is_operator) AS holds_operator`
const ORGANIZATION = `o.id, o.name, o.plan_id, p.name AS plan_name, o.partner_id, r.company_name AS partner_name, o.status, o.suspended, o.suspended_by, o.sandbox, o.created_at, o.closing_at, o.closed_at, o.closing_problem, p.category = 'trial' OR r.hide_feature && '{price,billing}' AS never_billed,
  coalesce((SELECT b.billed FROM billing_account b WHERE b.organization_id = o.id), false) AS billed, ${holdsOperatorIn('o.id')},
  (SELECT count(*)::int FROM site s WHERE s.organization_id = o.id) AS site_count, (SELECT count(*)::int FROM app_user u WHERE u.organization_id = o.id) AS user_count`
const ORGANIZATIONS = 'FROM organization o JOIN plan p ON p.id = o.plan_id JOIN partner r ON r.id = o.partner_id'

export type OrganizationFilter = {
  search: string | null
  plan: string | null
  partner: string | null
  state: string | null
  order: string
  limit: number | null
  offset: number
}

/** Found by its name, the address of a user, or the name of a site. */
export async function listOrganizations(tx: Tx, filter: OrganizationFilter): Promise<OrganizationListRow[]> {
  return tx.query(
    `SELECT ${ORGANIZATION}, count(*) OVER ()::int AS total ${ORGANIZATIONS}
     WHERE ($1::text IS NULL OR o.name ILIKE '%' || $1 || '%' OR o.id::text = $1 OR o.id IN (SELECT u.organization_id FROM app_user u WHERE u.email ILIKE '%' || $1 || '%') OR o.id IN (SELECT s.organization_id FROM site s WHERE s.domain_name ILIKE '%' || $1 || '%'))
       AND ($2::text IS NULL OR o.plan_id = $2) AND ($3::uuid IS NULL OR o.partner_id = $3) AND ($4::text IS NULL OR CASE $4 WHEN 'suspended' THEN o.suspended ELSE o.status = $4 AND NOT o.suspended END)
     ORDER BY ${filter.order}, o.id LIMIT $5 OFFSET $6`,
    [filter.search, filter.plan, filter.partner, filter.state, filter.limit, filter.offset],
  )
}

export async function findOrganization(tx: Tx, id: string): Promise<OrganizationListRow | undefined> {
  return (
    await tx.query<OrganizationListRow>(`SELECT ${ORGANIZATION}, 1 AS total ${ORGANIZATIONS} WHERE o.id = $1`, [id])
  )[0]
}

export type UserListRow = {
  id: string
  email: string
  first_name: string
  last_name: string
  organization_id: string
  organization_name: string
  partner_id: string
  is_owner: boolean
  is_operator: boolean
  administers_partner_id: string | null
  suspended: boolean
  suspended_by: SuspendedBy | null
  org_suspended: boolean
  holds_operator: boolean
  email_verified_at: Date | null
  mfa_enabled: boolean
  login_at: Date | null
  created_at: Date
  total: number
}

const USER = `u.id, u.email, u.first_name, u.last_name, u.organization_id, o.name AS organization_name, o.partner_id, o.suspended AS org_suspended, u.is_owner, u.is_operator, u.administers_partner_id, u.suspended, u.suspended_by, ${holdsOperatorIn('u.organization_id')},
  u.email_verified_at, u.mfa_enabled, u.login_at, u.created_at`

export type UserFilter = {
  search: string | null
  organization: string | null
  role: string | null
  order: string
  limit: number | null
  offset: number
}

export async function listUsers(tx: Tx, filter: UserFilter): Promise<UserListRow[]> {
  return tx.query(
    `SELECT ${USER}, count(*) OVER ()::int AS total FROM app_user u JOIN organization o ON o.id = u.organization_id
     WHERE ($1::text IS NULL OR u.email ILIKE '%' || $1 || '%' OR u.first_name || ' ' || u.last_name ILIKE '%' || $1 || '%' OR o.name ILIKE '%' || $1 || '%') AND ($2::uuid IS NULL OR u.organization_id = $2)
       AND ($3::text IS NULL OR CASE $3 WHEN 'operator' THEN u.is_operator ELSE u.administers_partner_id IS NOT NULL END)
     ORDER BY ${filter.order}, u.id LIMIT $4 OFFSET $5`,
    [filter.search, filter.organization, filter.role, filter.limit, filter.offset],
  )
}

export async function findUser(tx: Tx, id: string): Promise<UserListRow | undefined> {
  return (
    await tx.query<UserListRow>(
      `SELECT ${USER}, 1 AS total FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1`,
      [id],
    )
  )[0]
}

/** Whether somebody who runs the installation is in it. */
export async function holdsOperator(tx: Tx, organization: string): Promise<boolean> {
  return (
    (await tx.query('SELECT FROM app_user WHERE organization_id = $1 AND is_operator LIMIT 1', [organization])).length >
    0
  )
}

/**
 * Ends the event streams of a person, or of everybody in an organisation, and the sessions in which they look on as
 * others: whose rights remain comes back by itself. A partner's people look on as nobody, nor do they see sessions.
 */
export async function endStreams(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  of: { user?: string; organization?: string },
): Promise<void> {
  const whose = [of.user ?? null, of.organization ?? null]
  if (actor.isOperator)
    await tx.query(
      'UPDATE session SET revoked_at = now() WHERE revoked_at IS NULL AND impostor_id IN (SELECT id FROM app_user WHERE id = $1 OR organization_id = $2)',
      whose,
    )
  await tx.query(
    `SELECT pg_notify('access-ended', id::text) FROM app_user WHERE id = $1 OR organization_id = $2`,
    whose,
  )
}
