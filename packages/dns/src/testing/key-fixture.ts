import crypto from 'node:crypto'
import type { ZoneKey, ZoneSigning } from '@fairway/contract'

/** Keys of tests are not sealed. */
export const openKey = (sealed: string): string => sealed

/** A key pair as the publisher would send it. */
export function zoneKey(extra: Partial<ZoneKey> = {}): ZoneKey {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const sealedPrivateKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return {
    tag: keyTag(point),
    publicKey: point.toString('base64'),
    sealedPrivateKey,
    signs: true,
    announced: true,
    ...extra,
  }
}

export const signingBy = (...keys: ZoneKey[]): ZoneSigning => ({ keys, withdraw: false })

/** RFC 4034 B. */
function keyTag(point: Uint8Array): number {
  let sum = 0
  for (const [index, byte] of Uint8Array.from([1, 1, 3, 13, ...point]).entries())
    sum += index % 2 === 0 ? byte * 256 : byte
  return (sum + (sum >>> 16)) & 0xffff
}
