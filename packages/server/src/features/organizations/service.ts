import { type OrganizationRow, type UserRow, organizations } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { purchaseToken } from '@fairway/drivers'
import { consoleLink } from '../../http/console-link.ts'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { issueToken } from '../auth/app-tokens.ts'
import { accountOf } from '../billing/account-store.ts'
import { salesSecret } from '../billing/marketplace.ts'
import { findFactsOf } from '../billing/usage-meter.ts'
import { makeOwner } from '../teammates/owner.ts'
import { endAccess, lockPeople } from '../teammates/store.ts'
import { takeBack } from './closing.ts'
import { isAbove, suspendOrganization, suspendPerson } from './suspend.ts'
import { setPlan } from './set-plan.ts'
import {
  endStreams,
  findOrganization,
  findUser,
  holdsOperator,
  listOrganizations,
  listUsers,
  type OrganizationListRow,
  type UserListRow,
} from './store.ts'

const ORGANIZATION_ORDER = {
  created_at: 'o.created_at',
  name: 'lower(o.name)',
  plan: 'plan_name',
  partner: 'partner_name',
  sites: 'site_count',
  users: 'user_count',
}
const USER_ORDER = {
  created_at: 'u.created_at',
  email: 'u.email',
  organization: 'organization_name',
  login_at: 'coalesce(u.login_at, u.created_at)',
}
const LINK_SECONDS = 60
const SALE_DAYS = 7

