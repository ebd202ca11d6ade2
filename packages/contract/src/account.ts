import { z } from 'zod'
import { Email, Locale, MfaCode, OrganizationName, Password, PersonName, PhoneNumber, Product } from './auth.ts'
import { PARTNER_FEATURES } from './partner-features.ts'
import { PERMISSIONS } from './permissions.ts'
import { del, feature, get, post, put } from './route.ts'

/**
 * What kind of person this is: whoever runs the installation, looks after a partner's customers, came first to the
 * organisation, or was invited.
 */
export const IdentityCode = z.enum(['operator', 'partner', 'owner', 'teammate'])

/** What the user has settled about the console itself. */
export const Settings = z.object({ /** The first steps of a site are shown on its Home. */ showTutorial: z.boolean() })
export type Settings = z.infer<typeof Settings>

export const AccountInfo = z.object({
  customerId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  organizationMasterApp: z.enum(['web', 'stream']),
  organizationState: z.enum(['active', 'suspended']),
  /** Counts the changes of the organisation's own details. */
  organizationVersion: z.int(),
  /** Who the organisation is at HubSpot; null before anybody asked for help there. */
  hubspotContactId: z.string().nullable(),
  /** The partner whose customer this is. */
  partnerAcronym: z.string(),
  identityCode: IdentityCode,
  isOperator: z.boolean(),
  /** Looks after the organisations of its partner. */
  administersPartner: z.boolean(),
  /** What the organisation's partner hides. */
  hideFeature: z.array(z.enum(PARTNER_FEATURES)),
  hasEmailVerified: z.boolean(),
  hasMfaEnabled: z.boolean(),
  countryCode: z.string().nullable(),
  timezoneCode: z.string().nullable(),
  /** Country code of the telephone, like `+49`; null for a number without one. */
  phoneCode: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  /** Milliseconds of the epoch; older than three months prompts for a new one. */
  passwordMtime: z.int(),
  /** Order of the two sections of the left navigation; `default` follows the master app. */
  menuOrder: z.enum(['default', 'web', 'stream']),
  /** `EnterpriseCustomer` marks an enterprise customer. */
  organizationCode: z.string(),
  /** `active`, `payment_failed`: the console leads to the payment page. `locked`: a charge has failed for good. */
  organizationStatus: z.enum(['active', 'payment_failed', 'locked']),
  organizationIndustry: z.string().nullable(),
  organizationJobTitle: z.string().nullable(),
  organizationAwsCustomerId: z.string().nullable(),
  /** False: the console leads to the choice of a plan. */
  planChosen: z.boolean(),
  /** When the organisation closes, and whether the caller may keep it open; null unless its owner closes it. */
  closing: z.object({ at: z.iso.datetime(), mayKeepOpen: z.boolean() }).nullable().default(null),
  /** Sites that are there, drafts included. */
  siteCount: z.int(),
  /** Who looks on as this user; null for the user itself. */
  impostor: z.string().nullable(),
  /** Read-only demonstration organisation. */
  sandboxMode: z.boolean(),
  permissions: z.array(z.enum(PERMISSIONS)),
  plan: z.object({ id: z.string(), name: z.string(), ability: z.array(z.string()) }),
  /** The demo's simulated CDNs can be driven from here. */
  gameDay: z.boolean(),
  /** The help desk outside whose pages open by a token; null: tickets are read here. */
  helpDesk: z.string().nullable(),
  locale: Locale,
})
export type AccountInfo = z.infer<typeof AccountInfo>

/** Public settings of the partner whose host name was asked. */
export const PartnerInfo = z.object({
  acronym: z.string(),
  hostName: z.string().nullable(),
  contactEmail: z.string().nullable(),
  ignoreMaintenanceMode: z.boolean(),
  supportSignup: z.boolean(),
  signupPhone: z.boolean(),
  /** Addresses of the partner's own pictures; null for the mark and the name. */
  logoWord: z.string().nullable(),
  logoWordWhite: z.string().nullable(),
  favicon: z.string().nullable(),
  companyName: z.string(),
  brandColor: z.string(),
  brandInk: z.string(),
  termsLink: z.string().nullable(),
  privacyPolicyLink: z.string().nullable(),
  apiDocumentUrl: z.string(),
  hideFeature: z.array(z.enum(PARTNER_FEATURES)),
  sandboxMode: z.boolean(),
})
export type PartnerInfo = z.infer<typeof PartnerInfo>

export const INDUSTRIES = [
  'software',
  'e-commerce',
  'media',
  'gaming',
  'finance',
  'education',
  'health',
  'travel',
  'public-sector',
  'telecommunications',
  'manufacturing',
  'other',
] as const
export const JOB_TITLES = [
  'developer',
  'operations',
  'security',
  'architect',
  'product',
  'manager',
  'executive',
  'student',
  'other',
] as const

