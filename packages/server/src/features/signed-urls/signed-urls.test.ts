import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  LIMITS,
  type EdgeSite,
  type StreamBalance,
  liveStreams,
  signedUrls,
  streamAssets,
  streamBalancers,
} from '@fairway/contract'
import { TOKEN_REFUSALS } from '@fairway/domain'
import { streamHost, streamOrigin } from '@fairway/platform'
import { type ApiUnderTest, startApiUnderTest } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { createKey, get, inspect, removeKey, set } = signedUrls.routes

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
  await sql(`INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ('test', true, now() + interval '1 hour')`)
})
after(() => api[Symbol.asyncDispose]())

const sql = <T extends object>(text: string, values: unknown[] = []) =>
  api.database.system((tx) => tx.query<T>(text, values))
const newClient = () => api.newClient({ planId: 'enterprise' })
type Client = Awaited<ReturnType<typeof newClient>>

async function aFilm({ organizationId }: Client): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO stream_asset (organization_id, name, size, created_by, is_playable, has_poster, state) VALUES ($1, 'film.mp4', 1, 'x', true, true, 'ready') RETURNING id`,
    [organizationId],
  )
  return row?.id ?? ''
}
async function published({ organizationId }: Client): Promise<EdgeSite['domains'][number]['signing']> {
  const [row] = await sql<{ body: EdgeSite | null }>(
    `SELECT body FROM publication WHERE kind = 'edge-site' AND key = $1`,
    [`stream:${organizationId}`],
  )
  return row?.body?.domains[0]?.signing
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const inSeconds = (from: number) => Math.floor(Date.now() / 1000) + from
function tokenOf(privateKey: string, keyId: string, claims: object, header: object = {}): string {
  const text = `${encoded({ alg: 'ES256', kid: keyId, ...header })}.${encoded(claims)}`
  const signature = crypto.sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

test('a private key is told once and kept nowhere; a pair that was made elsewhere brings its public half alone', async () => {
  const client = await newClient()
  const { data, privateKey } = await client.call(createKey, {})
  assert.match(privateKey ?? '', /^-----BEGIN PRIVATE KEY-----/)
  assert.deepEqual([data.serial, data.isOwn], [1, false])
  const body = (privateKey ?? '').split('\n')[1] ?? ''
  const kept = JSON.stringify([
    await client.call(get, {}),
    await sql('SELECT * FROM stream_signing_key'),
    await sql('SELECT * FROM audit_log'),
  ])
  assert.ok(!kept.includes(body))
  const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const own = await client.call(createKey, { publicKey })
  assert.deepEqual([own.privateKey, own.data.isOwn, own.data.serial], [null, true, 2])
  assert.equal(own.data.publicKey, publicKey)
  const again = await client.refusal(createKey, { publicKey })
  assert.deepEqual([again.code, again.fields[0]?.message], [400, 'validation.signingKeyKnown'])
  const other = crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (const wrong of [
    pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    other.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicKey.replace('M', 'N'),
    `${publicKey}${publicKey}`,
    'ssh-rsa AAAA',
    '',
  ]) {
    const { code, fields } = await client.refusal(createKey, { publicKey: wrong })
    assert.deepEqual([code, fields[0]?.path], [400, 'publicKey'], wrong)
  }
})

test('there are so many keys at most, a serial number is given once, and the last one stays while signing is on', async () => {
  const client = await newClient()
  assert.equal((await client.refusal(set, { on: true })).code, 34002)
  const made = []
  for (let i = 0; i < LIMITS.signingKeys; i++) made.push((await client.call(createKey, {})).data)
  assert.equal((await client.refusal(createKey, {})).code, 34001)
  const answers = await Promise.allSettled(made.map(({ id }) => client.call(removeKey, { id })))
  assert.ok(answers.every(({ status }) => status === 'fulfilled'))
  const { data } = await client.call(createKey, {})
  assert.equal(data.serial, LIMITS.signingKeys + 1)
  assert.equal((await client.call(set, { on: true })).on, true)
  assert.equal((await client.refusal(removeKey, { id: data.id })).code, 34002)
  // Of the last two, two at once cannot both go.
  const second = (await client.call(createKey, {})).data
  const both = await Promise.allSettled([data, second].map(({ id }) => client.call(removeKey, { id })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal((await client.call(get, {})).keys.length, 1)
  await client.call(set, { on: false })
  const [left] = (await client.call(get, {})).keys
  await client.call(removeKey, { id: left?.id ?? '' })
  assert.deepEqual((await client.call(get, {})).keys, [])
})

test('keys and the switch reach the edge, an audit entry each, and nobody else’s', async () => {
  const client = await newClient()
  const other = await newClient()
  await aFilm(client)
  const { data } = await client.call(createKey, {})
  await client.call(set, { on: true })
  await until(async () => (await published(client))?.on === true)
  const [key] = (await published(client))?.keys ?? []
  assert.equal(key?.id, data.keyId)
  assert.equal(
    crypto.createPublicKey({ key: Buffer.from(key?.publicKey ?? '', 'base64'), format: 'der', type: 'spki' })
      .asymmetricKeyType,
    'ec',
  )
  const { data: next } = await client.call(createKey, {})
  await client.call(removeKey, { id: data.id })
  await until(async () => (await published(client))?.keys.map(({ id }) => id).join() === next.keyId)
  const entries = await sql<{ action: string }>('SELECT action FROM audit_log WHERE organization_id = $1', [
    client.organizationId,
  ])
  for (const action of ['signed-urls.create-key', 'signed-urls.set', 'signed-urls.remove-key'])
    assert.ok(
      entries.some((entry) => entry.action === action),
      action,
    )
  assert.equal((await other.refusal(removeKey, { id: next.id })).code, 404)
  assert.deepEqual((await other.call(get, {})).keys, [])
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.call(get, {})).on, true)
  for (const [route, input] of [
    [set, { on: false }],
    [createKey, {}],
    [removeKey, { id: next.id }],
  ] as const)
    assert.equal((await viewer.refusal(route, input as never)).code, 403)
})

test('the console has addresses of its own that play for some hours; those for pages stay as they are', async () => {
  const client = await newClient()
  const film = await aFilm(client)
  const read = () => client.call(streamAssets.routes.get, { id: film })
  const open = await read()
  assert.deepEqual([open.isSigned, open.preview?.manifestUrl], [false, open.manifestUrl])
  await client.call(createKey, {})
  await client.call(set, { on: true })
  const closed = await read()
  assert.equal(closed.manifestUrl, open.manifestUrl)
  assert.equal(closed.isSigned, true)
  for (const url of [closed.preview?.manifestUrl, closed.preview?.posterUrl]) {
    const said = await client.call(inspect, { url: url ?? '' })
    assert.deepEqual([said.kind, said.refusal, said.keyId], ['path-token', null, ''])
    const late = await client.call(inspect, { url: url ?? '', at: new Date(Date.now() + 13 * 3_600_000).toISOString() })
    assert.equal(late.refusal, 'path-token-expired')
    const elsewhere = (url ?? '').replace(film, crypto.randomUUID())
    assert.equal((await client.call(inspect, { url: elsewhere })).refusal, 'path-token-wrong')
  }
  const { data: live } = await client.call(liveStreams.routes.create, { name: 'Harbour' })
  assert.deepEqual([live.isSigned, live.previewUrl], [true, null])
})

test('the inspector shows each check, and each refusal by its own name', async () => {
  const client = await newClient()
  const film = await aFilm(client)
  const { data, privateKey } = await client.call(createKey, {})
  await client.call(set, { on: true })
  const host = streamHost(api.config, client.organizationId)
  const claims = { host, path: `/${film}/`, exp: inSeconds(600) }
  const address = `${streamOrigin(api.config, client.organizationId)}/${film}/master.m3u8`
  const sign = (more: object = {}, header: object = {}) =>
    tokenOf(privateKey ?? '', data.keyId, { ...claims, ...more }, header)
  const said = async (token: string, more: object = {}) =>
    client.call(inspect, { url: `${address}?token=${token}`, ...more })
  const whole = sign()
  const right = await said(whole)
  assert.equal(right.refusal, null)
  assert.deepEqual([right.on, right.isOwnHost, right.keyId], [true, true, data.keyId])
  assert.equal(right.claims?.path, `/${film}/`)
  assert.deepEqual(
    right.checks.map(({ check, state }) => [check, state]),
    TOKEN_REFUSALS.map((check) => [check, 'passed']),
  )
  const stranger = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const strange = stranger.export({ type: 'pkcs8', format: 'pem' }).toString()
  const cases: [string, string, object?][] = [
    ['token-missing', ''],
    ['token-malformed', 'a.b.c'],
    ['algorithm-refused', sign({}, { alg: 'RS256' })],
    ['key-unknown', sign({}, { kid: '0'.repeat(16) })],
    ['signature-wrong', tokenOf(strange, data.keyId, claims)],
    ['claims-refused', sign({ adresses: [] })],
    ['host-differs', sign({ host: 'other.test' })],
    ['path-outside', sign({ path: '/other/' })],
    ['not-yet-valid', sign({ nbf: inSeconds(300) })],
    ['expired', whole, { at: new Date(Date.now() + 700_000).toISOString() }],
    ['address-refused', sign({ addresses: ['192.0.2.0/24'] }), { address: '198.51.100.7' }],
    ['country-refused', sign({ countries: ['TW'] }), { address: '80.147.0.1' }],
    ['referrer-refused', sign({ referrers: ['www.example.com'] }), { referrer: 'https://evil.test/' }],
  ]
  assert.deepEqual(
    cases.map(([check]) => check),
    [...TOKEN_REFUSALS],
  )
  for (const [refusal, token, more] of cases) {
    const answer = await said(token, more)
    assert.equal(answer.refusal, refusal)
    const at = answer.checks.findIndex(({ check }) => check === refusal)
    assert.ok(answer.checks.slice(0, at).every(({ state }) => state === 'passed'))
    assert.equal(answer.checks[at]?.state, 'failed')
    assert.ok(answer.checks.slice(at + 1).every(({ state }) => state === 'skipped'))
  }
  assert.equal((await said(sign({ countries: ['DE'] }), { address: '80.147.0.1' })).refusal, null)
  assert.equal((await said(sign({ countries: ['DE'] }), { country: 'DE' })).refusal, null)
  assert.equal((await said(sign({ countries: ['DE'] }))).country, null)
  assert.equal(
    (await said(sign({ referrers: ['*.example.com'] }), { referrer: 'https://www.example.com/a' })).refusal,
    null,
  )
  const tricky = await client.call(inspect, {
    url: `${address.replace(`/${film}/`, `/${film}/..%2f${crypto.randomUUID()}/`)}?token=${whole}`,
  })
  assert.equal(tricky.refusal, 'path-outside')
  for (const url of ['', 'ftp://x/', `http://x/${'a'.repeat(4_000)}`, 'http://x/ y', 'javascript:alert(1)'])
    assert.equal((await client.refusal(inspect, { url })).code, 400)
})

