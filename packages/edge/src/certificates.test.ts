import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { test } from 'node:test'
import { sealForNodes, selfSignedCertificate } from '@fairway/platform'
import {
  EDGE,
  type EdgeUnderTest,
  type Staple,
  certificateOf,
  eventually,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from './testing/edge-under-test.ts'

const HOST = 'www.example.test'
const certificatesOf = (edge: EdgeUnderTest, version: number, staple: Staple) =>
  certificateOf(edge, 'site', HOST, version, staple)

/** What the edge staples for a client that asks for it; null when it does not. */
function stapled(edge: EdgeUnderTest): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let said: string | null = null
    const socket = tls.connect(
      { host: EDGE, port: edge.config.edgeHttps.port, servername: HOST, requestOCSP: true, rejectUnauthorized: false },
      () => {
        assert.equal(socket.getPeerCertificate().subject?.CN, HOST)
        socket.destroy()
        resolve(said)
      },
    )
    socket.on('OCSPResponse', (response: Buffer | null) => (said = response?.length ? response.toString() : null))
    socket.on('error', reject)
  })
}

test('the authority’s word goes with the handshake while it holds, for names that want it', async () => {
  await using edge = await startEdgeUnderTest()
  const origin = { addresses: ['127.0.0.1'], port: 1, protocol: 'http' as const, hostHeader: HOST }
  const word = (until: number) => ({ response: Buffer.from('the word').toString('base64'), until })
  await edge.publish(siteOf('site', 1, [{ host: HOST, origin, ocspStapling: true }]))
  await edge.publish(certificatesOf(edge, 1, null))
  assert.equal(await stapled(edge), null)
  await edge.publish(certificatesOf(edge, 2, word(Date.now() + 60_000)))
  assert.equal(await stapled(edge), 'the word')
  await edge.publish(certificatesOf(edge, 3, word(Date.now() - 1_000)))
  assert.equal(await stapled(edge), null)
  await edge.publish(certificatesOf(edge, 4, word(Date.now() + 60_000)))
  await edge.publish(siteOf('site', 2, [{ host: HOST, origin }]))
  assert.equal(await stapled(edge), null)
})

/** A site's certificate for these names, and what a visitor sees of it. */
function madeFor(edge: EdgeUnderTest, siteId: string, domain: string, names: string[], version = 1) {
  const { certificatePem, keyPem } = selfSignedCertificate(names, new Date())
  const body = {
    siteId,
    domain,
    organizationId: siteId,
    version,
    certificates: [
      {
        certificateId: `${siteId}-${version}`,
        chainPem: certificatePem,
        sealedPrivateKey: sealForNodes(edge.config, 'certificate key', keyPem),
        notAfter: Date.now() + 86_400_000,
        staple: null,
      },
    ],
    names: Object.fromEntries(names.map((name) => [name, `${siteId}-${version}`])),
  }
  return {
    publication: { revision: version, kind: 'edge-certificates' as const, key: siteId, version, body },
    print: new crypto.X509Certificate(certificatePem).fingerprint256,
  }
}

