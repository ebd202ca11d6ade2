import * as client from 'openid-client'

/** A person as an OpenID provider knows them. `subject` stays the same for life; the address need not. */
export type OpenIdPerson = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  firstName: string
  lastName: string
}

/** What must be remembered between going to the provider and coming back; the state is the caller's. */
export type OpenIdJourney = { verifier: string; nonce: string }

/**
 * Why a sign-in did not come about: the provider does not know us, the answer is not one to our question, or nobody
 * answers.
 */
export class OpenIdRefusal extends Error {
  readonly why: 'wrong-client' | 'wrong-answer' | 'no-answer'
  constructor(why: OpenIdRefusal['why'], cause: unknown) {
    super(`${why}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.why = why
  }
}

export interface OpenIdProvider {
  /** Address to go to. `redirectUri` has to be known to the provider. @throws OpenIdRefusal */
  begin(redirectUri: string, state: string): Promise<{ url: string; journey: OpenIdJourney }>
  /** Who came back to `callback`, the whole address with its query. @throws OpenIdRefusal */
  finish(callback: URL, state: string, journey: OpenIdJourney): Promise<OpenIdPerson>
}

export type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string }

const REDISCOVER_MS = 3_600_000
const WRONG_CLIENT = new Set(['invalid_client', 'unauthorized_client', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'])
const NO_ANSWER = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'ECONNREFUSED', 'ENOTFOUND'])

/** Authorization code flow with PKCE, state and nonce, for any certified OpenID provider; Google by its issuer. */
export function openIdProvider(settings: OpenIdSettings): OpenIdProvider {
  let known: { configuration: Promise<client.Configuration>; at: number } | null = null
  const configuration = () => {
    if (!known || Date.now() - known.at > REDISCOVER_MS) {
      const found = discover(settings)
      known = { configuration: found, at: Date.now() }
      // A failed look-up is not kept: the next person asks again.
      found.catch(() => (known = null))
    }
    return known.configuration
  }
  return {
    begin: (redirectUri, state) =>
      told(async () => {
        const journey = { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() }
        const challenge = await client.calculatePKCECodeChallenge(journey.verifier)
        const url = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce: journey.nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        })
        return { url: url.href, journey }
      }),
    finish: (callback, state, { verifier, nonce }) =>
      told(async () => {
        const tokens = await client.authorizationCodeGrant(await configuration(), callback, {
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          expectedState: state,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('no ID token')
        // Providers may keep the address out of the ID token (OpenID Connect Core 5.4).
        const more =
          claims['email'] === undefined && (await configuration()).serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(await configuration(), tokens.access_token, claims.sub)
            : {}
        return personOf({ ...claims, ...more })
      }),
  }
}

function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> {
  const url = new URL(issuer)
  const isLaboratory = url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  return client.discovery(url, clientId, clientSecret, undefined, {
    timeout: 10,
    ...(isLaboratory ? { execute: [client.allowInsecureRequests] } : {}),
  })
}

function personOf(claims: Record<string, unknown>): OpenIdPerson {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  const [first = '', ...rest] = text('name').split(/\s+/)
  return {
    issuer: text('iss'),
    subject: text('sub'),
    email: text('email').toLowerCase() || null,
    emailVerified: claims['email_verified'] === true,
    firstName: text('given_name') || first,
    lastName: text('family_name') || rest.join(' '),
  }
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const words = wordsOf(error)
    throw new OpenIdRefusal(
      words.some((word) => WRONG_CLIENT.has(word))
        ? 'wrong-client'
        : words.some((word) => NO_ANSWER.has(word)) || error instanceof TypeError
          ? 'no-answer'
          : 'wrong-answer',
      error,
    )
  }
}

/** Every `error` and `code` along the chain of causes. */
function wordsOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { error: word, code, cause } = error as { error?: unknown; code?: unknown; cause?: unknown }
  return [...[word, code].filter((one) => typeof one === 'string'), ...wordsOf(cause)]
}
