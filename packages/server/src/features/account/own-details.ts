import { type Organization, type Profile, type RouteParsed, type Settings, account } from '@fairway/contract'
import type { UserActor } from '../../http/actor.ts'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { clearSessionCookies } from '../../http/session-cookies.ts'
import { sendPasswordChanged } from '../auth/letters.ts'
import { setPassword } from '../auth/password-reset.ts'
import { endSessions } from '../auth/sign-in.ts'
import { problemOf } from '../organizations/closing.ts'
import { confirmIdentity } from './confirm-identity.ts'

type Routes = typeof account.routes
type ProfileRow = {
  email: string
  first_name: string
  last_name: string
  menu_order: Profile['menuOrder']
  phone_number: string | null
  country_code: string | null
  timezone_code: string | null
  has_password: boolean
  password_changed_at: Date
  mfa_enabled: boolean
  recovery_codes: number
  google_email: string | null
  may_leave: boolean
}
type OrganizationRow = {
  id: string
  name: string
  industry: string | null
  job_title: string | null
  master_app: 'web' | 'stream'
  code: string
  version: number
  hubspot_contact_id: string | null
  is_owner: boolean
}

export async function readProfile({ tx, actor, services, reply }: Context): Promise<Profile> {
  const [row] = await tx.query<ProfileRow>(
    `SELECT email, first_name, last_name, menu_order, phone_number, country_code, timezone_code, password_hash IS NOT NULL AS has_password, password_changed_at, mfa_enabled,
       (SELECT count(*)::int FROM recovery_code r WHERE r.user_id = u.id AND used_at IS NULL) AS recovery_codes, (SELECT email FROM user_identity i WHERE i.user_id = u.id LIMIT 1) AS google_email, NOT is_owner AND NOT is_operator AS may_leave
     FROM app_user u WHERE id = $1`,
    [actor.userId],
  )
  if (!row) throw new Error('the signed-in user has no row')
  return {
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    menuOrder: row.menu_order,
    phoneNumber: row.phone_number,
    countryCode: row.country_code,
    timezoneCode: row.timezone_code,
    hasPassword: row.has_password,
    passwordMtime: row.password_changed_at.getTime(),
    hasMfaEnabled: row.mfa_enabled,
    recoveryCodesLeft: row.recovery_codes,
    googleEmail: row.google_email,
    googleOffered: services.config.googleClientId !== '' && (await partnerOfHost(tx, reply.request)).google_sign_in,
    mayLeave: row.may_leave && isInPerson(actor),
  }
}

export async function updateProfile(context: Context, input: RouteParsed<Routes['updateProfile']>): Promise<Profile> {
  const { tx, actor } = context
  const before = await readProfile(context)
  const {
    phoneNumber = before.phoneNumber,
    countryCode = before.countryCode,
    timezoneCode = before.timezoneCode,
  } = input
  await tx.query(
    'UPDATE app_user SET first_name = $2, last_name = $3, menu_order = $4, phone_number = $5, country_code = $6, timezone_code = $7 WHERE id = $1',
    [actor.userId, input.firstName, input.lastName, input.menuOrder, phoneNumber, countryCode, timezoneCode],
  )
  return readProfile(context)
}

export async function readSettings({ tx, actor }: Context): Promise<Settings> {
  const [row] = await tx.query<{ show_tutorial: boolean }>('SELECT show_tutorial FROM app_user WHERE id = $1', [
    actor.userId,
  ])
  // Who shares a demonstration has nothing to set up.
  return { showTutorial: row?.show_tutorial === true && !actor.sandbox }
}

export async function setSettings(context: Context, { showTutorial }: Settings): Promise<Settings> {
  await context.tx.query('UPDATE app_user SET show_tutorial = $2 WHERE id = $1', [context.actor.userId, showTutorial])
  return readSettings(context)
}

export async function readOrganization({ tx, actor }: Context): Promise<Organization> {
  const [row] = await tx.query<OrganizationRow>(
    'SELECT o.id, o.name, o.industry, o.job_title, o.master_app, o.code, o.version, o.hubspot_contact_id, u.is_owner FROM organization o JOIN app_user u ON u.organization_id = o.id WHERE u.id = $1',
    [actor.userId],
  )
  if (!row) throw new Error('the signed-in user has no organisation')
  const isOwner = row.is_owner && isInPerson(actor)
  return {
    id: row.id,
    organizationName: row.name,
    organizationIndustry: row.industry,
    organizationJobTitle: row.job_title,
    organizationMasterApp: row.master_app,
    organizationCode: row.code,
    organizationVersion: row.version,
    hubspotContactId: row.hubspot_contact_id,
    mayClose: isOwner && (await beyondTenant(tx, () => problemOf(tx, row.id))) === null,
    mayExport: isOwner,
  }
}

/** Neither somebody who looks on as the user, nor one of those who share a demonstration, nor a key. */
export const isInPerson = ({ impostor, sandbox, apiKeyId }: UserActor): boolean =>
  impostor === null && !sandbox && apiKeyId === null

export async function updateOrganization(
  context: Context,
  { organizationName, industry, jobTitle, masterApp, organizationVersion }: RouteParsed<Routes['updateOrganization']>,
): Promise<Organization> {
  const { tx, actor } = context
  const rows = await tx.query(
    'UPDATE organization SET name = $2, industry = $3, job_title = $4, master_app = $5, version = version + 1 WHERE id = $1 AND version = coalesce($6, version) RETURNING id',
    [actor.organizationId, organizationName, industry, jobTitle, masterApp, organizationVersion ?? null],
  )
  if (!rows.length) throw new Failure(409)
  return readOrganization(context)
}

/** Any user may answer, but only what nobody has answered yet. */
export async function answerSurvey(
  context: Context,
  { industry, jobTitle }: RouteParsed<Routes['survey']>,
): Promise<Organization> {
  const rows = await context.tx.query(
    'UPDATE organization SET industry = $2, job_title = $3, version = version + 1 WHERE id = $1 AND (industry IS NULL OR job_title IS NULL) RETURNING id',
    [context.actor.organizationId, industry, jobTitle],
  )
  if (!rows.length) throw new Failure(7409)
  return readOrganization(context)
}

/** A new password ends every session, this one too: whoever is still here signs in with it. */
export async function changePassword(
  context: Context,
  { currentPassword, password }: RouteParsed<Routes['password']>,
): Promise<Record<string, never>> {
  const { tx, actor, reply, services, now } = context
  const user = await confirmIdentity(context, { password: currentPassword }).catch((error: unknown) => {
    throw atCurrentPassword(error)
  })
  await setPassword(tx, user.id, password)
  await endSessions(tx, user.id)
  await sendPasswordChanged(tx, user, user.locale, actor.ip, now)
  clearSessionCookies(reply, services.config)
  return {}
}

function atCurrentPassword(error: unknown): unknown {
  return error instanceof Failure && error.code === 400
    ? new Failure(400, {
        fields: [{ path: 'currentPassword', message: error.fields?.[0]?.message ?? 'validation.invalid' }],
      })
    : error
}
