import { type RouteParsed, type SignedIn, auth } from '@fairway/contract'
import { type Tx, sameSecret, setupCode } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { type PartnerRow, partnerOfHost } from '../../http/partner-of.ts'
import { createOrganization, createOwner } from '../../installation.ts'
import { letterLimits, mayAttempt, signUpLimit, takeAttempts } from './attempts.ts'
import { checkCaptcha } from './captcha.ts'
import { type SignUpDetails, sendAccountExists, sendVerification } from './letters.ts'
import { passwordMatches } from './password.ts'
import { completeSignIn, tellAudit, userByEmail, userById } from './sign-in.ts'

type Input = RouteParsed<typeof auth.routes.register>

/** Locks that make two sign-ups one after the other: of the first account, and of one address. */
const FIRST_ACCOUNT = 4712
const ONE_ADDRESS = 4714

const SEE_LETTER: SignedIn = {
  customerId: '',
  organizationId: '',
  jwtToken: '',
  next: 'verify-email',
  ticket: null,
  methods: [],
}

export async function register(context: Context<Actor>, input: Input): Promise<SignedIn> {
  const { tx, services, actor, reply } = context
  if (await hasNoUser(tx)) {
    await checkSetupCode(context, input.setupCode)
    await tx.query('SELECT pg_advisory_xact_lock($1)', [FIRST_ACCOUNT])
    if (await hasNoUser(tx)) return registerOperator(context, input)
    throw new Failure(403, { internal: 'the installation has got its first account meanwhile' })
  }
  const partner = await partnerOfHost(tx, reply.request)
  refuseClosed(partner)
  if (partner.signup_phone && !input.phoneNumber)
    throw new Failure(400, { fields: [{ path: 'phoneNumber', message: 'validation.required' }] })
  if (!input.captcha) throw new Failure(400, { fields: [{ path: 'captcha', message: 'validation.required' }] })
  await takeAttempts(services.database, [signUpLimit(actor.ip)])
  await checkCaptcha(services.database, input.captcha)
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ONE_ADDRESS, input.email.toLowerCase()])
  const known = await userByEmail(tx, input.email)
  if (known) {
    // As much work as for a new address, and the same answer.
    const isSame = await passwordMatches(input.password, known.password_hash)
    // Whose address it is nobody knows yet: what the first has typed opens no account for the second, nor the reverse.
    if (!known.verified && !isSame)
      await tx.query('UPDATE app_user SET sign_up_contested = true WHERE id = $1', [known.id])
    if (await mayAttempt(services.database, letterLimits('sign-up', known.email, actor.ip)))
      await (known.verified
        ? sendAccountExists(tx, services.config, known, input.locale)
        : sendVerification(tx, services.config, known, input.locale, isSame ? undefined : detailsOf(input, partner.id)))
    return SEE_LETTER
  }
  const id = await createCustomer(tx, { ...input, partnerId: partner.id })
  await tx.query('UPDATE app_user SET email_verified_at = NULL WHERE id = $1', [id])
  const made = await userById(tx, id)
  if (made) await sendVerification(tx, services.config, made, input.locale, detailsOf(input, partner.id))
  await tellAudit(tx, id, 'auth.register', actor.ip)
  return SEE_LETTER
}

/**
 * An empty installation that can be reached belongs to whoever started it, not to whoever comes first.
 * @throws Failure 400 when it is not the code that the start printed
 */
async function checkSetupCode({ services, actor }: Context<Actor>, given: string | undefined): Promise<void> {
  const { config, database } = services
  if (config.setupCode === 'off') return
  if (given !== undefined) await takeAttempts(database, [signUpLimit(actor.ip)])
  if (given === undefined || !sameSecret(given, setupCode(config)))
    throw new Failure(400, {
      fields: [
        { path: 'setupCode', message: given === undefined ? 'validation.required' : 'validation.setupCodeWrong' },
      ],
    })
}

/** @throws Failure 403 when the partner takes no new customers by itself. */
export function refuseClosed(partner: PartnerRow): void {
  if (!partner.support_signup) throw new Failure(403, { internal: 'the partner does not let people sign up' })
}