export const organizationsSlice = slice(organizations, {
  async list({ tx, actor }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listOrganizations(tx, {
      search: query.search ?? null,
      plan: query.plan ?? null,
      partner: query.partner ?? null,
      state: query.state ?? null,
      order: orderBy(query.ordering, ORGANIZATION_ORDER),
      limit,
      offset,
    })
    return { data: rows.map((row) => presentOrganization(row, actor)), meta: meta(rows[0]?.total ?? 0) }
  },

  async get({ tx, actor }, { organization }) {
    return presentOrganization(await existingOrganization(tx, organization), actor)
  },

  async update(context, { organization, suspended, planId }) {
    const { tx, actor, services, now } = context
    const before = await existingOrganization(tx, organization)
    if (before.closed_at) throw new Failure(7409, { internal: 'the organisation is closed' })
    if (suspended && organization === actor.organizationId)
      throw new Failure(7409, { internal: 'nobody locks themselves out' })
    await refuseOperators(context, organization)
    // Accounts are beyond what a partner's people may read; the organisation has been found to be theirs.
    await beyondTenant(tx, async () => {
      const account = await accountOf(tx, organization, { lock: true })
      if (suspended !== undefined) await suspendOrganization(tx, { organization, suspended, by: rankOf(actor) })
      if (planId !== undefined) await setPlan(context, account, planId)
      await findFactsOf(tx, services.config, await accountOf(tx, organization), now)
    })
    if (suspended) await endStreams(context, { organization })
    return recordOrganization(context, before)
  },

  async manage(context, { organization, status, partnerId, sandbox }) {
    const { tx, actor, services, now } = context
    const before = await existingOrganization(tx, organization)
    if (before.closed_at) throw new Failure(7409, { internal: 'the organisation is closed' })
    if (sandbox && organization === actor.organizationId)
      throw new Failure(7409, { internal: 'nobody locks themselves out' })
    // The account before the organisation and its sites, as those that bill take them.
    if (status !== undefined) await accountOf(tx, organization, { lock: true })
    if (partnerId !== undefined && partnerId !== before.partner_id) {
      if (!(await tx.query('SELECT FROM partner WHERE id = $1', [partnerId])).length)
        throw new Failure(7499, { fields: [{ path: 'partnerId', message: 'validation.invalid' }] })
      // Whoever looked after the old partner from here does so no longer.
      await tx.query('UPDATE app_user SET administers_partner_id = NULL WHERE organization_id = $1', [organization])
      await tx.query('UPDATE organization SET partner_id = $2 WHERE id = $1', [organization, partnerId])
      // The edge is called after the brand, unless somebody has called it otherwise.
      await tx.query(
        `UPDATE cdn SET name = p.company_name || ' Edge' FROM partner p WHERE p.id = $2 AND cdn.organization_id = $1 AND cdn.driver = 'fairway-edge' AND cdn.name = $3 || ' Edge'`,
        [organization, partnerId, before.partner_name],
      )
      for (const { id } of await tx.query<{ id: string }>(
        'SELECT id FROM site WHERE organization_id = $1 ORDER BY id',
        [organization],
      ))
        await systemVersion(tx, {
          organizationId: organization,
          siteId: id,
          title: 'Error pages of another brand',
          kinds: ['edge-site'],
          changes: [],
        })
    }
    await tx.query(
      'UPDATE organization SET status = coalesce($2, status), sandbox = coalesce($3, sandbox) WHERE id = $1',
      [organization, status ?? null, sandbox ?? null],
    )
    if (status !== undefined) await findFactsOf(tx, services.config, await accountOf(tx, organization), now)
    return recordOrganization(context, before)
  },

  async keepOpen(context, { organization }) {
    const { tx, change, actor, now } = context
    await lockPeople(tx, organization)
    const before = await existingOrganization(tx, organization)
    await takeBack(tx, organization, before, now)
    change.record({
      entity: 'organization',
      id: organization,
      label: before.name,
      before: { closes_at: before.closing_at?.toISOString() ?? null },
      after: { closes_at: null },
    })
    change.concerns = organization
    return presentOrganization(await existingOrganization(tx, organization), actor)
  },

  async setOwner(context, { organization, user }) {
    const { tx, actor, change } = context
    const row = await existingOrganization(tx, organization)
    await lockPeople(tx, organization)
    const { from, to } = await makeOwner(tx, organization, user)
    change.record({
      entity: 'organization',
      id: organization,
      label: row.name,
      before: { owner: from },
      after: { owner: to },
    })
    change.concerns = organization
    return presentOrganization(row, actor)
  },

  async users({ tx, actor }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listUsers(tx, {
      search: query.search ?? null,
      organization: query.organization ?? null,
      role: query.role ?? null,
      order: orderBy(query.ordering, USER_ORDER),
      limit,
      offset,
    })
    return { data: rows.map((row) => presentUser(row, actor)), meta: meta(rows[0]?.total ?? 0) }
  },

  async suspendUser(context, { user, suspended }) {
    const { tx, actor } = context
    const before = await existingUser(tx, user)
    if (user === actor.userId) throw new Failure(7409, { internal: 'nobody locks themselves out' })
    await refuseOperators(context, before.organization_id)
    // Sessions, keys and invitations are beyond what a partner's people may read; the person has been found to be theirs.
    await beyondTenant(tx, async () => {
      await suspendPerson(tx, { user, suspended, by: rankOf(actor) })
      if (suspended) await endAccess(tx, user)
    })
    return recordUser(context, before)
  },

  async setRole(context, { user, isOperator, administersPartner }) {
    const { tx, actor } = context
    const before = await existingUser(tx, user)
    if (user === actor.userId && !isOperator)
      throw new Failure(7409, { internal: 'nobody takes the operator role from themselves' })
    await tx.query('UPDATE app_user SET is_operator = $2, administers_partner_id = $3 WHERE id = $1', [
      user,
      isOperator,
      administersPartner ? before.partner_id : null,
    ])
    await endStreams(context, { user })
    return recordUser(context, before)
  },

  async sell({ services: { config }, now, change }, { customerId }) {
    const expiresAt = new Date(now.getTime() + SALE_DAYS * 86_400_000)
    const url = new URL('/redirect/third-party-marketplace', config.publicUrl)
    url.searchParams.set('token', purchaseToken(salesSecret(config), { customerId, expiresAt }))
    change.record({ entity: 'marketplace', id: customerId, label: customerId, before: null, after: { customerId } })
    return { url: url.href, expiresAt: expiresAt.toISOString() }
  },

  async loginAs(context, { user }) {
    const { tx, actor, services, now, change } = context
    const row = await existingUser(tx, user)
    // A link into somebody with more rights than the caller would be a way to them.
    if (actor.impostor || user === actor.userId || row.is_operator || (row.administers_partner_id && !actor.isOperator))
      throw new Failure(403, { internal: 'not to be looked on as' })
    await refuseOperators(context, row.organization_id)
    if (row.org_suspended) throw new Failure(1451)
    if (row.suspended) throw new Failure(1461)
    const token = await issueToken(tx, {
      purpose: 'login-as',
      seconds: LINK_SECONDS,
      user: { id: user, organizationId: row.organization_id },
      data: { impostor: actor.label, impostorId: actor.userId },
    })
    change.record({ entity: 'user', id: user, label: row.email, before: null, after: null })
    change.concerns = row.organization_id
    const url = await consoleLink(
      tx,
      services.config,
      row.partner_id,
      `/loginas/${user}/${row.organization_id}/${token}`,
    )
    return { url, expiresAt: new Date(now.getTime() + LINK_SECONDS * 1000).toISOString() }
  },
})

