import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { certificates, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { makeCertificate, type Made } from '../../testing/made-certificates.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { checkUpload } from './check-upload.ts'

const { routes } = certificates
const NOW = new Date()
const DAY_MS = 86_400_000
const SITE = 'harbour.example'

const root = makeCertificate({ subject: '/CN=Root', names: [], ca: true, days: 3650 })
const between = makeCertificate({ subject: '/CN=Between', names: [], ca: true, days: 20, issuer: root })
const good = makeCertificate({ names: ['www.harbour.example', 'harbour.example'], days: 60, issuer: between })
const other = makeCertificate()

let api: ApiUnderTest
let owner: Client
let site = ''
before(async () => {
  api = await startApiUnderTest()
  owner = await api.newClient()
  site = (await owner.call(sites.routes.create, { domainName: SITE })).data.id
})
after(() => api[Symbol.asyncDispose]())

const problemOf = (one: Made & { chain?: string }, now = NOW) =>
  checkUpload({ certificate: one.certificate, privateKey: one.privateKey, chain: one.chain ?? '' }, SITE, now).problem

test('every fault of an upload has its code', () => {
  const chain = between.certificate + root.certificate
  assert.equal(problemOf({ ...good, chain }), null)
  assert.equal(
    problemOf({ ...good, certificate: good.certificate + chain }),
    null,
    'the chain may stand in the certificate’s own field',
  )
  assert.equal(problemOf(good), null, 'a chain may be left out')
  assert.equal(problemOf({ ...good, certificate: 'nothing' }), 28008)
  assert.equal(problemOf({ ...good, certificate: good.certificate.replace(/-----END.*/s, '') }), 28008)
  assert.equal(
    problemOf({ ...good, certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }),
    28008,
  )
  assert.equal(
    problemOf({ ...good, privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' }),
    28008,
  )
  assert.equal(problemOf({ ...good, chain: 'nothing' }), 28008)
  // As `openssl req -x509` makes them: signed by itself, and an authority's.
  const selfSigned = (about: Parameters<typeof makeCertificate>[0]) =>
    problemOf(makeCertificate({ ca: true, ...about }))
  assert.equal(selfSigned({ names: ['www.harbour.example'] }), 28021)
  assert.equal(selfSigned({ names: ['www.harbour.example'], key: 'rsa:4096' }), 28010)
  assert.equal(selfSigned({ names: ['www.harbour.example'], key: 'ec' }), 28009)
  assert.equal(selfSigned({ names: ['www.elsewhere.example'] }), 28017)
  assert.equal(selfSigned({ names: Array.from({ length: 99 }, (_, i) => `n${i}.harbour.example`) }), 28014)
  assert.equal(problemOf({ ...good, privateKey: other.privateKey }), 28006)
  assert.equal(problemOf({ ...good, chain: root.certificate }), 28007)
  assert.equal(problemOf({ ...good, chain }, new Date(NOW.getTime() + 61 * DAY_MS)), 28004)
  assert.equal(problemOf({ ...good, chain }, new Date(NOW.getTime() + 21 * DAY_MS)), 28013)
  assert.equal(problemOf(makeCertificate({ key: 'ec' })), 28009)
  assert.equal(problemOf(makeCertificate({ key: 'rsa:3072' })), 28010)
  assert.equal(problemOf(makeCertificate({ key: 'rsa:1024' })), null)
  assert.equal(problemOf(makeCertificate({ subject: '/O=Nobody' })), 28011)
  assert.equal(problemOf(makeCertificate({ names: ['www.elsewhere.example'] })), 28017)
  assert.equal(problemOf(makeCertificate({ names: ['www.elsewhere.example', 'www.harbour.example'] })), null)
  assert.equal(
    problemOf(makeCertificate({ names: Array.from({ length: 99 }, (_, i) => `n${i}.harbour.example`) })),
    28014,
  )
  assert.equal(problemOf(makeCertificate({ names: ['*.harbour.example', 'www.harbour.example'] })), 28015)
  assert.equal(problemOf(makeCertificate({ names: ['*.harbour.example', '*.b.harbour.example'] })), null)
})

test('an upload is checked, kept sealed, published for the edge, told once only, and removed with its key', async () => {
  const upload = { site, certificate: good.certificate, privateKey: good.privateKey, chain: between.certificate }
  const { details, uncovered } = await owner.call(routes.checkUpload, upload)
  assert.deepEqual(
    [details.commonName, details.names, details.issuer, details.publicKey, uncovered],
    ['www.harbour.example', ['www.harbour.example', 'harbour.example'], 'Between', 'RSA 2048', []],
  )
  const wide = makeCertificate({ names: ['www.harbour.example', '*.elsewhere.example', 'xharbour.example'] })
  const { elsewhere } = await owner.call(routes.checkUpload, { site, ...wide, chain: '' })
  assert.deepEqual(elsewhere, ['*.elsewhere.example', 'xharbour.example'])
  const { data, meta } = await owner.call(routes.upload, upload)
  assert.deepEqual([data.type, data.status, typeof meta.version], ['custom-san', 'issuing', 'number'])
  assert.equal((await owner.refusal(routes.upload, upload)).code, 28003)
  const stored = JSON.stringify(await api.database.system((tx) => tx.query('SELECT * FROM certificate')))
  assert.ok(!stored.includes('PRIVATE KEY') && !stored.includes(good.privateKey.slice(40, 100)))
  for (const list of [await owner.call(routes.list, {}), await owner.call(routes.list, { site, search: 'WWW.' })])
    assert.deepEqual(
      list.data.map((one) => one.id),
      [data.id],
    )
  assert.equal((await owner.call(routes.list, { search: 'nothing' })).meta.total, 0)
  assert.ok(!JSON.stringify(await owner.call(routes.get, { id: data.id })).includes('PRIVATE'))
  assert.equal((await owner.refusal(routes.renew, { id: data.id })).code, 28002)
  // Active is what nodes serve; what one of them refuses is told in the list.
  await using edge = startNodeUnderTest(api, 'edge')
  const seen = () => owner.call(routes.list, {}).then((list) => list.data[0])
  await until(async () => (await seen())?.status === 'active')
  edge.refuse('no room')
  const shop = makeCertificate({ names: ['shop.harbour.example'] })
  const second = { site, certificate: shop.certificate, privateKey: shop.privateKey, chain: '' }
  const { data: refused } = await owner.call(routes.upload, second)
  const stuck = await until(async () => {
    const one = await owner.call(routes.get, { id: refused.id })
    return one.problem !== null && one
  })
  assert.deepEqual([stuck.status, stuck.problem, stuck.state], ['inactive', 'node: no room', 'error'])
  edge.refuse(null)
  await owner.call(routes.remove, { id: refused.id })
  await owner.call(routes.remove, { id: data.id })
  assert.equal((await owner.refusal(routes.get, { id: data.id })).code, 404)
  assert.equal((await api.database.system((tx) => tx.query('SELECT FROM certificate'))).length, 0)
})

test('an order needs an authority that is set up, names of the site, and names that there can be', async () => {
  const issue = (names: string[]) => owner.refusal(routes.issue, { site, names, authority: 'lets-encrypt' })
  assert.equal((await issue(['www.harbour.example'])).code, 28018)
  assert.equal((await issue(['www.elsewhere.example'])).code, 28017)
  assert.equal((await issue(['*.harbour.example', 'www.harbour.example'])).code, 28015)
  assert.deepEqual((await issue(['_x.harbour.example'])).fields, [
    { path: 'names.0', message: 'validation.domainName' },
  ])
  assert.equal((await issue(Array.from({ length: 99 }, (_, i) => `n${i}.harbour.example`))).code, 28014)
  assert.deepEqual(
    (await owner.call(routes.authorities, {})).data.map(({ configured }) => configured),
    [false, false],
  )
  const small = await api.newClient({ planId: 'developer' })
  await api.database.system((tx) =>
    tx.query(`UPDATE plan SET ability = array_remove(ability, 'ssl.zeroSSL') WHERE id = 'developer'`),
  )
  const own = (await small.call(sites.routes.create, { domainName: 'small.example' })).data.id
  assert.equal(
    (await small.refusal(routes.issue, { site: own, names: ['small.example'], authority: 'zero-ssl' })).code,
    27005,
  )
})

test('before an order the zone is asked what would stand in its way', async () => {
  const { problems } = await owner.call(routes.precheck, {
    site,
    names: ['www.harbour.example', 'www.elsewhere.example', '_x.harbour.example'],
    authority: 'lets-encrypt',
    challenge: 'dns-01',
  })
  assert.deepEqual(
    problems.map(({ name, problem }) => [name, problem]),
    [
      ['Let’s Encrypt', 'authority-missing'],
      ['www.harbour.example', 'not-verified'],
      ['www.elsewhere.example', 'not-of-site'],
      ['_x.harbour.example', 'bad-name'],
    ],
  )
  const add = (type: string, name: string, value: string) =>
    api.database.system((tx) =>
      tx.query('INSERT INTO dns_record (organization_id, site_id, type, name, value) VALUES ($1, $2, $3, $4, $5)', [
        owner.organizationId,
        site,
        type,
        name,
        value,
      ]),
    )
  await add('CAA', '@', '0 issue "digicert.com"')
  await add('CAA', 'open', '0 issue "letsencrypt.org; validationmethods=dns-01"')
  await add('CNAME', '_acme-challenge.away', 'proofs.elsewhere.example')
  const asked = await owner.call(routes.precheck, {
    site,
    names: ['www.harbour.example', 'x.open.harbour.example', 'away.harbour.example'],
    authority: 'lets-encrypt',
    challenge: 'dns-01',
  })
  assert.deepEqual(
    asked.problems.map(({ name, problem, hint }) => [name, problem, hint]),
    [
      ['Let’s Encrypt', 'authority-missing', null],
      ['www.harbour.example', 'caa', 'harbour.example CAA digicert.com'],
      ['x.open.harbour.example', 'not-verified', null],
      ['away.harbour.example', 'delegated', 'proofs.elsewhere.example'],
    ],
  )
})
