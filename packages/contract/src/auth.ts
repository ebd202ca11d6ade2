import { z } from 'zod'
import { feature, get, post } from './route.ts'

export const Locale = z.enum(['en', 'zhHant', 'zhHans'])
export type Locale = z.infer<typeof Locale>

/**
 * Set beside the session's own cookie and readable by the page: without it there is no session to ask for. It proves
 * nothing.
 */
export const signedInCookie = (port: string): string => `fairway_signed_in${port && `_${port}`}`

/** At least 8 characters with an upper-case letter, a lower-case letter and a digit. */
export const Password = z
  .string()
  .min(8, 'validation.password')
  .max(200)
  .regex(/[a-z]/, 'validation.password')
  .regex(/[A-Z]/, 'validation.password')
  .regex(/\d/, 'validation.password')

export const Email = z.email().max(254)
export const PersonName = z.string().trim().min(1).max(80)
/** Words of letters and digits, separated by one space, dot, underscore or hyphen. */
export const OrganizationName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]+(?:[ ._-][A-Za-z0-9]+)*$/, 'validation.organizationName')
  .max(80)
export const MfaCode = z.string().regex(/^\d{6}$/, 'validation.mfaCode')
/** Twelve letters and digits; how people group or write them does not matter. */
export const RecoveryCode = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^[A-Z2-7]{12}$/, 'validation.recoveryCode'))
/** What the start of an empty installation prints; how people group or write it does not matter. */
export const SetupCode = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^[A-Z2-7]{12}$/, 'validation.setupCode'))
export const PhoneNumber = z
  .string()
  .trim()
  .regex(/^\+?[0-9][0-9 ()-]{4,22}$/, 'validation.phoneNumber')

/** A token of a letter or an answer: 256 bits as base64url. */
export const AppToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'validation.token')

/** Where the two products lead: it becomes the organisation's master app. */
export const Product = z.enum(['web', 'stream'])