/**
 * Whom the installation belongs to is no partner's customer, though their organisation is of the house's own brand.
 * @throws Failure 403
 */
async function refuseOperators({ tx, actor }: Context, organization: string): Promise<void> {
  if (!actor.isOperator && (await holdsOperator(tx, organization)))
    throw new Failure(403, { internal: "an operator's organisation is not their partner's" })
}

const rankOf = ({ isOperator }: Context['actor']) => (isOperator ? ('house' as const) : ('partner' as const))

async function existingOrganization(tx: Tx, id: string): Promise<OrganizationListRow> {
  const row = await findOrganization(tx, id)
  if (!row) throw new Failure(404)
  return row
}

async function existingUser(tx: Tx, id: string): Promise<UserListRow> {
  const row = await findUser(tx, id)
  if (!row) throw new Failure(404)
  return row
}

async function recordOrganization(
  { tx, actor, change }: Context,
  before: OrganizationListRow,
): Promise<OrganizationRow> {
  const row = await existingOrganization(tx, before.id)
  const facts = ({ suspended, plan_name, status, partner_name, sandbox }: OrganizationListRow) => ({
    suspended,
    plan: plan_name,
    status,
    partner: partner_name,
    sandbox,
  })
  change.record({ entity: 'organization', id: row.id, label: row.name, before: facts(before), after: facts(row) })
  change.concerns = row.id
  return presentOrganization(row, actor)
}

async function recordUser({ tx, actor, change }: Context, before: UserListRow): Promise<UserRow> {
  const row = await existingUser(tx, before.id)
  const facts = ({ suspended, is_operator, administers_partner_id }: UserListRow) => ({
    suspended,
    operator: is_operator,
    partnerAdministrator: administers_partner_id !== null,
  })
  change.record({ entity: 'user', id: row.id, label: row.email, before: facts(before), after: facts(row) })
  change.concerns = row.organization_id
  return presentUser(row, actor)
}

function presentOrganization(row: OrganizationListRow, actor: Context['actor']): OrganizationRow {
  const reachable = row.closed_at === null && (actor.isOperator || !row.holds_operator)
  return {
    id: row.id,
    name: row.name,
    planId: row.plan_id,
    planName: row.plan_name,
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    status: row.status,
    suspended: row.suspended,
    sandbox: row.sandbox,
    billed: row.billed,
    siteCount: row.site_count,
    userCount: row.user_count,
    createdAt: row.created_at.toISOString(),
    closesAt: row.closing_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    closingProblem: row.closing_problem,
    may: {
      plan: reachable,
      bill: reachable && !row.billed && !row.never_billed && !row.holds_operator && !row.sandbox,
      suspend: reachable && row.id !== actor.organizationId,
      lift: reachable && !isAbove(row, rankOf(actor)),
      keepOpen: actor.isOperator && row.closing_at !== null && row.closed_at === null,
    },
  }
}

function presentUser(row: UserListRow, actor: Context['actor']): UserRow {
  const reachable = row.id !== actor.userId && (actor.isOperator || !row.holds_operator)
  const administers = row.administers_partner_id !== null
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    isOwner: row.is_owner,
    isOperator: row.is_operator,
    administersPartner: administers,
    suspended: row.suspended,
    emailVerified: row.email_verified_at !== null,
    hasMfa: row.mfa_enabled,
    loginAt: row.login_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    may: {
      lookOn:
        reachable && !row.is_operator && (actor.isOperator || !administers) && !row.suspended && !row.org_suspended,
      suspend: reachable,
      lift: reachable && !isAbove(row, rankOf(actor)),
    },
  }
}
