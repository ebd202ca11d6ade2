import { Readable } from 'node:stream'
import { type Locale, VERSION, account } from '@fairway/contract'
import { phoneCodeOf } from '@fairway/domain'
import type { OpenIdProvider } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { inTurn } from '../../http/handle.ts'
import { slice } from '../../http/register.ts'
import { PLAN_MISSING } from '../../http/spending.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { partnerInfo } from '../../http/partner-static.ts'
import { closeOrganization, keepOpen, tellExport } from '../organizations/closing.ts'
import { exportOf } from '../organizations/export.ts'
import { readMaintenance } from '../operator/store.ts'
import { helpDeskOf } from '../support-tickets/help-desk.ts'
import { connect, endJourney } from '../auth/google.ts'
import { sendSignInAdded } from '../auth/letters.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { sendMessage, verifyMessage } from './email-change.ts'
import { disableTotp, enableTotp, renewRecoveryCodes, verifyTotp } from './mfa.ts'
import {
  answerSurvey,
  changePassword,
  readOrganization,
  readProfile,
  isInPerson,
  readSettings,
  setSettings,
  updateOrganization,
  updateProfile,
} from './own-details.ts'
import { told } from './told.ts'

type Row = {
  id: string
  email: string
  first_name: string
  last_name: string
  locale: Locale
  email_verified_at: Date | null
  mfa_enabled: boolean
  password_changed_at: Date
  menu_order: 'default' | 'web' | 'stream'
  country_code: string | null
  timezone_code: string | null
  phone_number: string | null
  is_owner: boolean
  organization_id: string
  organization_name: string
  master_app: 'web' | 'stream'
  code: string
  status: 'active' | 'payment_failed' | 'locked'
  industry: string | null
  job_title: string | null
  suspended: boolean
  organization_version: number
  hubspot_contact_id: string | null
  partner_acronym: string
  aws_customer_id: string | null
  plan_missing: boolean
  closing_at: Date | null
  site_count: number
  plan_id: string
  plan_name: string
  ability: string[]
  simulated: boolean
}

