import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { acmeAuthority, newCertificateKey } from './acme.ts'
import { renewalIdentifier } from './renewal-identifier.ts'

// The certificate of RFC 9773, appendix A, and the identifier that it gives.
const EXAMPLE = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`
const IDENTIFIER = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'

test('the identifier of the example of RFC 9773', () => {
  assert.equal(renewalIdentifier(EXAMPLE), IDENTIFIER)
})

test('a renewal says what it replaces, and does without where the authority will not hear it', async () => {
  for (const answers of ['hears', 'refuses'] as const) {
    const asked: (string | null)[] = []
    const server = http.createServer(async (request, response) => {
      const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      let body = ''
      for await (const part of request) body += String(part)
      response.setHeader('replay-nonce', 'nonce').setHeader('content-type', 'application/json')
      if (request.url !== '/order')
        return void response.end(
          JSON.stringify({ newNonce: `${at}/nonce`, newOrder: `${at}/order`, renewalInfo: `${at}/renewal-info` }),
        )
      const { payload } = JSON.parse(body) as { payload: string }
      const { replaces } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { replaces?: string }
      asked.push(replaces ?? null)
      if (replaces !== undefined && answers === 'refuses')
        return void response.writeHead(409).end(
          JSON.stringify({
            type: 'urn:ietf:params:acme:error:alreadyReplaced',
            detail: 'This order replaces a certificate that was replaced',
          }),
        )
      response
        .writeHead(201, { location: `${at}/order/1` })
        .end(JSON.stringify({ status: 'ready', authorizations: [] }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const authority = acmeAuthority({ directoryUrl: at, contact: '', binding: null, trustedRoots: null })
    const account = { url: `${at}/account`, keyPem: newCertificateKey() }
    const order = await authority.order(account, ['a.test'], 'dns-01', EXAMPLE)
    await authority.order(account, ['a.test'], 'dns-01', null)
    server.closeAllConnections()
    server.close()
    assert.equal(order.url, `${at}/order/1`)
    assert.deepEqual(asked, [IDENTIFIER, ...(answers === 'refuses' ? [null] : []), null], answers)
  }
})