/** What users keep about themselves, and how they sign in. */
export const Profile = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  menuOrder: z.enum(['default', 'web', 'stream']),
  phoneNumber: z.string().nullable(),
  countryCode: z.string().nullable(),
  timezoneCode: z.string().nullable(),
  /** False for who came by Google and never set one. */
  hasPassword: z.boolean(),
  /** Milliseconds of the epoch. */
  passwordMtime: z.int(),
  hasMfaEnabled: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** The address at Google that signs in as this user; null for none. */
  googleEmail: z.string().nullable(),
  /** Whether the installation offers to sign in with Google. */
  googleOffered: z.boolean(),
  /** Whether one can leave the organisation: who owns it hands it over first, and operators stay. */
  mayLeave: z.boolean().default(false),
})
export type Profile = z.infer<typeof Profile>

export const Organization = z.object({
  id: z.string(),
  organizationName: z.string(),
  organizationIndustry: z.string().nullable(),
  organizationJobTitle: z.string().nullable(),
  organizationMasterApp: Product,
  organizationCode: z.string(),
  /** Given back with a change: one that was made meanwhile is told instead of being overwritten. */
  organizationVersion: z.int(),
  /** Who asks for help first is its contact at HubSpot. */
  hubspotContactId: z.string().nullable(),
  /** Whether the caller may close it: its owner, in person, where nothing stands against it. */
  mayClose: z.boolean().default(false),
  /** Whether the caller is its owner, in person. */
  mayExport: z.boolean().default(false),
})
export type Organization = z.infer<typeof Organization>