export async function hasNoUser(tx: Tx): Promise<boolean> {
  return (await tx.query('SELECT FROM app_user LIMIT 1')).length === 0
}

export type NewCustomer = {
  partnerId: string
  email: string
  password: string | null
  firstName: string
  lastName: string
  organizationName?: string | undefined
  product: 'web' | 'stream'
  phoneNumber?: string | undefined
  locale: string
}

const detailsOf = (input: Input, partnerId: string): SignUpDetails => ({
  partnerId,
  firstName: input.firstName,
  lastName: input.lastName,
  organizationName: input.organizationName ?? organizationNameFor(input),
  product: input.product,
  phoneNumber: input.phoneNumber ?? null,
  locale: input.locale,
})

/** Of several sign-ups with an address, the account becomes the one whose letter was followed. */
export async function takeDetails(tx: Tx, userId: string, details: SignUpDetails): Promise<void> {
  const { partnerId, firstName, lastName, organizationName, product, phoneNumber, locale } = details
  const [user] = await tx.query<{ organization_id: string }>(
    'UPDATE app_user SET first_name = $2, last_name = $3, phone_number = $4, locale = $5 WHERE id = $1 RETURNING organization_id',
    [userId, firstName, lastName, phoneNumber, locale],
  )
  await tx.query(
    'UPDATE organization SET name = $2, master_app = $3, partner_id = $4, plan_chosen_at = CASE WHEN partner_id = $4 THEN plan_chosen_at WHEN $5 THEN now() END WHERE id = $1',
    [user?.organization_id, organizationName, product, partnerId, await hidesPlans(tx, partnerId)],
  )
  await tx.query(
    `UPDATE cdn SET name = p.company_name || ' Edge' FROM partner p WHERE p.id = $2 AND cdn.organization_id = $1 AND cdn.driver = 'fairway-edge'`,
    [user?.organization_id, partnerId],
  )
}

/** An organisation on the developer plan, its owner, and the product they came for. Answers the owner's id. */
export async function createCustomer(tx: Tx, customer: NewCustomer): Promise<string> {
  const name = customer.organizationName ?? organizationNameFor(customer)
  const organizationId = await createOrganization(tx, {
    name,
    planId: 'developer',
    partnerId: customer.partnerId,
    planChosen: await hidesPlans(tx, customer.partnerId),
  })
  await tx.query('UPDATE organization SET master_app = $2 WHERE id = $1', [organizationId, customer.product])
  const id = await createOwner(tx, { ...customer, organizationId, isOperator: false })
  await tx.query('UPDATE app_user SET locale = $2, phone_number = $3 WHERE id = $1', [
    id,
    customer.locale,
    customer.phoneNumber ?? null,
  ])
  return id
}

/** Where a partner shows neither prices nor bills, its customers have nothing to choose from. */
export async function hidesPlans(tx: Tx, partnerId: string): Promise<boolean> {
  const [row] = await tx.query<{ hides: boolean }>(
    `SELECT hide_feature && '{price,billing}' AS hides FROM partner WHERE id = $1`,
    [partnerId],
  )
  return row?.hides === true
}

/** The person's name as far as an organisation may be called so, else the begin of the address; never empty. */
function organizationNameFor({
  firstName,
  lastName,
  email,
}: Pick<NewCustomer, 'firstName' | 'lastName' | 'email'>): string {
  const words = (text: string) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g)
      ?.join(' ') ?? ''
  return (words(`${firstName} ${lastName}`) || words(email.split('@')[0] ?? '') || 'My organisation')
    .slice(0, 80)
    .trim()
}

async function registerOperator(context: Context<Actor>, input: Input): Promise<SignedIn> {
  const { email, password, firstName, lastName, organizationName } = input
  if (!organizationName)
    throw new Failure(400, { fields: [{ path: 'organizationName', message: 'validation.required' }] })
  const organizationId = await createOrganization(context.tx, { name: organizationName, planId: 'enterprise' })
  const id = await createOwner(context.tx, { organizationId, email, password, firstName, lastName, isOperator: true })
  const user = await userById(context.tx, id)
  if (!user) throw new Error('the operator that was just made is not there')
  return completeSignIn(context, user, { remember: true, proven: true })
}
