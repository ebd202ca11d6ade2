import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  LIMITS,
  type EdgeSite,
  type SignedUrls,
  type StreamBalance,
  byoCdnKeys,
  liveStreams,
  signedUrls,
  streamAssets,
  streamBalancers,
} from '@fairway/contract'
import { CLOUDFRONT_REFUSALS, KEY_FILE, TOKEN_REFUSALS, cannedPolicy, cloudfrontScript } from '@fairway/domain'
import { CLOUDFRONT_VALUES, type VendorUnderTest, startFakeCloudfront } from '@fairway/drivers/testing'
import { streamHost, streamOrigin } from '@fairway/platform'
import { type ApiUnderTest, startApiUnderTest } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { createKey, get, inspect, placeCloudfront, removeCloudfront, removeKey, set } = signedUrls.routes

let api: ApiUnderTest
let vendor: VendorUnderTest
before(async () => {
  vendor = await startFakeCloudfront()
  api = await startApiUnderTest({ FAIRWAY_CDN_API_URLS: `cloudfront=${vendor.url}` })
  await sql(`INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ('test', true, now() + interval '1 hour')`)
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

const sql = <T extends object>(text: string, values: unknown[] = []) =>
  api.database.system((tx) => tx.query<T>(text, values))
const newClient = () => api.newClient({ planId: 'enterprise' })
type Client = Awaited<ReturnType<typeof newClient>>

async function aFilm({ organizationId }: Client, name = 'film.mp4'): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO stream_asset (organization_id, name, size, created_by, is_playable, has_poster, state) VALUES ($1, $2, 1, 'x', true, true, 'ready') RETURNING id`,
    [organizationId, name],
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

/** A customer with its own key for CloudFront. */
async function withAccount() {
  const client = await newClient()
  const key = await client.call(byoCdnKeys.routes.create, {
    platform: 'cloudfront',
    name: 'Our account',
    values: CLOUDFRONT_VALUES,
  })
  const { accounts } = await client.call(get, {})
  return { client, key: key.id, cdnId: accounts[0]?.cdnId ?? '' }
}
const soon = () => sql('UPDATE stream_cloudfront SET due_at = now(), leased_until = NULL')
const atCloudfront = (client: Client, isAsWanted: (videos: SignedUrls['cloudfront']) => boolean) =>
  until(async () => {
    await soon()
    return isAsWanted((await client.call(get, {})).cloudfront)
  })

test('RSA keys are for CloudFront alone: the edge gets none, and signing is not switched on with nothing else', async () => {
  const client = await newClient()
  await aFilm(client)
  const { data, privateKey } = await client.call(createKey, { kind: 'rsa-2048' })
  assert.deepEqual([data.kind, data.keyPairId], ['rsa-2048', null])
  const key = crypto.createPrivateKey(privateKey ?? '')
  assert.deepEqual([key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength], ['rsa', 2048])
  assert.equal((await client.refusal(set, { on: true })).code, 34002)
  const { data: own } = await client.call(createKey, {})
  await client.call(set, { on: true })
  await until(async () => (await published(client))?.on === true)
  assert.deepEqual(
    (await published(client))?.keys.map(({ id }) => id),
    [own.keyId],
  )
  assert.equal((await client.refusal(removeKey, { id: own.id })).code, 34002)
  // A token that names it is signed by no key that the edge has.
  const claims = { host: streamHost(api.config, client.organizationId), path: '/a/', exp: inSeconds(600) }
  const url = `${streamOrigin(api.config, client.organizationId)}/a/x.m3u8?token=${tokenOf(crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), data.keyId, claims)}`
  assert.equal((await client.call(inspect, { url })).refusal, 'key-unknown')
  await client.call(removeKey, { id: data.id })
  const pem = (bits: number) =>
    crypto
      .generateKeyPairSync('rsa', { modulusLength: bits })
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString()
  const publicKey = pem(2048)
  assert.equal((await client.call(createKey, { kind: 'rsa-2048', publicKey })).data.isOwn, true)
  for (const wrong of [pem(1024), own.publicKey, publicKey.replace('M', 'N')])
    assert.deepEqual((await client.refusal(createKey, { kind: 'rsa-2048', publicKey: wrong })).fields, [
      { path: 'publicKey', message: 'validation.signingKeyRsa' },
    ])
  for (const kind of ['ecdsa-p256', 'rsa-2048'] as const)
    while ((await client.call(get, {})).keys.length < LIMITS.signingKeys) await client.call(createKey, { kind })
  assert.equal((await client.refusal(createKey, { kind: 'rsa-2048' })).code, 34001)
})

test('a distribution in the own account trusts the RSA keys, fetches with a path of its own, and leaves nothing', async () => {
  vendor.mood.at = 'hesitate'
  const { client, key, cdnId } = await withAccount()
  const other = await withAccount()
  await aFilm(client)
  assert.equal((await client.refusal(placeCloudfront, { cdnId })).code, 34002)
  const { data: rsa } = await client.call(createKey, { kind: 'rsa-2048' })
  for (const wrong of [other.cdnId, 'edge', 'x'])
    assert.equal((await client.refusal(placeCloudfront, { cdnId: wrong })).code, 400)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(placeCloudfront, { cdnId })).code, 403)
  assert.equal((await viewer.refusal(removeCloudfront, {})).code, 403)
  assert.equal((await client.refusal(removeCloudfront, {})).code, 404)
  assert.equal((await client.call(placeCloudfront, { cdnId })).cloudfront?.state, 'setting-up')
  await atCloudfront(client, (videos) => /^d\w+\.cloudfront\.net$/.test(videos?.host ?? ''))
  assert.equal((await client.call(get, {})).cloudfront?.state, 'setting-up')
  vendor.mood.at = 'comply'
  await atCloudfront(client, (videos) => videos?.state === 'live')
  assert.equal((await other.client.call(get, {})).cloudfront, null)
  assert.match((await client.call(get, {})).keys[0]?.keyPairId ?? '', /^K[0-9A-Z]+$/)
  // What lets it in at the edge is of a grant that the edge knows, and opens every video.
  const [{ grant_id: grant } = { grant_id: '' }] = await sql<{ grant_id: string }>(
    'SELECT grant_id FROM stream_cloudfront WHERE organization_id = $1',
    [client.organizationId],
  )
  await until(async () => (await published(client))?.vendors?.join() === grant)
  assert.ok(JSON.stringify(vendor.settings()).includes(`"OriginPath":"/t/0.4102444799.${grant}.-.`))
  assert.ok(!JSON.stringify(await client.call(get, {})).includes(grant))
  // A video that is removed is forgotten there by itself, whatever the next look would be.
  const film = await aFilm(client, 'old.mp4')
  await sql('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [film])
  await until(async () => vendor.purges().includes(`/${film}/*`))
  // Nobody is steered there, for whoever came would have no signature.
  const host = (await client.call(get, {})).cloudfront?.host ?? ''
  const steered = {
    source: 'assets',
    isOn: true,
    mode: 'weights',
    entries: [{ cdnId, host, weight: 1, enabled: true }],
  } as const
  assert.deepEqual(
    (await client.refusal(streamBalancers.routes.set, { ...steered, entries: [...steered.entries] })).fields,
    [{ path: 'entries.0.host', message: 'validation.signedHost' }],
  )
  // Neither its last key nor the account goes while it is there; a second key is told to CloudFront too.
  assert.equal((await client.refusal(removeKey, { id: rsa.id })).code, 34002)
  assert.equal((await client.refusal(byoCdnKeys.routes.remove, { id: key })).code, 8492)
  const { data: next } = await client.call(createKey, { kind: 'rsa-2048' })
  await until(async () => {
    await soon()
    return (await client.call(get, {})).keys.every(({ keyPairId }) => keyPairId !== null)
  })
  await client.call(removeKey, { id: rsa.id })
  const own = () =>
    vendor.things().filter((thing) => thing.includes(streamHost(api.config, client.organizationId).slice(0, 16)))
  await until(async () => {
    await soon()
    return own().some((thing) => thing.endsWith(next.keyId)) && !own().some((thing) => thing.endsWith(rsa.keyId))
  })
  assert.equal((await client.call(removeCloudfront, {})).cloudfront?.state, 'removing')
  assert.equal((await client.refusal(placeCloudfront, { cdnId })).code, 400)
  await until(async () => (await published(client))?.vendors === undefined)
  await atCloudfront(client, (videos) => videos === null)
  assert.deepEqual(own(), [])
  assert.equal((await client.call(get, {})).keys[0]?.keyPairId, null)
  await client.call(byoCdnKeys.routes.remove, { id: key })
  const entries = await sql<{ action: string }>('SELECT action FROM audit_log WHERE organization_id = $1', [
    client.organizationId,
  ])
  for (const action of ['signed-urls.place-cloudfront', 'signed-urls.remove-cloudfront'])
    assert.equal(entries.filter((entry) => entry.action === action).length, 1, action)
  assert.deepEqual(vendor.refused, [])
})

