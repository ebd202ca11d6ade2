import crypto from 'node:crypto'
import https from 'node:https'
import type acme from 'acme-client'
import {
  AuthorityAway,
  AuthorityRefusal,
  type AcmeAccount,
  type CertificateAuthority,
  type Challenge,
  type ProofType,
  type RenewalWindow,
} from './authority.ts'
import { renewalIdentifier } from './renewal-identifier.ts'

export type AcmeOptions = {
  directoryUrl: string
  /** Told to the authority for warnings; empty tells none. */
  contact: string
  /** External account binding (RFC 8555 7.3.4), for authorities that ask for one. */
  binding: { keyId: string; hmacKey: string } | null
  /** Roots to trust beside the system's, PEM; for an authority of one's own. */
  trustedRoots: string | null
}

/** Only with the first word to an authority: it is a large part of what a process loads, and most never need it. */
const library = () => (loaded ??= load())
let loaded: Promise<typeof acme> | undefined

/**
 * Its own way to try again keeps a step for over a minute, for hours where the authority says so, and hides why: who
 * steps through an order tries again, and is told.
 */
async function load(): Promise<typeof acme> {
  const { default: client } = await import('acme-client')
  const { request, response } = client.axios.interceptors
  request.clear()
  response.clear()
  response.use((answer) => {
    if (answer.status !== 429 && answer.status < 500) return answer
    const detail = (answer.data as { detail?: unknown } | null)?.detail
    const message = typeof detail === 'string' ? detail : `The authority answered ${answer.status}.`
    throw Object.assign(new Error(message), { response: answer })
  })
  return client
}

/** One call to the authority. */
const CALL_LONGEST_MS = 8_000

/** Any authority that speaks ACME. */
export function acmeAuthority({ directoryUrl, contact, binding, trustedRoots }: AcmeOptions): CertificateAuthority {
  const agent = new https.Agent(trustedRoots ? { ca: trustedRoots } : {})
  const clientOf = async (account: { url?: string; keyPem: string }) => {
    const { axios, Client } = await library()
    // The library's connections share one set of defaults in the process; all authorities of an installation trust the
    // same roots.
    if (trustedRoots) axios.defaults.httpsAgent = agent
    axios.defaults.timeout = CALL_LONGEST_MS
    return new Client({
      directoryUrl,
      accountKey: account.keyPem,
      ...(account.url ? { accountUrl: account.url } : {}),
      backoffAttempts: 1,
      ...(binding ? { externalAccountBinding: { kid: binding.keyId, hmacKey: binding.hmacKey } } : {}),
    })
  }
  /** What an order says of the certificate that it renews (RFC 9773 5), where the authority tells when to. */
  const replaced = async (chainPem: string): Promise<string | null> =>
    typeof (await readJson(directoryUrl, agent)).data['renewalInfo'] === 'string' ? renewalIdentifier(chainPem) : null
  return {
    account: (keyPem) =>
      told(async () => {
        const client = await clientOf({ keyPem })
        await client.createAccount({
          termsOfServiceAgreed: true,
          ...(contact ? { contact: [`mailto:${contact}`] } : {}),
        })
        return { url: client.getAccountUrl(), keyPem }
      }),
    order: <P extends ProofType>(account: AcmeAccount, names: readonly string[], type: P, replaces: string | null) =>
      told(async () => {
        const client = await clientOf(account)
        const order = await newOrder(client, names, replaces === null ? null : await replaced(replaces))
        const challenges = await Promise.all(
          (await client.getAuthorizations(order))
            .filter(({ status }) => status !== 'valid')
            .map(async (authorization) => {
              const challenge = challengeOf(authorization, type)
              const value = await client.getChallengeKeyAuthorization(challenge)
              return challengeToMeet(authorization, challenge, value) as Extract<Challenge, { type: P }>
            }),
        )
        return { url: order.url, challenges }
      }),
    challengesAreMet: (account, orderUrl, type) =>
      told(async () => {
        const client = await clientOf(account)
        for (const authorization of await client.getAuthorizations(await orderAt(client, orderUrl))) {
          if (authorization.status !== 'pending') continue
          const challenge = challengeOf(authorization, type)
          if (challenge.status === 'pending') await client.completeChallenge(challenge)
        }
      }),
    state: (account, orderUrl) =>
      told(async () => {
        const client = await clientOf(account)
        const order = await orderAt(client, orderUrl)
        return { state: order.status, problem: order.status === 'invalid' ? await problemOf(client, order) : null }
      }),
    finalize: (account, orderUrl, names, keyPem) =>
      told(async () => {
        const client = await clientOf(account)
        const [, csr] = await (
          await library()
        ).crypto.createCsr({ commonName: shortest(names), altNames: [...names] }, keyPem)
        // The library waits for the certificate itself unless the order says "processing", which the next look at its
        // state will see.
        await client.finalizeOrder(await orderAt(client, orderUrl), csr)
      }),
    chain: (account, orderUrl) =>
      told(async () => {
        const client = await clientOf(account)
        return client.getCertificate(await orderAt(client, orderUrl))
      }),
    renewalWindow: (chainPem) => told(() => renewalWindow(directoryUrl, chainPem, agent)),
  }
}

/** A new private key for a certificate (ECDSA P-256), PEM. */
export function newCertificateKey(): string {
  return crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
}

/**
 * What a handshake with `acme-tls/1` shows for a challenge of the type tls-alpn-01 (RFC 8737 3), with a key of its own.
 */
