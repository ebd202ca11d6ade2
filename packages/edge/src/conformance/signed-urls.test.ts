import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { EdgeSigning } from '@fairway/contract'
import { KEY_FILE, macTextOf, pathTokenText, signScript } from '@fairway/domain'
import { pathTokenMac } from '@fairway/platform'
import { readLogLine } from '../requests/log-line.ts'
import {
  type Answer,
  type EdgeUnderTest,
  eventually,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from '../testing/edge-under-test.ts'

const HOST = '0123456789abcdef.stream.localhost'
const FILM = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'
const MASTER = `/${FILM}/master.m3u8`

type Signer = { id: string; privateKey: crypto.KeyObject; publicKey: string }
function newSigner(): Signer {
  const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = pair.publicKey.export({ type: 'spki', format: 'der' })
  const id = crypto.createHash('sha256').update(der).digest('hex').slice(0, 16)
  return { id, privateKey: pair.privateKey, publicKey: der.toString('base64') }
}
const [one, two, stranger] = [newSigner(), newSigner(), newSigner()]

let home: string
let edge: EdgeUnderTest
let origin: Origin
let version = 0
before(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Cache-Control', 'public, max-age=60')
    response.end(`file ${request.url}`)
  })
  home = temporaryHome()
  edge = await startEdgeUnderTest(home)
})
after(async () => {
  await Promise.all([edge, origin].map((each) => each?.[Symbol.asyncDispose]()))
  fs.rmSync(home, { recursive: true, force: true })
})

