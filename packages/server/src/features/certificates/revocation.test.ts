import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { certificates, sites, type EdgeCertificates } from '@fairway/contract'
import { readOcspResponse } from '@fairway/drivers'
import { loadConfig, makeLog, OutgoingGate } from '@fairway/platform'
import { startApiUnderTest } from '../../testing/api-under-test.ts'
import { makeCertificate, type Made } from '../../testing/made-certificates.ts'
import { until } from '../../testing/until.ts'
import { startRevokingAuthority, type RevokingAuthority } from '../../testing/made-revocations.ts'
import { revocationOfChain } from './revocation.ts'

const NAMES = ['www.harbour.example']
let authority: RevokingAuthority
before(async () => {
  authority = await startRevokingAuthority()
})
after(() => authority?.[Symbol.asyncDispose]())

const asker = (hosts: string) => {
  const config = loadConfig({ FAIRWAY_REVOCATION_HOSTS: hosts })
  return { config, gate: new OutgoingGate({ config, log: makeLog('test', config) }), organizationId: 'o1' }
}
const saidOf = async (one: Made, hosts = '127.0.0.1', now = new Date()) =>
  (await revocationOfChain(asker(hosts), one.certificate + authority.root.certificate, now)).state

test('openssl’s responder and list are understood: good, revoked, and which of the two is asked', async () => {
  const both = authority.certificate(NAMES, { ocsp: true, list: true })
  assert.equal(await saidOf(both), 'good')
  assert.deepEqual(authority.asked.splice(0), ['POST /ocsp'])
  authority.revoke(both)
  assert.equal(await saidOf(both), 'revoked')
  const listed = authority.certificate(NAMES, { list: true })
  authority.asked.length = 0
  assert.equal(await saidOf(listed), 'good')
  authority.revoke(listed)
  assert.equal(await saidOf(listed), 'revoked')
  assert.deepEqual(authority.asked.splice(0), ['GET /list.crl', 'GET /list.crl'])
  assert.equal(await saidOf(authority.certificate(NAMES, {})), 'unknown')
})

test('a word that nobody had the right to say, or that is out of date, is not believed', async () => {
  const one = authority.certificate(NAMES, { ocsp: true, list: true })
  authority.revoke(one)
  const stranger = makeCertificate({ subject: '/CN=Revoking root', names: [], ca: true })
  authority.forge(stranger)
  assert.equal(await saidOf(one), 'unknown')
  const helper = (extensions: string[]) =>
    makeCertificate({ subject: '/CN=Helper', names: [], issuer: authority.root, extensions })
  authority.delegateTo(helper(['extendedKeyUsage=OCSPSigning']))
  assert.equal(await saidOf(one), 'revoked')
  authority.asked.length = 0
  // One that was not entrusted is passed over; the list says it then.
  authority.delegateTo(helper(['extendedKeyUsage=serverAuth']))
  assert.equal(await saidOf(one), 'revoked')
  assert.deepEqual(authority.asked, ['POST /ocsp', 'GET /list.crl'])
  authority.delegateTo(null)
  assert.equal(await saidOf(one, '127.0.0.1', new Date(Date.now() + 8 * 86_400_000)), 'unknown')
})

test('only hosts that a setting names are asked, and none of our own networks for “any”', async () => {
  const one = authority.certificate(NAMES, { ocsp: true, list: true })
  authority.revoke(one)
  authority.asked.length = 0
  for (const hosts of ['', '*', 'ocsp.example.test']) assert.equal(await saidOf(one, hosts), 'unknown', hosts)
  assert.deepEqual(authority.asked, [])
})

test('28012: a revoked certificate is refused before anything of it is kept', async () => {
  await using api = await startApiUnderTest({ FAIRWAY_REVOCATION_HOSTS: '127.0.0.1' })
  const owner = await api.newClient()
  const site = (await owner.call(sites.routes.create, { domainName: 'harbour.example' })).data.id
  const one = authority.certificate(NAMES, { ocsp: true })
  const upload = { site, certificate: one.certificate, privateKey: one.privateKey, chain: authority.root.certificate }
  assert.equal(
    (await owner.call(certificates.routes.checkUpload, upload)).details.serialNumber.replaceAll(':', ''),
    new crypto.X509Certificate(one.certificate).serialNumber,
  )
  authority.revoke(one)
  for (const route of [certificates.routes.checkUpload, certificates.routes.upload])
    assert.equal((await owner.refusal(route, upload)).code, 28012)
  assert.equal((await api.database.system((tx) => tx.query('SELECT FROM certificate'))).length, 0)

  // Where a domain wants it, the word of one that is good goes to the edge with the certificate.
  const good = authority.certificate(NAMES, { ocsp: true })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header, ocsp_stapling) VALUES ($1, $2, 'www.harbour.example', '198.51.100.7', 443, 'https', 'www.harbour.example', true)`,
      [owner.organizationId, site],
    ),
  )
  const { data } = await owner.call(certificates.routes.upload, {
    site,
    certificate: good.certificate,
    privateKey: good.privateKey,
    chain: authority.root.certificate,
  })
  const staple = async () =>
    (
      await api.database.system((tx) =>
        tx.query<{ body: EdgeCertificates | null }>(
          `SELECT body FROM publication WHERE kind = 'edge-certificates' AND key = $1`,
          [site],
        ),
      )
    )[0]?.body?.certificates.find(({ certificateId }) => certificateId === data.id)?.staple ?? null
  const published = await until(staple)
  assert.ok(published.until > Date.now())
  assert.equal(
    readOcspResponse(
      Buffer.from(published.response, 'base64'),
      new crypto.X509Certificate(good.certificate),
      new crypto.X509Certificate(authority.root.certificate),
      Date.now(),
    )?.state,
    'good',
  )

  // It is told once when it is revoked later.
  authority.revoke(good)
  for (let times = 0; times < 2; times++) {
    await api.database.system((tx) => tx.query('UPDATE certificate SET staple_next_at = NULL'))
    await until(
      async () =>
        (await api.database.system((tx) => tx.query('SELECT FROM certificate WHERE staple_next_at > now()'))).length ===
        1,
    )
  }
  const told = await api.database.system((tx) =>
    tx.query<{ fields: object }>(`SELECT fields FROM notification WHERE event = 'certificate-revoked'`),
  )
  assert.deepEqual(
    told.map(({ fields }) => fields),
    [{ host: NAMES[0] }],
  )
})
