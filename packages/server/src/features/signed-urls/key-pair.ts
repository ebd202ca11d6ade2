import crypto from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningKind } from '@fairway/contract'
import { Failure } from '../../http/failure.ts'

export type PublicKey = { keyId: string; /** DER in base64. */ publicKey: string }

const RSA_BITS = 2_048
/** CloudFront takes no other exponent that anybody uses. */
const RSA_EXPONENT = 65_537n

const generate = promisify(crypto.generateKeyPair)

/** A new pair; the private half is PKCS #8 in PEM, as every language reads it. RSA takes a while, beside the requests. */
export async function newPair(kind: SigningKind): Promise<PublicKey & { privateKey: string }> {
  const { publicKey, privateKey } =
    kind === 'rsa-2048'
      ? await generate('rsa', { modulusLength: RSA_BITS })
      : await generate('ec', { namedCurve: 'P-256' })
  return { ...described(publicKey), privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** @throws Failure 400 for what is no public key of that kind; a private one is not taken, for it should not be told */
export function readPublicKey(kind: SigningKind, pem: string): PublicKey {
  const message = kind === 'rsa-2048' ? 'validation.signingKeyRsa' : 'validation.signingKey'
  const refused = new Failure(400, { fields: [{ path: 'publicKey', message }] })
  if (!/^-----BEGIN PUBLIC KEY-----[\s\w+/=]+-----END PUBLIC KEY-----$/.test(pem)) throw refused
  let key: crypto.KeyObject
  try {
    key = crypto.createPublicKey({ key: pem, format: 'pem', type: 'spki' })
  } catch {
    throw refused
  }
  if (kindOf(key) !== kind) throw refused
  return described(key)
}

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: crypto.KeyObject): SigningKind | null {
  if (type === 'ec') return details?.namedCurve === 'prime256v1' ? 'ecdsa-p256' : null
  const isRsa = type === 'rsa' && details?.modulusLength === RSA_BITS && details.publicExponent === RSA_EXPONENT
  return isRsa ? 'rsa-2048' : null
}

function described(key: crypto.KeyObject): PublicKey {
  // By its numbers, however it was written: one key has one name.
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' })
  const der = crypto
    .createPublicKey({ key: kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }, format: 'jwk' })
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

/** As CloudFront checks it: RSA with PKCS #1 v1.5 and SHA-1, over bytes. */
export const isSignedForCloudfront = (publicKey: string, text: string, signature: string): boolean =>
  crypto.verify('sha1', Buffer.from(text, 'latin1'), asKey(publicKey), Buffer.from(signature, 'latin1'))