export async function challengeCertificate({
  name,
  value,
}: Pick<Challenge, 'name' | 'value'>): Promise<{ cert: string; key: string }> {
  const key = newCertificateKey()
  const authorization = { identifier: { type: 'dns', value: name } } as acme.Authorization
  const [, cert] = await (await library()).crypto.createAlpnCertificate(authorization, value, key)
  return { cert: cert.toString(), key }
}

/** The common name has at most 64 characters; the shortest name fits best. */
const shortest = (names: readonly string[]): string => [...names].sort((a, b) => a.length - b.length)[0] ?? ''

/**
 * An authority that will not hear what an order replaces, since it was replaced before (`alreadyReplaced`) or is none of
 * its own, is asked once without.
 */
async function newOrder(client: acme.Client, names: readonly string[], replaces: string | null): Promise<acme.Order> {
  const order = { identifiers: names.map((value) => ({ type: 'dns', value })) }
  if (replaces === null) return client.createOrder(order)
  try {
    const renewal = { ...order, replaces }
    return await client.createOrder(renewal)
  } catch (error) {
    if (responseOf(error) !== null || UNHEARD.test(error instanceof Error ? error.message : '')) throw error
    return client.createOrder(order)
  }
}

/** The library asks for an order by its address alone. */
const orderAt = (client: acme.Client, url: string) => client.getOrder({ url } as acme.Order)

function challengeOf(authorization: acme.Authorization, wanted: ProofType) {
  const challenge = authorization.challenges.find(({ type }) => type === wanted)
  if (!challenge)
    throw new AuthorityRefusal(
      `The authority offers no challenge of the type ${wanted} for ${authorization.identifier.value}.`,
      { isLimit: false, retryAt: null },
    )
  return challenge
}

function challengeToMeet(
  { identifier }: acme.Authorization,
  { type, token }: { type: string; token: string },
  value: string,
): Challenge {
  if (type === 'tls-alpn-01') return { type, name: identifier.value, value }
  if (type !== 'http-01') return { type: 'dns-01', name: `_acme-challenge.${identifier.value}`, value }
  // It becomes part of an address that we answer.
  if (!/^[\w-]{1,200}$/.test(token))
    throw new AuthorityRefusal(`The authority’s token for ${identifier.value} is no base64url.`, {
      isLimit: false,
      retryAt: null,
    })
  return { type, name: identifier.value, token, value }
}

async function problemOf(client: acme.Client, order: acme.Order): Promise<string> {
  const failed = (await client.getAuthorizations(order)).flatMap((authorization) =>
    authorization.challenges.flatMap(({ error }) =>
      error ? [`${authorization.identifier.value}: ${detailOf(error)}`] : [],
    ),
  )
  return [...new Set(failed)].join('; ') || (order.error ? detailOf(order.error) : 'the authority did not say why')
}

const detailOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'detail' in error ? String(error.detail) : JSON.stringify(error)

async function renewalWindow(
  directoryUrl: string,
  chainPem: string,
  agent: https.Agent,
): Promise<RenewalWindow | null> {
  const { data: directory } = await readJson(directoryUrl, agent)
  const identifier = renewalIdentifier(chainPem)
  const base = directory['renewalInfo']
  if (identifier === null || typeof base !== 'string') return null
  const answer = await readJson(`${base}/${identifier}`, agent)
  const { suggestedWindow } = answer.data as { suggestedWindow?: { start?: string; end?: string } }
  const [start, end] = [Date.parse(suggestedWindow?.start ?? ''), Date.parse(suggestedWindow?.end ?? '')]
  return Number.isFinite(start) && Number.isFinite(end) && end > start
    ? { start, end, askAgainAt: retryAtOf(answer) }
    : null
}

async function readJson(url: string, agent: https.Agent): Promise<Answered & { data: Record<string, unknown> }> {
  const { data, status, headers } = await (
    await library()
  ).axios.get<unknown>(url, { httpsAgent: agent, timeout: CALL_LONGEST_MS })
  if (typeof data !== 'object' || data === null) throw new AuthorityAway(`${url} answered no JSON`)
  return { status, headers: { ...headers }, data: data as Record<string, unknown> }
}

const AWAY = /ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|certificate|socket|timeout/i
const UNHEARD = /ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|socket|timeout|rate ?limit/i

/** Turns the library's errors into ours: the authority's word (a problem document, RFC 7807), or its absence. */
async function told<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AuthorityRefusal || error instanceof AuthorityAway) throw error
    const message = error instanceof Error ? error.message : String(error)
    const response = responseOf(error)
    const isLimit = response?.status === 429 || /rateLimited|rate limit/i.test(message)
    // RFC 8555 6.6 has one type for all limits: which one it was is said in words.
    const isOfAccount = /new orders|from this account/i.test(message)
    if (isLimit) throw new AuthorityRefusal(message, { isLimit: true, retryAt: retryAtOf(response), isOfAccount })
    if ((response === null && AWAY.test(message)) || (response !== null && response.status >= 500))
      throw new AuthorityAway(message)
    throw new AuthorityRefusal(message, { isLimit: false, retryAt: null })
  }
}

type Answered = { status: number; headers: Record<string, unknown> }

function responseOf(error: unknown): Answered | null {
  const response = typeof error === 'object' && error !== null && 'response' in error ? error.response : null
  return typeof response === 'object' && response !== null && 'status' in response ? (response as Answered) : null
}

function retryAtOf(response: Answered | null): number | null {
  const after = response?.headers['retry-after']
  if (typeof after !== 'string') return null
  const at = /^\d+$/.test(after) ? Date.now() + Number(after) * 1000 : Date.parse(after)
  return Number.isFinite(at) ? at : null
}

export type { AcmeAccount }
