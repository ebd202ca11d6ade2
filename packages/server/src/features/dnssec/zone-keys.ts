import crypto from 'node:crypto'
import { seal, type Config } from '@fairway/platform'
import { ZONE_KEYS } from '../../publish/zone-signing.ts'

export const FLAGS = 257
export const ALGORITHM = 13
const PROTOCOL = 3
export const DIGEST_SHA256 = 2
const DIGESTS: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' }

/**
 * A new P-256 key: one for the keys and the zone. Its tag is none of `taken`, which are those of the zone's other keys:
 * signatures are told apart by it.
 */
export function newZoneKey(
  config: Config,
  taken: readonly number[] = [],
): { tag: number; publicKey: string; privateKeySealed: string } {
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const tag = keyTag(point)
  if (taken.includes(tag)) return newZoneKey(config, taken)
  return {
    tag,
    publicKey: point.toString('base64'),
    privateKeySealed: seal(config, ZONE_KEYS, privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')),
  }
}

/**
 * Digest of a key at its owner in upper-case hexadecimal (RFC 4034 5.1.4); null for a digest type that is not known.
 */
export function dsDigest(zone: string, publicKey: string, digestType: number): string | null {
  const hash = DIGESTS[digestType]
  if (hash === undefined) return null
  const owner = Buffer.concat([
    ...zone.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
  return crypto
    .createHash(hash)
    .update(owner)
    .update(rdataOf(Buffer.from(publicKey, 'base64')))
    .digest('hex')
    .toUpperCase()
}

/** Whether a DS record, `tag algorithm digest-type digest`, is about the key. */
export function isDsOf(ds: string, zone: string, key: { tag: number; publicKey: string }): boolean {
  const [tag, algorithm, digestType, ...digest] = ds.split(' ')
  return (
    Number(tag) === key.tag &&
    Number(algorithm) === ALGORITHM &&
    digest.join('').toUpperCase() === dsDigest(zone, key.publicKey, Number(digestType))
  )
}

const rdataOf = (point: Buffer): Buffer =>
  Buffer.concat([Buffer.from([FLAGS >> 8, FLAGS & 255, PROTOCOL, ALGORITHM]), point])

/** RFC 4034 B. */
function keyTag(point: Buffer): number {
  let sum = 0
  for (const [index, byte] of rdataOf(point).entries()) sum += index % 2 === 0 ? byte * 256 : byte
  return (sum + (sum >>> 16)) & 0xffff
}