const shownAt = (edge: EdgeUnderTest, servername: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = edge.config.edgeHttps
    const socket = tls.connect({ host: EDGE, port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', reject)
  })

test('nobody puts a certificate on another’s name, nor takes it away, also after a restart', async () => {
  const home = temporaryHome()
  let last = ''
  {
    await using edge = await startEdgeUnderTest(home)
    const own = madeFor(edge, 'owner', HOST, [HOST])
    await edge.publish(own.publication)
    // As a publisher of now and one of before write it: all that the foe's certificate names.
    for (const domain of ['foe.test', '']) {
      const foe = madeFor(edge, 'foe', domain, ['foe.test', HOST])
      await edge.publish(foe.publication)
      assert.deepEqual([await shownAt(edge, HOST), await shownAt(edge, 'foe.test')], [own.print, foe.print], domain)
    }
    await edge.publish({ ...madeFor(edge, 'foe', '', []).publication, body: null })
    assert.equal(await shownAt(edge, HOST), own.print)
    // A wider domain's is shown while there is no nearer one.
    const wide = madeFor(edge, 'wide', 'example.test', [HOST])
    await edge.publish(wide.publication)
    assert.equal(await shownAt(edge, HOST), own.print)
    await edge.publish({ ...own.publication, body: null })
    assert.equal(await shownAt(edge, HOST), wide.print)
    const again = madeFor(edge, 'owner', HOST, [HOST], 2)
    last = again.print
    await edge.publish(again.publication)
    assert.equal(await shownAt(edge, HOST), again.print)
  }
  await using edge = await startEdgeUnderTest(home)
  assert.equal(await eventually(() => shownAt(edge, HOST)), last)
  fs.rmSync(home, { recursive: true, force: true })
})

test('nobody is sent to HTTPS before a certificate serves; browsers are told to keep to it over TLS only, on pages of ours too', async () => {
  await using edge = await startEdgeUnderTest()
  await using website = await startOrigin(
    (_, response) => void response.writeHead(200, { 'strict-transport-security': 'max-age=1' }).end('the website'),
  )
  const site = (version: number, more: object) =>
    siteOf('site', version, [{ host: HOST, origin: website.origin(), hsts: 'max-age=300', ...more }])
  await edge.publish(site(1, { alwaysHttps: true }))
  assert.equal((await edge.get(HOST, '/')).status, 200, 'a switch without a certificate waits')
  await edge.publish(certificatesOf(edge, 2, null))
  const redirect = await edge.get(HOST, '/')
  assert.deepEqual([redirect.status, redirect.headers['strict-transport-security']], [301, undefined])
  const told = async (path = '/') => (await edge.get(HOST, path, { tls: true })).headers['strict-transport-security']
  assert.deepEqual([await told(), await told('/again'), await told()], ['max-age=300', 'max-age=300', 'max-age=300'])
  await edge.publish(site(3, { inMaintenance: true }))
  assert.equal(await told(), 'max-age=300')
  await edge.publish(site(4, { hsts: '' }))
  assert.equal(await told('/new'), 'max-age=1', 'the website’s own word is left alone')
})

test('an origin at an IPv6 address is reached', async (context) => {
  await using edge = await startEdgeUnderTest()
  const server = http.createServer((_, response) => void response.end('over IPv6'))
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
  context.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  await edge.publish(
    siteOf('site', 1, [{ host: HOST, origin: { addresses: ['::1'], port, protocol: 'http', hostHeader: HOST } }]),
  )
  assert.equal((await edge.get(HOST, '/')).text, 'over IPv6')
  assert.equal((await edge.get(HOST, '/', { method: 'POST', body: 'x' })).text, 'over IPv6')
})

test('a connection that was opened for one customer’s name is none for another’s (RFC 9110 15.5.20)', async () => {
  await using edge = await startEdgeUnderTest()
  const origin = { addresses: ['127.0.0.1'], port: 1, protocol: 'http' as const, hostHeader: HOST }
  await edge.publish(
    siteOf('site', 1, [
      { host: HOST, origin },
      { host: 'too.example.test', origin },
    ]),
  )
  await edge.publish(siteOf('other', 1, [{ host: 'www.other.test', organizationId: 'org-2', origin }]))
  const statusOf = (servername: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      const { port } = edge.config.edgeHttps
      const options = {
        host: EDGE,
        port,
        servername,
        rejectUnauthorized: false,
        agent: false as const,
        headers: { host },
      }
      https.get(options, (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject)
    })
  assert.equal(await statusOf(HOST, 'www.other.test'), 421)
  // The origin is not there: what matters is who was asked for.
  assert.equal(await statusOf(HOST, HOST), 502)
  assert.equal(await statusOf(HOST, 'too.example.test'), 502)
  assert.equal(await statusOf('cdn-in-front.test', HOST), 502)
})

test('no suite without authenticated encryption is spoken', async () => {
  await using edge = await startEdgeUnderTest()
  const suiteOf = (ciphers: string) =>
    new Promise<string>((resolve, reject) => {
      const { port } = edge.config.edgeHttps
      const options = {
        host: EDGE,
        port,
        servername: HOST,
        rejectUnauthorized: false,
        maxVersion: 'TLSv1.2' as const,
        ciphers,
      }
      const socket = tls.connect(options, () => {
        resolve(socket.getCipher().name)
        socket.destroy()
      })
      socket.on('error', reject)
    })
  assert.match(await suiteOf('ECDHE+AESGCM'), /GCM/)
  for (const suite of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-RSA-AES256-SHA', 'ECDHE-ECDSA-AES128-SHA256'])
    await assert.rejects(suiteOf(suite), suite)
})
