import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, interactionPolicy } from 'oidc-provider'

export type Person = { sub: string; email: string; email_verified: boolean; given_name: string; family_name: string }

export type ProviderUnderTest = AsyncDisposable & {
  issuer: string
  people: Map<string, Person>
  client: { id: string; secret: string }
}

/**
 * A certified OpenID provider in this process. Whoever comes with the cookie `who` is that person, and agrees to
 * everything.
 */
export async function startOpenIdProvider(redirectUris: string[]): Promise<ProviderUnderTest> {
  const client = { id: 'fairway', secret: 'not-a-secret-outside-of-tests' }
  const people = new Map<string, Person>()
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Its own log-in page is not what is under test: the person is taken from a cookie, and consent is given.
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    interactions: { policy, url: (_, interaction) => `/choose/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/choose/')) return void answer(request, response)
    const who = /who=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    void provider.interactionFinished(request, response, { login: { accountId: who } })
  })
  return {
    issuer,
    people,
    client,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/**
 * What a browser does at the provider: follows it from the address we sent it to, back to the console's. Answers the
 * address it comes back to.
 */
export async function signInAt(startUrl: string, who: string): Promise<URL> {
  const cookies = new Map([['who', who]])
  let at = new URL(startUrl)
  for (let hop = 0; hop < 10; hop++) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    await response.arrayBuffer()
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const next = new URL(response.headers.get('location') ?? '', at)
    if (next.pathname === '/oauth/google-callback') return next
    at = next
  }
  throw new Error('the provider does not send back')
}
