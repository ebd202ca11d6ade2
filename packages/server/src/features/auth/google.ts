import { type RouteOutput, type RouteParsed, type SignedIn, auth } from '@fairway/contract'
import { type OpenIdJourney, type OpenIdPerson, type OpenIdProvider, OpenIdRefusal } from '@fairway/drivers'
import { mint } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { originOf } from '../passkeys/ceremony.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { hashOf } from '../../http/session.ts'
import { issueToken, redeemToken } from './app-tokens.ts'
import { ceremonyLimit, takeAttempts } from './attempts.ts'
import { sendSignInAdded } from './letters.ts'
import { localeOf } from './password-reset.ts'
import { removeUnproven } from './remove-unproven.ts'
import { completeSignIn, tellAudit, userByEmail, userById, type SignInRow } from './sign-in.ts'
import { createCustomer, hasNoUser, refuseClosed } from './sign-up.ts'

const JOURNEY_SECONDS = 600
/** Binds the journey to the browser that began it, so that nobody is signed in to somebody else's account by a link. */
const JOURNEY_COOKIE = 'fairway_openid'
const CALLBACK = '/oauth/google-callback'

type Ended = { person: OpenIdPerson; intent: string; product: 'web' | 'stream'; remember: boolean }

export async function googleStart(
  provider: OpenIdProvider | null,
  { tx, actor, reply, services }: Context<Actor>,
  { intent, product, remember }: RouteParsed<typeof auth.routes.googleStart>,
): Promise<RouteOutput<typeof auth.routes.googleStart>> {
  if (!provider) throw new Failure(1710, { internal: 'no OpenID client id is set' })
  if (!(await partnerOfHost(tx, reply.request)).google_sign_in)
    throw new Failure(1710, { internal: 'not switched on for this host name' })
  await takeAttempts(services.database, [ceremonyLimit(actor.ip)])
  const origin = originOf(reply.request)
  const browser = mint('bearer').text
  // The state has to be known before the address is made, and the journey after it.
  const state = await issueToken(tx, {
    purpose: 'openid',
    seconds: JOURNEY_SECONDS,
    data: { intent, product, remember, origin, browser: hashOf(browser) },
  })
  const { url, journey } = await provider
    .begin(`${origin}${CALLBACK}`, state)
    .catch((error: unknown) => refuse(error, services.log))
  await tx.query(`UPDATE app_token SET data = data || $2 WHERE token_hash = $1`, [
    hashOf(state),
    JSON.stringify({ journey }),
  ])
  reply.setCookie(JOURNEY_COOKIE, browser, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: reply.request.protocol === 'https',
    maxAge: JOURNEY_SECONDS,
  })
  return { url }
}

/** Signs in whoever the provider says it is; who is not known yet becomes a customer, where people may sign up. */
export async function googleCallback(
  provider: OpenIdProvider | null,
  context: Context<Actor>,
  { state, query, locale }: RouteParsed<typeof auth.routes.googleCallback>,
): Promise<SignedIn> {
  const { tx, reply, actor } = context
  const { person, intent, product, remember } = await endJourney(provider, context, state, query)
  if (intent === 'connect') throw new Failure(1575)
  const known = await userOf(context, person)
  if (known) return completeSignIn(context, known, { remember, proven: false })
  if (await hasNoUser(tx)) throw new Failure(403, { internal: 'the first account is made with a password' })
  const partner = await partnerOfHost(tx, reply.request)
  refuseClosed(partner)
  const email = provenAddress(person)
  const id = await createCustomer(tx, {
    partnerId: partner.id,
    email,
    password: null,
    firstName: person.firstName || email.split('@')[0] || email,
    lastName: person.lastName || '-',
    product,
    locale,
  })
  await connect(tx, person, id)
  await tellAudit(tx, id, 'auth.register', actor.ip)
  const made = await userById(tx, id)
  if (!made) throw new Error('the account that was just made is not there')
  return completeSignIn(context, made, { remember, proven: false })
}

/** Comes back from the provider: the state is used up first, in a transaction of its own, whatever comes of it. */
export async function endJourney(
  provider: OpenIdProvider | null,
  { services, reply }: Pick<Context<Actor>, 'services' | 'reply'>,
  state: string,
  query: string,
): Promise<Ended> {
  if (!provider) throw new Failure(1710, { internal: 'no OpenID client id is set' })
  const found = await services.database.aside((tx) => redeemToken(tx, 'openid', state))
  const browser = reply.request.cookies[JOURNEY_COOKIE]
  reply.clearCookie(JOURNEY_COOKIE, { path: '/' })
  if (found.state !== 'ok' || !browser || found.data['browser'] !== hashOf(browser)) throw new Failure(1575)
  const { intent, product, remember, origin, journey } = found.data
  const callback = new URL(`${String(origin)}${CALLBACK}`)
  callback.search = query
  const person = await provider
    .finish(callback, state, journey as OpenIdJourney)
    .catch((error: unknown) => refuse(error, services.log))
  return {
    person,
    intent: String(intent),
    product: product === 'stream' ? 'stream' : 'web',
    remember: remember === true,
  }
}

/** @throws Failure 7491 when that Google account signs in as somebody else already. */
export async function connect(tx: Context<Actor>['tx'], person: OpenIdPerson, userId: string): Promise<void> {
  const rows = await tx.query(
    `INSERT INTO user_identity (issuer, subject, organization_id, user_id, email) SELECT $1, $2, organization_id, id, $4 FROM app_user WHERE id = $3 ON CONFLICT DO NOTHING RETURNING user_id`,
    [person.issuer, person.subject, userId, person.email ?? ''],
  )
  if (!rows.length) throw new Failure(7491)
}

async function userOf({ tx, actor, now }: Context<Actor>, person: OpenIdPerson): Promise<SignInRow | undefined> {
  const [identity] = await tx.query<{ user_id: string }>(
    'SELECT user_id FROM user_identity WHERE issuer = $1 AND subject = $2',
    [person.issuer, person.subject],
  )
  if (identity) return userById(tx, identity.user_id)
  const user = person.email && person.emailVerified ? await userByEmail(tx, person.email) : undefined
  if (!user) return undefined
  // Whoever made the account never proved the address: it is neither theirs, nor of the partner where they made it.
  if (!user.verified) {
    await removeUnproven(tx, user.email)
    return undefined
  }
  await connect(tx, person, user.id)
  await tellAudit(tx, user.id, 'account.google', actor.ip)
  const news = { way: 'google', name: user.email, ip: actor.ip, now } as const
  await sendSignInAdded(tx, user, await localeOf(tx, user.id), news)
  return userById(tx, user.id)
}

function provenAddress({ email, emailVerified }: OpenIdPerson): string {
  if (!email || !emailVerified) throw new Failure(403, { internal: 'the provider does not vouch for the address' })
  return email
}

function refuse(error: unknown, log: Context<Actor>['services']['log']): never {
  if (!(error instanceof OpenIdRefusal)) throw error
  log.warn({ event: 'openid.refused', why: error.message })
  throw new Failure(({ 'wrong-client': 1710, 'wrong-answer': 1575, 'no-answer': 503 } as const)[error.why])
}
