import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { it } from 'node:test'
import { selfSignedCertificate, sharedCertificate } from './self-signed.ts'

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

it('machines with one secret have one certificate, and others another', () => {
  const [secret, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  const first = sharedCertificate('relay.fairway', secret)
  assert.deepEqual(sharedCertificate('relay.fairway', secret), first)
  const certificate = new crypto.X509Certificate(first.certificatePem)
  assert.ok(certificate.verify(certificate.publicKey))
  assert.ok(certificate.checkPrivateKey(crypto.createPrivateKey(first.keyPem)))
  assert.equal(certificate.checkHost('relay.fairway'), 'relay.fairway')
  assert.ok(
    !certificate.verify(new crypto.X509Certificate(sharedCertificate('relay.fairway', other).certificatePem).publicKey),
  )
})