/** Proof that it is still the same person: the password, or the code of the authenticator app. */
export const Proof = { password: z.string().max(200).optional(), code: MfaCode.optional() }
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const account = feature('account', {
  permissions: get('/account/v2/permissions/', {
    out: z.object({ data: z.array(z.enum(PERMISSIONS)) }),
    permission: 'signed-in',
    errors: [],
  }),
  profile: get('/account/v2/profile/', {
    out: Profile,
    permission: 'signed-in',
    partnerFeature: 'account',
    errors: [],
  }),
  updateProfile: put('/account/v2/profile/', {
    in: z.object({
      firstName: PersonName,
      lastName: PersonName,
      menuOrder: z.enum(['default', 'web', 'stream']),
      phoneNumber: PhoneNumber.nullable().optional(),
      countryCode: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .nullable()
        .optional(),
      timezoneCode: z.string().max(64).nullable().optional(),
    }),
    out: Profile,
    personal: true,
    permission: 'signed-in',
    partnerFeature: 'account',
    errors: [],
    audit: 'account.profile',
    changes: [],
  }),
  organization: get('/account/v2/organization/', { out: Organization, permission: 'signed-in', errors: [] }),
  updateOrganization: put('/account/v2/organization/', {
    in: z.object({
      organizationName: OrganizationName,
      industry: z.enum(INDUSTRIES).nullable(),
      jobTitle: z.enum(JOB_TITLES).nullable(),
      masterApp: Product,
      organizationVersion: z.int32().optional(),
    }),
    out: Organization,
    permission: 'EditUser',
    errors: [409],
    audit: 'organization.update',
    changes: [],
  }),
  export: get('/account/v2/organization/export/', {
    out: z.string(),
    media: 'ndjson',
    personal: true,
    permission: 'EditUser',
    errors: [1482],
    summary:
      'Everything that the organisation has, for its owner, as lines of JSON: rows by table, without secrets, and each zone as a file. The audit log tells of it.',
  }),
  close: post('/account/v2/organization/closing/', {
    /** Its name, so that nobody closes it by a click. */
    in: z.object({ confirmName: z.string().max(200), ...Proof }),
    out: z.object({ closesAt: z.iso.datetime() }),
    personal: true,
    permission: 'EditUser',
    makesRoom: true,
    errors: [1482, 1486, 1487, 2523, 7409],
    audit: 'organization.close',
    changes: [],
    summary: 'Closes the organisation in seven days, with all that it has; until then it can be kept open.',
  }),
  keepOpen: del('/account/v2/organization/closing/', {
    out: z.object({}),
    personal: true,
    permission: 'EditUser',
    makesRoom: true,
    errors: [1482, 7409],
    audit: 'organization.keepOpen',
    changes: [],
    summary: 'Takes back that the organisation closes.',
  }),
  settings: get('/settings/v2/index/', { out: Settings, permission: 'signed-in', errors: [] }),
  setSettings: put('/settings/v2/index/', {
    in: Settings,
    out: Settings,
    personal: true,
    permission: 'signed-in',
    errors: [],
    audit: 'account.settings',
    changes: [],
  }),
  survey: post('/account/v2/survey/', {
    in: z.object({ industry: z.enum(INDUSTRIES), jobTitle: z.enum(JOB_TITLES) }),
    out: Organization,
    permission: 'signed-in',
    errors: [7409],
    audit: 'organization.survey',
    changes: [],
    summary: 'Answers the survey, once for the organisation.',
  }),
  password: put('/account/v2/password/', {
    in: z.object({ currentPassword: z.string().max(200), password: Password }),
    out: z.object({}),
    personal: true,
    permission: 'signed-in',
    errors: [2523],
    audit: 'account.password',
    changes: [],
    summary: 'Changes the password and ends every session of the user, this one too.',
  }),
  hasExisted: get('/account/v2/{id}/has-existed/', {
    out: z.object({ hasExisted: z.literal(true), hasEmailVerified: z.boolean(), isActive: z.boolean() }),
    permission: 'ViewUser',
    errors: [],
    summary: 'Whether a user of the organisation is there.',
  }),
  sendMessage: post('/account/v2/message/send/', {
    in: z.object({ email: Email, ...Proof }),
    out: z.object({}),
    personal: true,
    permission: 'signed-in',
    errors: [1570, 2523],
    audit: null,
    changes: [],
    summary: 'Sends a six-digit code to a new e-mail address.',
  }),
  verifyMessage: post('/account/v2/message/verify/', {
    in: z.object({ code: MfaCode }),
    out: Profile,
    personal: true,
    permission: 'signed-in',
    errors: [2521],
    audit: 'account.email',
    changes: [],
    summary: 'Changes the e-mail address with the code that was sent to it.',
  }),
  enableTotp: post('/account/v2/mfa/totp/enable/', {
    in: z.object(Proof),
    out: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
    personal: true,
    permission: 'signed-in',
    errors: [2523, 7409],
    audit: null,
    changes: [],
    summary: 'Begins the set-up of an authenticator app: secret, otpauth address, QR code as SVG.',
  }),
  verifyTotp: post('/account/v2/mfa/totp/verify/', {
    in: z.object({ code: MfaCode }),
    out: RecoveryCodes,
    personal: true,
    permission: 'signed-in',
    errors: [1523, 7409],
    audit: 'account.mfa-on',
    changes: [],
    summary: 'Turns MFA on with the first code and answers ten recovery codes, which are never shown again.',
  }),
  disableTotp: post('/account/v2/mfa/totp/disable/', {
    in: z.object(Proof),
    out: z.object({}),
    personal: true,
    permission: 'signed-in',
    errors: [2523],
    audit: 'account.mfa-off',
    changes: [],
  }),
  renewRecoveryCodes: post('/account/v2/mfa/recovery-codes/', {
    in: z.object(Proof),
    out: RecoveryCodes,
    personal: true,
    permission: 'signed-in',
    errors: [2523, 7409],
    audit: 'account.recovery-codes',
    changes: [],
  }),
  connectGoogle: put('/account/v2/auth/google/', {
    in: z.object({ state: z.string().max(200), query: z.string().max(8_000), ...Proof }),
    out: Profile,
    personal: true,
    permission: 'signed-in',
    errors: [1575, 1710, 2523, 7491],
    audit: 'account.google',
    changes: [],
    summary: 'Lets a Google account sign in as this user.',
  }),
  info: get('/account/v2/info/', { out: AccountInfo, permission: 'signed-in', errors: [] }),
  setLocale: put('/account/v2/locale/', {
    in: z.object({ locale: Locale }),
    out: z.object({}),
    permission: 'signed-in',
    errors: [],
    audit: 'account.locale',
    changes: [],
  }),
  partner: get('/partner/v2/info/', { out: PartnerInfo, permission: 'public', errors: [] }),
  config: get('/config/', {
    out: z.object({
      /** Another one than before asks people to reload. */ version: z.string(),
      maintenanceMode: z.boolean(),
      /** Whether breakdowns of the console are wanted by `reportError`. */ errorReports: z.boolean().default(false),
      /** The operator's own words to visitors, by language; empty for none. */ maintenanceText: z
        .object({ en: z.string(), zhHant: z.string(), zhHans: z.string() })
        .default({ en: '', zhHant: '', zhHans: '' }),
    }),
    permission: 'public',
    errors: [],
  }),
  reportError: post('/portal/v2/error/', {
    in: z.object({
      status: z.int(),
      code: z.int(),
      requestId: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .nullable()
        .default(null),
      message: z.string().max(300),
      path: z.string().max(300),
    }),
    out: z.object({}),
    permission: 'public',
    errors: [],
    audit: null,
    changes: [],
    summary: 'Tells of an error that a screen of the console failed with.',
  }),
})