/** `google` is null while the installation has no client id there. */
export const accountSlice = (google: OpenIdProvider | null) =>
  slice(account, {
    permissions: async ({ actor }) => ({ data: [...actor.permissions] }),
    profile: readProfile,
    updateProfile: told(updateProfile),
    organization: readOrganization,
    updateOrganization: told(updateOrganization),
    async export(context) {
      const { actor, services, reply, now } = context
      await tellExport(context)
      reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', `attachment; filename="organisation-${now.toISOString().slice(0, 10)}.ndjson"`)
      const read = <T>(work: (tx: Tx) => Promise<T>) =>
        inTurn(actor, () =>
          services.database.read(actor.logPosition, (from) => from.tenant(actor.organizationId, work)),
        )
      return Readable.from(exportOf(services.config, read, actor, now))
    },
    close: closeOrganization,
    keepOpen,
    settings: readSettings,
    setSettings: told(setSettings),
    survey: told(answerSurvey),
    password: told(changePassword),
    async hasExisted({ tx }, { id }) {
      const rows = await tx.query<{ verified: boolean; active: boolean }>(
        'SELECT email_verified_at IS NOT NULL AS verified, NOT suspended AS active FROM app_user WHERE id = $1',
        [id],
      )
      if (!rows[0]) throw new Failure(404)
      return { hasExisted: true, hasEmailVerified: rows[0].verified, isActive: rows[0].active }
    },
    sendMessage,
    verifyMessage: told(verifyMessage),
    enableTotp,
    verifyTotp: told(verifyTotp),
    disableTotp: told(disableTotp),
    renewRecoveryCodes,
    async connectGoogle(context, { state, query, ...proof }) {
      // Before the state is used up: who mistypes may try again.
      const user = await confirmIdentity(context, proof)
      const { person, intent } = await endJourney(google, context, state, query)
      if (intent !== 'connect') throw new Failure(1575)
      await connect(context.tx, person, context.actor.userId)
      const { tx, actor, now } = context
      await sendSignInAdded(tx, user, user.locale, { way: 'google', name: person.email ?? '', ip: actor.ip, now })
      return readProfile(context)
    },
    async info({ tx, actor, services }) {
      const row = (
        await tx.query<Row>(
          `SELECT u.id, u.email, u.first_name, u.last_name, u.locale, u.email_verified_at, u.mfa_enabled, CASE WHEN u.password_hash IS NULL THEN now() ELSE u.password_changed_at END AS password_changed_at, u.menu_order, u.country_code, u.timezone_code, u.phone_number, u.is_owner,
         o.id AS organization_id, o.name AS organization_name, o.master_app, o.code, o.status, o.industry, o.job_title, o.aws_customer_id, ${PLAN_MISSING} AS plan_missing, o.closing_at, o.suspended, o.version AS organization_version, o.hubspot_contact_id, (SELECT acronym FROM partner WHERE id = o.partner_id) AS partner_acronym,
         p.id AS plan_id, p.name AS plan_name, organization_ability(o.id) AS ability, (SELECT count(*)::int FROM site) AS site_count,
         EXISTS (SELECT FROM domain_cdn dc JOIN cdn c ON c.id = dc.cdn_id AND c.organization_id = dc.organization_id WHERE c.driver = 'simulated') AS simulated
       FROM app_user u JOIN organization o ON o.id = u.organization_id JOIN plan p ON p.id = o.plan_id WHERE u.id = $1`,
          [actor.userId],
        )
      )[0]
      if (!row) throw new Error('the signed-in user has no row')
      return {
        customerId: row.id,
        email: row.email,
        firstName: row.first_name,
        lastName: row.last_name,
        hasEmailVerified: row.email_verified_at !== null,
        hasMfaEnabled: row.mfa_enabled,
        countryCode: row.country_code,
        timezoneCode: row.timezone_code,
        phoneCode: phoneCodeOf(row.phone_number),
        phoneNumber: row.phone_number,
        passwordMtime: row.password_changed_at.getTime(),
        menuOrder: row.menu_order,
        organizationId: row.organization_id,
        organizationName: row.organization_name,
        organizationMasterApp: row.master_app,
        organizationCode: row.code,
        organizationStatus: row.status,
        organizationIndustry: row.industry,
        organizationJobTitle: row.job_title,
        organizationAwsCustomerId: row.aws_customer_id,
        planChosen: !row.plan_missing,
        closing: row.closing_at && {
          at: row.closing_at.toISOString(),
          mayKeepOpen: row.is_owner && isInPerson(actor),
        },
        siteCount: row.site_count,
        impostor: actor.impostor,
        organizationState: row.suspended ? 'suspended' : 'active',
        organizationVersion: row.organization_version,
        hubspotContactId: row.hubspot_contact_id,
        partnerAcronym: row.partner_acronym,
        identityCode: actor.isOperator
          ? 'operator'
          : actor.administersPartnerId !== null
            ? 'partner'
            : row.is_owner
              ? 'owner'
              : 'teammate',
        isOperator: actor.isOperator,
        administersPartner: actor.administersPartnerId !== null,
        hideFeature: [...actor.hiddenFeatures],
        sandboxMode: actor.sandbox,
        permissions: [...actor.permissions],
        plan: { id: row.plan_id, name: row.plan_name, ability: row.ability },
        gameDay: actor.isOperator && row.simulated,
        helpDesk: helpDeskOf(services.config),
        locale: row.locale,
      }
    },
    setLocale: told(async ({ tx, actor }, { locale }: { locale: Locale }) => {
      await tx.query('UPDATE app_user SET locale = $2 WHERE id = $1', [actor.userId, locale])
      return {}
    }),
    async partner({ tx, reply }) {
      return partnerInfo(tx, await partnerOfHost(tx, reply.request))
    },
    async reportError({ services, actor, requestId }, { status, code, requestId: failed, message, path }) {
      // The log tells the service, where there is one; without one nobody is to fill the log from outside.
      if (services.config.errorReportsDsn !== '')
        services.log.error({
          event: 'console.error',
          source: 'console',
          status,
          code,
          message,
          path,
          requestId: failed ?? requestId,
          signedIn: actor.kind === 'user',
        })
      return {}
    },
    async config({ tx, services }) {
      const { maintenanceMode, text, newVersion } = await readMaintenance(tx)
      return {
        version: newVersion ? `${VERSION}+new` : VERSION,
        errorReports: services.config.errorReportsDsn !== '',
        maintenanceMode,
        maintenanceText: text,
      }
    },
  })