test('while signing is on players are steered between the CDNs that check tokens, and the videos are closed at each', async () => {
  const client = await newClient()
  await aFilm(client)
  const entry = { host: null, weight: 50, enabled: true }
  await client.call(streamBalancers.routes.set, {
    source: 'assets',
    isOn: true,
    mode: 'weights',
    entries: [
      ...['edge', 'polaris'].map((cdnId) => ({ cdnId, ...entry })),
      { cdnId: null, weight: 50, enabled: true, host: 'videos.other.example' },
    ],
  })
  const bodyOf = async <T>(kind: string, key: string) =>
    (await sql<{ body: T | null }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [kind, key]))[0]?.body
  const [balancer] = await sql<{ id: string }>('SELECT id FROM stream_balancer WHERE organization_id = $1', [
    client.organizationId,
  ])
  const steered = async () => {
    const body = await bodyOf<StreamBalance>('stream-balance', balancer?.id ?? '')
    return body && { to: body.pathways.map(({ id }) => id), signed: body.signed }
  }
  const all = { to: ['edge', 'polaris', 'videos.other.example'], signed: undefined }
  const polaris = async () =>
    (await bodyOf<EdgeSite>('edge-site', `stream:${client.organizationId}:polaris`))?.domains[0]?.signing?.on
  await until(async () => isDeepStrictEqual(await steered(), all) && (await polaris()) === false)
  await client.call(createKey, {})
  await client.call(set, { on: true })
  const house = { to: ['edge', 'polaris'], signed: true }
  await until(async () => isDeepStrictEqual(await steered(), house) && (await polaris()) === true)
  // A path token of one opens the other.
  const site = await bodyOf<EdgeSite>('edge-site', `stream:${client.organizationId}:polaris`)
  assert.equal(site?.domains[0]?.signing?.host, streamHost(api.config, client.organizationId))
  // What rests is not on its way.
  const { entries } = await client.call(streamBalancers.routes.get, { source: 'assets' })
  assert.deepEqual(
    entries.map(({ state }) => state === 'off'),
    [false, false, true],
  )
  await client.call(set, { on: false })
  await until(async () => isDeepStrictEqual(await steered(), all) && (await polaris()) === false)
})
