import crypto from 'node:crypto'
import { Failure } from '../../http/failure.ts'

export type PublicKey = { keyId: string; /** DER in base64. */ publicKey: string }

/** A new pair; the private half is PKCS #8 in PEM, as every language reads it. */
export function newPair(): PublicKey & { privateKey: string } {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...described(publicKey), privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) }
}

/** @throws Failure 400 for what is no public key of P-256; a private one is not taken, for it should not be told */
export function readPublicKey(pem: string): PublicKey {
  const refused = new Failure(400, { fields: [{ path: 'publicKey', message: 'validation.signingKey' }] })
  if (!/^-----BEGIN PUBLIC KEY-----[\s\w+/=]+-----END PUBLIC KEY-----$/.test(pem)) throw refused
  let key: crypto.KeyObject
  try {
    key = crypto.createPublicKey({ key: pem, format: 'pem', type: 'spki' })
  } catch {
    throw refused
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw refused
  return described(key)
}

function described(key: crypto.KeyObject): PublicKey {
  // By its point, however it was written: one key has one name.
  const { x, y } = key.export({ format: 'jwk' })
  const der = crypto
    .createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    .export({ type: 'spki', format: 'der' })
  return {
    keyId: crypto.createHash('sha256').update(der).digest('hex').slice(0, 16),
    publicKey: der.toString('base64'),
  }
}

const asKey = (publicKey: string): crypto.KeyObject =>
  crypto.createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })

export const pemOf = (publicKey: string): string => asKey(publicKey).export({ type: 'spki', format: 'pem' }).toString()

/** ES256 (RFC 7518 3.4), over bytes. */
export const isSignedBy = (publicKey: string, text: string, signature: string): boolean =>
  crypto.verify(
    'sha256',
    Buffer.from(text, 'latin1'),
    { key: asKey(publicKey), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'latin1'),
  )
