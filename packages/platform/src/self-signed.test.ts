import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { it } from 'node:test'
import { selfSignedCertificate } from './self-signed.ts'

it('a self-signed certificate is one by the reading of OpenSSL', () => {
  for (let i = 0; i < 20; i++) {
    const { certificatePem, keyPem } = selfSignedCertificate(
      ['edge.fairway.test', '*.edge.fairway.test'],
      new Date('2026-03-04T05:06:07Z'),
    )
    const certificate = new crypto.X509Certificate(certificatePem)
    assert.ok(certificate.verify(certificate.publicKey))
    assert.ok(certificate.checkPrivateKey(crypto.createPrivateKey(keyPem)))
    assert.equal(certificate.subjectAltName, 'DNS:edge.fairway.test, DNS:*.edge.fairway.test')
    assert.equal(certificate.checkHost('abc.edge.fairway.test'), '*.edge.fairway.test')
    assert.deepEqual(
      [certificate.validFrom, certificate.validTo],
      ['Mar  4 05:06:07 2026 GMT', 'Mar  1 00:00:00 2036 GMT'],
    )
  }
})