const signing = (on: boolean, ...signers: Signer[]): EdgeSigning => ({
  on,
  keys: signers.map(({ id, publicKey }) => ({ id, publicKey })),
})
async function serve(wanted: EdgeSigning): Promise<void> {
  version += 1
  await edge.publish(
    siteOf('stream:org-1', version, [
      {
        host: HOST,
        origin: origin.origin(),
        cache: { enabled: true, defaultTtlSeconds: 0, honorOrigin: true, everything: true, ignoreQuery: true },
        signing: wanted,
      },
    ]),
  )
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const seconds = (from: number) => Math.floor(Date.now() / 1000) + from
function token(claims: object = {}, { by = one, header = {} }: { by?: Signer; header?: object } = {}): string {
  const text = `${encoded({ alg: 'ES256', typ: 'JWT', kid: by.id, ...header })}.${encoded({ host: HOST, path: `/${FILM}/`, exp: seconds(600), ...claims })}`
  const signature = crypto.sign('sha256', Buffer.from(text), { key: by.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const VISITOR = '203.0.113.9'
const get = (target: string, headers: Record<string, string> = {}): Promise<Answer> =>
  edge.get(HOST, target, { headers: { 'x-forwarded-for': VISITOR, ...headers } })
const signed = (claims: object = {}, options?: Parameters<typeof token>[1]) =>
  get(`${MASTER}?token=${token(claims, options)}`)
/** Folder of the path token that a player goes on with. */
async function folderOf(claims: object = {}, options?: Parameters<typeof token>[1]): Promise<string> {
  const { status, headers } = await signed(claims, options)
  assert.equal(status, 302)
  const { pathname, search } = new URL(headers.location ?? '')
  assert.equal(search, '')
  assert.ok(pathname.endsWith(MASTER))
  return pathname.slice(0, -MASTER.length)
}

test('who has a token is led to a path that plays; who has none is refused, and all share one cache', async () => {
  await serve(signing(true, one))
  const refused = await get(MASTER)
  assert.equal(refused.status, 403)
  assert.equal(refused.headers['access-control-allow-origin'], '*')
  assert.equal(refused.headers['cache-control'], 'no-store')
  const led = await signed()
  assert.deepEqual(
    [
      led.status,
      led.headers['access-control-allow-origin'],
      led.headers['referrer-policy'],
      led.headers['cache-control'],
    ],
    [302, '*', 'no-referrer', 'no-store'],
  )
  const withPort = await get(`${MASTER}?token=${token()}`, { host: `${HOST}:8080` })
  assert.equal(new URL(withPort.headers.location ?? '').port, '8080')
  const before = origin.asked.length
  const [mine, yours] = [await folderOf(), await folderOf({ exp: seconds(900) })]
  assert.notEqual(mine, yours)
  for (const [folder, cached] of [
    [mine, 'MISS'],
    [yours, 'HIT'],
  ] as const) {
    const answer = await get(`${folder}/${FILM}/v720-1/s1.m4s`)
    assert.deepEqual(
      [answer.status, answer.text, answer.headers['x-cache']],
      [200, `file /${FILM}/v720-1/s1.m4s`, cached],
    )
  }
  assert.deepEqual(
    origin.asked.slice(before).map(({ url }) => url),
    [`/${FILM}/v720-1/s1.m4s`],
  )
})

test('the player and its pages are open to all, a token that they carry goes nowhere, and nothing else is opened by them', async () => {
  await serve(signing(true, one))
  const before = origin.asked.length
  for (const open of ['/player/v1.js', `/embed/${FILM}`]) assert.equal((await get(open)).status, 200, open)
  assert.equal((await get(`/embed/${FILM}?title=x&token=${token()}`)).status, 200)
  assert.deepEqual(
    origin.asked.slice(before).map(({ url }) => url),
    ['/player/v1.js', `/embed/${FILM}`],
  )
  for (const way of [
    `/player/..${MASTER}`,
    `/player/%2e%2e${MASTER}`,
    `/embed/..%2f${FILM}/master.m3u8`,
    `//player/..${MASTER}`,
    `/PLAYER${MASTER}`,
    `/playerx${MASTER}`,
  ])
    assert.equal((await get(way)).status, 403, way)
})

test('a token is refused for each of its reasons', async () => {
  await serve(signing(true, one))
  const whole = token()
  const [header = '', payload = '', signature = ''] = whole.split('.')
  const flipped = `${signature.slice(0, 10)}${signature[10] === 'A' ? 'B' : 'A'}${signature.slice(11)}`
  const none = `${encoded({ alg: 'none', kid: one.id })}.${payload}.${signature}`
  const mac = crypto.createHmac('sha256', one.publicKey).update(`${header}.${payload}`).digest('base64url')
  const bad: Record<string, string> = {
    'two tokens': `${whole}&token=${whole}`,
    'no token': 'abc',
    'another part': `${whole}.x`,
    'no base64url': `${header}.${payload}.${'*'.repeat(86)}`,
    'too long': token({ jti: 'x'.repeat(3_000) }),
    'what must be understood': token({}, { header: { crit: ['exp'] } }),
    'no algorithm': none,
    'the public key as a secret': `${encoded({ alg: 'HS256', kid: one.id })}.${payload}.${mac}`,
    'another key': token({}, { by: stranger }),
    'another key under a known name': token({}, { by: { ...stranger, id: one.id } }),
    'a bit of the signature': `${header}.${payload}.${flipped}`,
    'zeros for a signature': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'other claims': `${header}.${encoded({ host: HOST, path: '/', exp: seconds(600) })}.${signature}`,
    'an unknown claim': token({ adresses: ['203.0.113.9'] }),
    'no end': token({ exp: undefined }),
    'an end in words': token({ exp: '2099-01-01' }),
    nobody: token({ countries: [] }),
    'another host': token({ host: 'other.stream.localhost' }),
    'another folder': token({ path: `/${OTHER}/` }),
    'a part of a folder': token({ path: `/${FILM.slice(0, 8)}` }),
    'not yet': token({ nbf: seconds(60) }),
    'no more': token({ exp: seconds(-1) }),
    'another address': token({ addresses: ['198.51.100.0/24', '2001:db8::/32'] }),
    'another page': token({ referrers: ['www.example.com'] }),
  }
  for (const [why, text] of Object.entries(bad)) assert.equal((await get(`${MASTER}?token=${text}`)).status, 403, why)
  assert.equal((await signed({ path: '/' })).status, 302)
  assert.equal((await signed({ nbf: seconds(-5), iat: seconds(-5), jti: 'x' })).status, 302)
})

test('addresses, countries and pages are held against the visitor, and the first two bind what follows', async () => {
  await serve(signing(true, one))
  assert.equal((await signed({ addresses: ['203.0.113.8/29'] })).status, 302)
  assert.equal((await signed({ addresses: ['203.0.113.10/31'] })).status, 403)
  const german = '80.147.0.1'
  const from = (address: string, countries: string[]) =>
    get(`${MASTER}?token=${token({ countries })}`, { 'x-forwarded-for': address })
  await eventually(async () => assert.equal((await from(german, ['FR', 'DE'])).status, 302))
  assert.equal((await from(german, ['TW'])).status, 403)
  assert.equal((await from('127.0.0.1', ['DE'])).status, 403)
  const page = (referer: string, ...referrers: string[]) => get(`${MASTER}?token=${token({ referrers })}`, { referer })
  assert.equal((await page('https://www.example.com/film?x', 'www.example.com')).status, 302)
  assert.equal((await page('https://a.example.com:8443', '*.example.com')).status, 302)
  for (const wrong of [
    'https://example.com.evil.test/',
    'https://evil.test/www.example.com',
    'https://www.example.com@evil.test/',
    'https://evil.test#@www.example.com',
    'https://evilexample.com/',
    '',
  ])
    assert.equal((await page(wrong, 'www.example.com', '*.example.com')).status, 403, wrong)
  const near = await folderOf({ addresses: ['203.0.113.0/24'] })
  assert.equal((await get(`${near}${MASTER}`)).status, 200)
  assert.equal((await get(`${near}${MASTER}`, { 'x-forwarded-for': '198.51.100.1' })).status, 403)
  const far = await folderOf()
  assert.equal((await get(`${far}${MASTER}`, { 'x-forwarded-for': '198.51.100.1' })).status, 200)
})

test('no way of writing a path leads out of the folder that was signed', async () => {
  await serve(signing(true, one))
  const folder = await folderOf()
  for (const wrong of [
    `${folder}/${OTHER}/master.m3u8`,
    `${folder}/${FILM}/../${OTHER}/master.m3u8`,
    `${folder}/${FILM}/%2e%2e/${OTHER}/master.m3u8`,
    `${folder}/${FILM}/..%2f${OTHER}/master.m3u8`,
    `${folder}/${FILM}%2f..%2f${OTHER}/master.m3u8`,
    `${folder}//${OTHER}/master.m3u8`,
    `${folder}/${FILM}/./../${OTHER}/master.m3u8`,
    `${folder}/../${OTHER}/master.m3u8`,
    `/t/../${OTHER}/master.m3u8`,
    `/t/x/../../${OTHER}/master.m3u8`,
    `${folder}/t/x/${OTHER}/master.m3u8`,
    `/T${folder.slice(2)}${MASTER}`,
    `${folder}/${FILM.toUpperCase()}x/master.m3u8`,
    `${folder.slice(0, -1)}${folder.endsWith('0') ? '1' : '0'}${MASTER}`,
    `${folder.replace('/t/1.', '/t/0.')}/${OTHER}/master.m3u8`,
    `${folder.replace(/\.\d{10}\./, '.4000000000.')}${MASTER}`,
    `${folder.replace(one.id, '')}${MASTER}`,
    `/t/${MASTER}`,
    '/t/',
    '/t',
    '/',
    `//${FILM}/master.m3u8`,
  ])
    assert.equal((await get(wrong)).status, 403, wrong)
  const entry = `?token=${token()}`
  for (const wrong of [
    `/${FILM}/../${OTHER}/master.m3u8`,
    `/${FILM}/%2e%2e/${OTHER}/master.m3u8`,
    `/${FILM}/..%2f${OTHER}/master.m3u8`,
    `//${OTHER}/master.m3u8`,
    `/${OTHER}/master.m3u8`,
    `/${FILM.slice(0, -1)}/master.m3u8`,
  ])
    assert.equal((await get(`${wrong}${entry}`)).status, 403, wrong)
  // Written otherwise and the same: what is served is what was checked.
  const same = await get(`${folder}/x/../${FILM}/./a%31.m4s`)
  assert.deepEqual([same.status, same.text], [200, `file /${FILM}/a1.m4s`])
})

test('a token reaches neither origin nor log, in whatever way a request ends', async () => {
  await serve(signing(true, one))
  const text = token()
  const folder = await folderOf()
  const before = origin.asked.length
  await get(`${MASTER}?token=${text}`)
  await get(`${folder}/${FILM}/seg.m4s?token=${text}`)
  await edge.get(HOST, `${folder}${MASTER}`, { method: 'TRACE' })
  await edge.get(HOST, `${folder}${MASTER}?${'x'.repeat(9_000)}`)
  await get(`/t/${text}${MASTER}`)
  await serve(signing(false, one))
  assert.equal((await get(`/${FILM}/open.m4s?token=${text}`)).status, 200)
  assert.equal((await get(`${folder}/${FILM}/going-on.m4s`)).status, 200)
  for (const { url, headers } of origin.asked.slice(before))
    assert.doesNotMatch(`${url} ${JSON.stringify(headers)}`, /token|\/t\/|eyJ/)
  const log = await eventually(() => {
    const said = fs.readFileSync(edge.agent.layout.requestLog, 'utf8')
    // Each worker writes its own lines, when it has some.
    for (const file of ['seg', 'going-on', 'open'])
      assert.ok(
        said.split('\n').some((line) => readLogLine(line)?.path === `/${FILM}/${file}.m4s`),
        file,
      )
    return said
  })
  assert.deepEqual(
    log.split('\n').filter((line) => /eyJ|\/t\/[\d.]|token=/.test(line)),
    [],
  )
  assert.doesNotMatch(JSON.stringify(edge.log.lines), /eyJ|\/t\/[\d.]/)
})

test('while keys are changed nobody is interrupted; a key that is taken away opens nothing from then on', async () => {
  await serve(signing(true, one))
  const old = await folderOf()
  let plays = 0
  const isPlayed = () => plays > 10
  const over = new AbortController()
  const players = [1, 2, 3].map(async () => {
    while (!over.signal.aborted) {
      assert.equal((await get(`${old}/${FILM}/s${plays % 7}.m4s`)).status, 200)
      assert.equal((await signed()).status, 302)
      plays += 1
    }
  })
  // However fast keys are taken in, films are played meanwhile.
  for (let i = 0; i < 5 || (!isPlayed() && i < 500); i++) {
    await serve(signing(true, one, two))
    assert.equal((await signed({}, { by: two })).status, 302)
    await serve(signing(true, two, one))
  }
  over.abort()
  await Promise.all(players)
  assert.ok(isPlayed(), `${plays}`)
  const fresh = await folderOf({}, { by: two })
  await serve(signing(true, two))
  assert.equal((await get(`${old}${MASTER}`)).status, 403)
  assert.equal((await signed()).status, 403)
  assert.equal((await get(`${fresh}${MASTER}`)).status, 200)
})

test('a path token opens the same files at every CDN of its owner, goes with its key there too, and nothing of others', async () => {
  const domain = (host: string, wanted: EdgeSigning) => ({
    host,
    origin: origin.origin(),
    cache: { enabled: true, defaultTtlSeconds: 0, honorOrigin: true, everything: true, ignoreQuery: true },
    signing: wanted,
  })
  const [second, foreign] = ['0123456789abcdef.polaris.stream.localhost', 'fedcba9876543210.stream.localhost']
  const publish = async (signer: Signer) => {
    version += 1
    await edge.publish(
      siteOf('stream:org-1', version, [
        domain(HOST, signing(true, signer)),
        domain(second, { ...signing(true, signer), host: HOST }),
        domain(foreign, signing(true, signer)),
      ]),
    )
  }
  await publish(one)
  const folder = await folderOf()
  const at = async (host: string, target = `${folder}/${FILM}/s1.m4s`, from = VISITOR) =>
    (await edge.get(host, target, { headers: { 'x-forwarded-for': from } })).status
  // There and back, since each worker remembers what it has found right.
  for (const host of [HOST, second, HOST, second]) assert.equal(await at(host), 200, host)
  assert.equal(await at(foreign), 403)
  assert.equal(await at(second, `${folder}/${OTHER}/s1.m4s`), 403)
  assert.equal(await at(second, MASTER), 403)
  // A token that is bound to a network is so everywhere.
  const near = `${await folderOf({ addresses: ['203.0.113.0/24'] })}/${FILM}/s1.m4s`
  assert.deepEqual([await at(second, near), await at(second, near, '198.51.100.9')], [200, 403])
  await publish(two)
  for (const host of [HOST, second]) assert.equal(await at(host), 403, host)
})

test('a vendor’s CDN comes in by its grant and by nothing else, and its playlists are asked for as ones of their own', async () => {
  const grant = 'aaaaaaaaaaaaaaaa'
  const pathOf = (keyId: string, folders = 0, prefix = '/') => {
    const of = { folders, until: 4_102_444_799, keyId, isNear: false }
    return `/t/${pathTokenText({ ...of, mac: pathTokenMac(edge.config, macTextOf(of, HOST, prefix, '')) })}`
  }
  await serve({ ...signing(true, one), vendors: [grant] })
  const asked = async (target: string) => {
    const before = origin.asked.length
    const { status } = await get(target)
    return [status, ...origin.asked.slice(before).map(({ url }) => url)]
  }
  const at = pathOf(grant)
  assert.deepEqual(await asked(`${at}/${FILM}/list.m3u8?Policy=x`), [200, `/queried/${FILM}/list.m3u8`])
  assert.deepEqual(await asked(`${at}/${FILM}/manifest.mpd?Policy=x`), [200, `/queried/${FILM}/manifest.mpd`])
  assert.deepEqual(await asked(`${at}/${OTHER}/v720-1/s9.m4s`), [200, `/${OTHER}/v720-1/s9.m4s`])
  // Nobody else’s path token leads to what is written for it, nor does the plain path.
  const own = pathOf(one.id, 1, `/${FILM}/`)
  assert.deepEqual(await asked(`${own}/${FILM}/other.m3u8`), [200, `/${FILM}/other.m3u8`])
  assert.deepEqual(await asked(`/queried/${FILM}/list.m3u8`), [403])
  assert.deepEqual(await asked(`${own}/queried/${FILM}/list.m3u8`), [403])
  for (const wrong of [pathOf('bbbbbbbbbbbbbbbb'), at.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
    assert.deepEqual(await asked(`${wrong}/${FILM}/v720-1/s8.m4s`), [403])
  // With signing off what it asks for stays written for its viewers; without its grant it gets nothing at once.
  await serve({ ...signing(false, one), vendors: [grant] })
  assert.deepEqual(await asked(`${at}/${FILM}/late.m3u8`), [200, `/queried/${FILM}/late.m3u8`])
  await serve(signing(true, one))
  assert.deepEqual(await asked(`${at}/${FILM}/v720-1/s7.m4s`), [403])
})

test('an edge that starts alone goes on as it was told', async () => {
  await serve(signing(true, one))
  const folder = await folderOf()
  await edge[Symbol.asyncDispose]()
  edge = await startEdgeUnderTest(home)
  assert.equal((await get(`${folder}${MASTER}`)).status, 200)
  assert.equal((await get(MASTER)).status, 403)
  assert.equal((await signed()).status, 302)
})

const RUNS = {
  python: ['python3', '-c', 'import cryptography'],
  php: ['php', '--version'],
  go: ['go', 'version'],
  node: ['node', '-v'],
}
for (const language of ['node', 'python', 'php', 'go'] as const) {
  const [program = '', ...ask] = RUNS[language]
  const isThere = spawnSync(program, ask).status === 0
  test(
    `the script in ${language} makes addresses that the edge opens`,
    {
      skip: isThere
        ? false
        : `${program} is not installed here (apt-get install php-cli golang-go python3-cryptography)`,
    },
    async () => {
      await serve(signing(true, one))
      const script = signScript(language, {
        keyId: one.id,
        origin: `http://${HOST}:8080`,
        folder: `/${OTHER}/`,
        file: 'master.m3u8',
      })
      fs.writeFileSync(path.join(home, script.file), script.text)
      fs.writeFileSync(path.join(home, KEY_FILE), one.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const [command = '', ...words] = script.command.split(' ')
      // Numbers of a signature that begin with zeros are shorter.
      for (let i = 0; i < (language === 'go' ? 1 : 20); i++) {
        const said = execFileSync(command, [...words, `/${FILM}/`], { cwd: home, encoding: 'utf8' }).trim()
        const { origin: at, pathname, search } = new URL(said)
        assert.deepEqual([at, pathname], [`http://${HOST}:8080`, MASTER])
        assert.equal((await get(`${pathname}${search}`)).status, 302)
      }
    },
  )
}