test('what CloudFront says no to stands beside the distribution, and it goes on by itself', async () => {
  vendor.mood.at = 'comply'
  const { client, cdnId } = await withAccount()
  await client.call(createKey, { kind: 'rsa-2048' })
  vendor.weather.busy = 1
  await client.call(placeCloudfront, { cdnId })
  await until(async () => ((await client.call(get, {})).cloudfront?.problem ?? '').includes('CloudFront'))
  await atCloudfront(client, (videos) => videos?.state === 'live' && videos.problem === null)
})

test('the inspector reads addresses of CloudFront, with a policy of their own or a canned one, in every language', async () => {
  vendor.mood.at = 'comply'
  const { client, cdnId } = await withAccount()
  const film = await aFilm(client)
  const { privateKey } = await client.call(createKey, { kind: 'rsa-2048' })
  await client.call(placeCloudfront, { cdnId })
  await atCloudfront(client, (videos) => videos?.state === 'live')
  const { cloudfront, keys } = await client.call(get, {})
  const [origin, keyPairId] = [`https://${cloudfront?.host}`, keys[0]?.keyPairId ?? '']
  const folder = `/${film}/`
  const said = (url: string, more: object = {}) => client.call(inspect, { url, ...more })
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-scripts-'))
  fs.writeFileSync(path.join(home, KEY_FILE), privateKey ?? '')
  const asks = { node: ['-v'], python: ['-c', 'import cryptography'], php: ['--version'], go: ['version'] }
  for (const language of ['node', 'python', 'php', 'go'] as const) {
    const script = cloudfrontScript(language, { keyPairId, origin, folder, file: 'master.m3u8' })
    const [program = '', ...words] = script.command.split(' ')
    if (spawnSync(program, asks[language]).status !== 0) continue
    fs.writeFileSync(path.join(home, script.file), script.text)
    const url = execFileSync(program, words, { cwd: home, encoding: 'utf8' }).trim()
    const right = await said(url)
    assert.deepEqual([right.kind, right.refusal, right.isOwnHost, right.keyId], ['cloudfront', null, true, keyPairId])
    assert.equal(right.claims?.path, `${origin}${folder}*`)
    // The same signature goes on to the segments, and to nothing of another video.
    assert.equal((await said(url.replace('master.m3u8', 'v720-1/s1.m4s'))).refusal, null)
    assert.equal((await said(url.replace(film, crypto.randomUUID()))).refusal, 'cloudfront-resource')
  }
  fs.rmSync(home, { recursive: true })

  const safe = (bytes: Buffer) =>
    bytes.toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~')
  const signed = (text: string) => safe(crypto.sign('sha1', Buffer.from(text), privateKey ?? ''))
  const at = `${origin}${folder}master.m3u8`
  const custom = (condition: object, more: object = {}) => {
    const text = JSON.stringify({ Statement: [{ Resource: `${origin}${folder}*`, Condition: condition, ...more }] })
    return `${at}?Policy=${safe(Buffer.from(text))}&Signature=${signed(text)}&Key-Pair-Id=${keyPairId}`
  }
  const end = { DateLessThan: { 'AWS:EpochTime': inSeconds(600) } }
  const canned = (until: number, on = at) =>
    `${on}${on.includes('?') ? '&' : '?'}Expires=${until}&Signature=${signed(cannedPolicy(on, until))}&Key-Pair-Id=${keyPairId}`
  assert.equal((await said(canned(inSeconds(600)))).refusal, null)
  assert.equal((await said(canned(inSeconds(600), `${at}?size=1`))).refusal, null)
  const cases: [string, string, object?][] = [
    ['cloudfront-parameters', `${custom(end)}&Expires=1`],
    ['cloudfront-key-unknown', custom(end).replace(keyPairId, 'KSOMEBODYELSE')],
    ['cloudfront-policy', custom({ ...end, Country: 'TW' })],
    ['cloudfront-signature', canned(inSeconds(600)).replace('master', 'plain')],
    ['cloudfront-resource', custom(end).replace(film, crypto.randomUUID())],
    ['not-yet-valid', custom({ ...end, DateGreaterThan: { 'AWS:EpochTime': inSeconds(300) } })],
    ['expired', canned(inSeconds(-1))],
    ['address-refused', custom({ ...end, IpAddress: { 'AWS:SourceIp': '192.0.2.0/24' } }), { address: '198.51.100.7' }],
  ]
  assert.deepEqual(
    cases.map(([check]) => check),
    [...CLOUDFRONT_REFUSALS],
  )
  for (const [refusal, url, more] of cases) {
    const answer = await said(url, more)
    assert.equal(answer.refusal, refusal)
    assert.equal(answer.checks.find(({ state }) => state === 'failed')?.check, refusal)
  }
  assert.equal(
    (await said(custom({ ...end, IpAddress: { 'AWS:SourceIp': '192.0.2.0/24' } }), { address: '192.0.2.9' })).refusal,
    null,
  )
})
