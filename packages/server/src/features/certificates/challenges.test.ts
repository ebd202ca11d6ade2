import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cdnManagement, certificates, dnsRecords } from '@fairway/contract'
import type { CertificateAuthority } from '@fairway/drivers'
import { systemVersion } from '../../publish/system-version.ts'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { orderStep } from './order-step.ts'
import { replaceChallenges, type CertificateRow } from './store.ts'

const { get, issue, precheck, remove, renew } = certificates.routes
const authority = 'lets-encrypt' as const

let api: ApiUnderTest
let edge: NodeUnderTest
let dns: NodeUnderTest
before(async () => {
  // An authority that is set up but cannot be asked: orders stay where they begin.
  api = await startApiUnderTest({ FAIRWAY_ACME_LETS_ENCRYPT_URL: 'https://127.0.0.1:1/dir' })
  edge = startNodeUnderTest(api, 'edge')
  dns = startNodeUnderTest(api, 'dns')
})
after(async () => {
  await edge[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const nameserversAre = (site: string, state: 'verified' | 'pending') =>
  api.database.system((tx) => tx.query('UPDATE site SET dns_state = $2 WHERE id = $1', [site, state]))

test('names are proven in DNS where our name servers are asked, else at the edge; wildcards always in DNS', async () => {
  const { client, site, host } = await newSteeredDomain(api)
  const apex = host.slice(4)
  const ordered = async (names: string[], challenge?: 'dns-01' | 'http-01') => {
    const { data } = await client.call(issue, { site, names, authority, ...(challenge ? { challenge } : {}) })
    return [data.challenge, (await client.call(get, { id: data.id })).challenge]
  }
  assert.deepEqual(await ordered([host]), ['http-01', 'http-01'])
  assert.deepEqual(await ordered([apex, `*.${apex}`]), ['dns-01', 'dns-01'])
  assert.deepEqual(await ordered([`a.${apex}`], 'dns-01'), ['dns-01', 'dns-01'])
  await nameserversAre(site, 'verified')
  assert.deepEqual(await ordered([`b.${apex}`]), ['dns-01', 'dns-01'])
  assert.deepEqual(await ordered([`c.${apex}`], 'http-01'), ['http-01', 'http-01'])
  const refused = await client.refusal(issue, { site, names: [`*.${apex}`], authority, challenge: 'http-01' })
  assert.deepEqual(
    [refused.code, refused.fields],
    [400, [{ path: 'challenge', message: 'validation.wildcardNeedsDns' }]],
  )
})

test('before an order over HTTP people hear which names are, or may be, sent past the edge, and which a CAA record binds to DNS', async () => {
  const { client, site, domain, host } = await newSteeredDomain(api)
  const asked = async (challenge?: 'dns-01') => {
    const said = await client.call(precheck, { site, names: [host], authority, ...(challenge ? { challenge } : {}) })
    return [said.challenge, ...said.problems.map(({ problem, hint }) => [problem, hint])]
  }
  assert.deepEqual(await asked(), ['http-01', ['not-at-edge', null]])
  await client.call(cdnManagement.routes.install, { site, domain, cdnId: 'edge' })
  assert.deepEqual(await asked(), ['http-01'])
  const { data: custom } = await client.call(cdnManagement.routes.createPlatform, {
    name: 'Elsewhere',
    cname: 'x.cdn-elsewhere.example',
  })
  await client.call(cdnManagement.routes.install, { site, domain, cdnId: custom.id })
  assert.deepEqual(await asked(), ['http-01', ['other-cdn', 'Elsewhere']])
  await client.call(dnsRecords.routes.create, {
    site,
    type: 'CAA',
    name: '@',
    value: '0 issue "letsencrypt.org; validationmethods=dns-01"',
  })
  assert.deepEqual(await asked(), [
    'http-01',
    ['caa', `${host.slice(4)} CAA letsencrypt.org; validationmethods=dns-01`],
  ])
  assert.deepEqual(await asked('dns-01'), ['dns-01', ['not-verified', null]])
})

test('proofs reach the nodes that answer them, and leave with the order', async () => {
  const { client, site, host } = await newSteeredDomain(api)
  const { data } = await client.call(issue, { site, names: [host], authority })
  const row = { id: data.id, organization_id: client.organizationId, site_id: site }
  await api.database.system(async (tx) => {
    const kinds = await replaceChallenges(tx, row, [
      { type: 'http-01', name: host, token: 'token', value: 'token.print' },
      { type: 'dns-01', name: `_acme-challenge.${host}`, value: 'digest' },
    ])
    assert.deepEqual(kinds.toSorted(), ['dns-zone', 'edge-challenges'])
    await systemVersion(tx, { organizationId: client.organizationId, siteId: site, title: 'Proof', kinds, changes: [] })
  })
  await until(async () => edge.document('edge-challenges', site)?.challenges.length === 1)
  assert.deepEqual(edge.document('edge-challenges', site)?.challenges, [
    { host, token: 'token', keyAuthorization: 'token.print' },
  ])
  const texts = () =>
    dns
      .document('dns-zone', site)
      ?.rrsets.filter(({ type }) => type === 'TXT')
      .map(({ name, rdata }) => [name, ...rdata])
  await until(async () => texts()?.length === 1)
  assert.deepEqual(texts(), [[`_acme-challenge.${host}`, '"digest"']])
  await client.call(remove, { id: data.id })
  await until(async () => edge.document('edge-challenges', site)?.challenges.length === 0 && texts()?.length === 0)
})

test('the authority is asked to look at what it was said to look at, and only when every node has confirmed it', async () => {
  const asked: unknown[] = []
  const authority = {
    challengesAreMet: async (_account, _url, type) => void asked.push(type),
  } as Partial<CertificateAuthority> as CertificateAuthority
  const row = {
    step: 'publish',
    order_url: 'order',
    challenge: 'http-01',
    names: ['www.a.test'],
    attempts: 0,
  } as unknown as CertificateRow
  const step = (isPublished: boolean) =>
    orderStep({
      row,
      proof: { next: 'http-01', current: 'http-01' },
      authority,
      account: async () => ({ url: 'account', keyPem: 'key' }),
      keyPem: 'key',
      isPublished: async () => isPublished,
      detailsOf: () => {
        throw new Error('there is none yet')
      },
      now: new Date(),
    })
  assert.deepEqual([(await step(false)).to, asked], ['stay', []])
  assert.deepEqual([(await step(true)).to, asked], ['validate', ['http-01']])
})

test('28023, 28024: one customer does not use up the orders of all, and what is not served is not ordered', async () => {
  const { client, site, host } = await newSteeredDomain(api)
  const issueOf = (name: string) => ({ site, names: [`${name}.${host}`], authority })
  await client.call(issue, issueOf('one'))
  const set = (sql: string) => api.database.system((tx) => tx.query(sql, [client.organizationId]))
  await set('UPDATE organization SET certificate_orders = 50 WHERE id = $1')
  assert.equal((await client.refusal(issue, issueOf('two'))).code, 28_023)
  await set('UPDATE organization SET certificate_day = current_date - 1 WHERE id = $1')
  await client.call(issue, issueOf('two'))
  await set(`UPDATE site SET claim = 'parked', claim_reason = 'no-proof' WHERE organization_id = $1`)
  assert.equal((await client.refusal(issue, issueOf('three'))).code, 28_024)
})

test('28005: while an authority takes no orders from a site, none is begun nor tried again', async () => {
  const { client, site, host } = await newSteeredDomain(api)
  const { data } = await client.call(issue, { site, names: [host], authority })
  const refusedUntil = (at: string) =>
    api.database.system((tx) =>
      tx.query(
        `UPDATE certificate SET step = 'order', order_key = NULL, leased_until = NULL, hindrance = 'waiting', problem = 'too many', next_attempt_at = now() + $2::interval WHERE id = $1`,
        [data.id, at],
      ),
    )
  await refusedUntil('1 hour')
  const other = { site, names: [`other.${host}`], authority: 'lets-encrypt' as const }
  assert.equal((await client.refusal(issue, other)).code, 28_005)
  assert.equal((await client.refusal(renew, { id: data.id })).code, 28_005)
  await refusedUntil('-1 second')
  await client.call(issue, other)
  await client.call(renew, { id: data.id })
})
