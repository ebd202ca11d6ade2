import assert from 'node:assert/strict'
import tls from 'node:tls'
import { test } from 'node:test'
import type { EdgeCertificates, Publication } from '@fairway/contract'
import { sealForNodes, selfSignedCertificate } from '@fairway/platform'
import { EDGE, type EdgeUnderTest, siteOf, startEdgeUnderTest } from './testing/edge-under-test.ts'

const HOST = 'www.example.test'
const { certificatePem, keyPem } = selfSignedCertificate([HOST], new Date())

function certificatesOf(
  edge: EdgeUnderTest,
  version: number,
  staple: EdgeCertificates['certificates'][number]['staple'],
): Publication {
  const certificate = {
    certificateId: 'one',
    chainPem: certificatePem,
    sealedPrivateKey: sealForNodes(edge.config, 'certificate key', keyPem),
    notAfter: Date.now() + 86_400_000,
    staple,
  }
  return {
    revision: version,
    kind: 'edge-certificates',
    key: 'site',
    version,
    body: { siteId: 'site', organizationId: 'org-1', version, certificates: [certificate], names: { [HOST]: 'one' } },
  }
}

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
