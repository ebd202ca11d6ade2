import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { auth } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest({ FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' })))
after(() => api[Symbol.asyncDispose]())

const HOST = 'console.example.test'
const sha256 = (data: Buffer | string) => crypto.createHash('sha256').update(data).digest()

/** An authenticator with one key, made for a host name: signs whatever page asks a browser for it. */
async function newAuthenticator(): Promise<(challenge: string, origin: string) => Record<string, unknown>> {
  const { email } = await api.newClient()
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE_Key of ES256 (RFC 9053 §7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const id = crypto.randomBytes(16).toString('base64url')
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO passkey (organization_id, user_id, credential_id, public_key, counter, transports, name, relying_party, backed_up) SELECT organization_id, id, $2, $3, 0, '{}', 'Key', $4, false FROM app_user WHERE email = $1`,
      [email, id, cose, HOST],
    ),
  )
  return (challenge, origin) => {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
    // User present and verified, counter 0.
    const data = Buffer.concat([sha256(HOST), Buffer.from('0500000000', 'hex')])
    const signature = crypto.sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    }
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}

async function post(path: string, host: string, body: object): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(new URL(path, api.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': host },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

test('a passkey signs in where it was made, and not by way of a page below that name', async () => {
  const sign = await newAuthenticator()
  const signIn = async (host: string) => {
    const { body } = await post(auth.routes.passkeyOptions.path, HOST, {})
    const { ceremony, options } = body as { ceremony: string; options: { challenge: string } }
    return post(auth.routes.passkey.path, host, {
      ceremony,
      response: sign(options.challenge, `http://${host}`),
      remember: false,
    })
  }
  assert.equal((await signIn(HOST)).status, 200)
  const relayed = await signIn(`evil.${HOST}`)
  assert.equal((relayed.body as { meta: { code: number } }).meta.code, 1575)
})