/** Proof of a person: the four characters of the picture, or the number that was searched for. */
export const CaptchaAnswer = z.object({
  id: AppToken,
  text: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{4}$/, 'validation.captcha')
    .optional(),
  proof: z
    .object({ counter: z.int().min(0).max(1_000_000), derivedKey: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional(),
})
export type CaptchaAnswer = z.infer<typeof CaptchaAnswer>

export const Captcha = z.object({
  id: z.string(),
  /** An SVG document of the picture. */
  picture: z.string().nullable(),
  /**
   * Work instead of a picture: find the counter whose PBKDF2-SHA-256 key (password: nonce and the counter as 32 bits,
   * big endian) begins with the prefix. All in hex.
   */
  work: z.object({ nonce: z.string(), salt: z.string(), cost: z.int(), keyPrefix: z.string() }).nullable(),
  expiresInSeconds: z.int(),
})
export type Captcha = z.infer<typeof Captcha>

export const SECOND_STEPS = ['totp', 'recovery', 'passkey'] as const

export const SignedIn = z.object({
  customerId: z.string(),
  organizationId: z.string(),
  /** Bearer token; empty until nothing is missing. */
  jwtToken: z.string(),
  /**
   * What is missing: `second-step` with its ticket, the address has to be verified first, or a password has to be set
   * (`POST /auth/v2/password/reset/` with the ticket as token).
   */
  next: z.enum(['done', 'second-step', 'verify-email', 'set-password']).default('done'),
  ticket: z.string().nullable().default(null),
  methods: z.array(z.enum(SECOND_STEPS)).default([]),
})
export type SignedIn = z.infer<typeof SignedIn>

/**
 * What a browser's WebAuthn call takes and gives, as JSON; its inside is the standard's (Web Authentication Level 3,
 * section 5.1).
 */
export const WebAuthnJson = z.record(z.string(), z.unknown())

const SIGN_IN_CODES = [1451, 1461, 1521, 1530] as const

export const auth = feature('auth', {
  captcha: get('/captcha/v1/', {
    in: z.object({ kind: z.enum(['picture', 'work']).default('picture') }),
    out: Captcha,
    permission: 'public',
    errors: [1530, 920903],
  }),
  login: post('/auth/v2/login/', {
    in: z.object({ email: Email, password: z.string().min(1).max(200), remember: z.boolean().default(false) }),
    out: SignedIn,
    permission: 'public',
    errors: SIGN_IN_CODES,
    audit: null,
    changes: [],
    summary: 'Signs in: sets the session cookie and answers a bearer token, or what is still missing.',
  }),
  secondStep: post('/auth/v2/mfa/verify/', {
    in: z.object({ stepTicket: AppToken, code: MfaCode.optional(), recoveryCode: RecoveryCode.optional() }),
    out: SignedIn,
    permission: 'public',
    errors: [1451, 1461, 1523, 1530, 1575],
    audit: null,
    changes: [],
    summary: 'Second step of signing in: the code of the authenticator app or a recovery code.',
  }),
  passkeyOptions: post('/auth/v2/passkey/options/', {
    in: z.object({ stepTicket: AppToken.optional() }),
    out: z.object({ ceremony: z.string(), options: WebAuthnJson }),
    permission: 'public',
    errors: [1530, 1575],
    audit: null,
    changes: [],
    summary: 'What the browser asks its passkeys for; with the ticket of the second step, only those of that user.',
  }),
  passkey: post('/auth/v2/passkey/', {
    in: z.object({ ceremony: AppToken, response: WebAuthnJson, remember: z.boolean().default(false) }),
    out: SignedIn,
    permission: 'public',
    errors: [1451, 1461, 1530, 1575],
    audit: null,
    changes: [],
  }),
  loginAs: post('/auth/v2/loginas/', {
    in: z.object({ token: AppToken }),
    out: SignedIn,
    permission: 'public',
    errors: [1451, 1461],
    audit: null,
    changes: [],
    summary:
      'Uses up a login-as link: opens a short session as the user, in which everything is told as done by whoever made the link.',
  }),
  logout: post('/account/v2/logout/', {
    out: z.object({}),
    permission: 'signed-in',
    errors: [],
    audit: 'auth.logout',
    changes: [],
  }),
  /** Whether the installation has no user yet: then registering makes the operator account. */
  firstRun: get('/auth/v2/first-run/', {
    out: z.object({
      needed: z.boolean(),
      code: z.boolean().default(false),
      google: z.boolean().default(false),
      sandbox: z.boolean().default(false),
    }),
    permission: 'public',
    errors: [],
  }),
  enterSandbox: post('/auth/v2/sandbox/', {
    out: SignedIn,
    permission: 'public',
    errors: [404, 1451, 1461, 1530],
    audit: null,
    changes: [],
    summary: 'Signs in to the read-only sandbox, where the installation has one; nobody needs an account for it.',
  }),
  register: post('/auth/v2/register/', {
    in: z.object({
      email: Email,
      password: Password,
      firstName: PersonName,
      lastName: PersonName,
      organizationName: OrganizationName.optional(),
      product: Product.default('web'),
      phoneNumber: PhoneNumber.optional(),
      captcha: CaptchaAnswer.optional(),
      setupCode: SetupCode.optional(),
      locale: Locale.default('en'),
    }),
    out: SignedIn,
    permission: 'public',
    errors: [403, 1530, 1601],
    audit: null,
    changes: [],
    summary:
      'Signs up. The first account of an installation is its operator, shows the code that the start printed, and is signed in; every other one gets a letter, and the answer is the same when the address has an account already.',
  }),
  sendEmail: post('/auth/v2/email/send/', {
    in: z.object({ email: Email, locale: Locale.default('en') }),
    out: z.object({}),
    permission: 'public',
    errors: [1570, 1530],
    audit: null,
    changes: [],
    summary: 'Sends the letter that verifies an address again, at most once a minute.',
  }),
  verifyEmail: post('/auth/v2/email/verify/', {
    in: z.object({ token: AppToken }),
    out: SignedIn,
    permission: 'public',
    errors: [1451, 1461, 1465],
    audit: null,
    changes: [],
    summary:
      'Proves an address by the link of a letter and signs in. Where others have signed up with it too, none of the passwords counts: `set-password` comes next.',
  }),
  forgotPassword: post('/auth/v2/password/forgot/', {
    in: z.object({ email: Email, locale: Locale.default('en') }),
    out: z.object({}),
    permission: 'public',
    errors: [1530],
    audit: null,
    changes: [],
    summary: 'Sends a link for a new password; the answer is the same for an address without an account.',
  }),
  resetPassword: post('/auth/v2/password/reset/', {
    in: z.object({ token: AppToken, password: Password, keepOtherWays: z.boolean().default(false) }),
    out: z.object({}),
    permission: 'public',
    errors: [],
    audit: null,
    changes: [],
    summary:
      'Sets a new password, ends every session of the user, and removes passkeys and the Google connection unless they are to be kept.',
  }),
  tokenInfo: post('/auth/v2/info/', {
    in: z.object({ purpose: z.enum(['reset-password', 'invite']), token: z.string().max(100) }),
    out: z.object({
      state: z.enum(['ok', 'used', 'expired', 'unknown']),
      email: z.string().nullable(),
      organizationName: z.string(),
      /** Of an invitation: the address has an account already, so that it can only be declined. */
      hasAccount: z.boolean(),
    }),
    permission: 'public',
    errors: [],
    audit: null,
    changes: [],
    summary: 'Whether the link of a letter still works, and for whom.',
  }),
  acceptInvite: post('/auth/v2/invite/accept/', {
    in: z.object({ token: AppToken, password: Password, firstName: PersonName, lastName: PersonName }),
    out: SignedIn,
    permission: 'public',
    errors: [1451, 1461, 7491],
    audit: null,
    changes: [],
  }),
  declineInvite: post('/auth/v2/invite/decline/', {
    in: z.object({ token: AppToken }),
    out: z.object({}),
    permission: 'public',
    errors: [],
    audit: null,
    changes: [],
    summary:
      'Says no to an invitation; whoever sent it learns so, and that the address has an account when it has one.',
  }),
  googleStart: post('/auth/v2/google/start/', {
    in: z.object({
      intent: z.enum(['login', 'signup', 'connect']),
      product: Product.default('web'),
      remember: z.boolean().default(false),
    }),
    out: z.object({ url: z.string() }),
    permission: 'public',
    errors: [1530, 1710],
    audit: null,
    changes: [],
    summary: 'The address at Google (or another OpenID provider) to go to.',
  }),
  googleCallback: post('/auth/v2/google/callback/', {
    in: z.object({ state: z.string().max(200), query: z.string().max(8_000), locale: Locale.default('en') }),
    out: SignedIn,
    permission: 'public',
    errors: [403, 1451, 1461, 1575, 1710],
    audit: null,
    changes: [],
  }),
})
