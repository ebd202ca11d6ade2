import crypto from 'node:crypto'
import type { Rrset, ZoneSigning } from '@fairway/contract'
import { ALGORITHM } from './zone-signer.ts'

/** Zone key and secure entry point (RFC 4034 2.1.1): one key for both. */
const FLAGS = 257
const PROTOCOL = 3
const KEY_TTL_SECONDS = 3600
const DIGEST_SHA256 = 2

/**
 * The sets at the apex of a signed zone that tell its keys: DNSKEY, and CDS and CDNSKEY for parents that look there
 * (RFC 7344, RFC 8078).
 */
export function keySets(origin: string, originWire: Uint8Array, { keys, withdraw }: ZoneSigning): Rrset[] {
  const set = (type: 'DNSKEY' | 'CDS' | 'CDNSKEY', rdata: string[]): Rrset[] =>
    rdata.length > 0 ? [{ name: origin, type, ttlSeconds: KEY_TTL_SECONDS, rdata }] : []
  const announced = keys.filter((key) => key.announced)
  return [
    ...set('DNSKEY', keys.map(dnskey)),
    ...set('CDS', withdraw ? ['0 0 0 00'] : announced.map((key) => delegationSigner(originWire, key))),
    ...set('CDNSKEY', withdraw ? ['0 3 0 AA=='] : announced.map(dnskey)),
  ]
}

/** What the zone above says of one that is signed with these keys (RFC 4034 5): all of them sign the set of keys. */
export const delegationSigners = (originWire: Uint8Array, { keys }: ZoneSigning): string[] =>
  keys.map((key) => delegationSigner(originWire, key))

const delegationSigner = (originWire: Uint8Array, { tag, publicKey }: ZoneSigning['keys'][number]): string =>
  `${tag} ${ALGORITHM} ${DIGEST_SHA256} ${dsDigest(originWire, publicKey)}`

const dnskey = ({ publicKey }: { publicKey: string }): string => `${FLAGS} ${PROTOCOL} ${ALGORITHM} ${publicKey}`

/** SHA-256 over the owner and the key, in hexadecimal (RFC 4034 5.1.4). */
function dsDigest(originWire: Uint8Array, publicKey: string): string {
  const rdata = Buffer.concat([
    Buffer.from([FLAGS >> 8, FLAGS & 255, PROTOCOL, ALGORITHM]),
    Buffer.from(publicKey, 'base64'),
  ])
  return crypto.createHash('sha256').update(originWire).update(rdata).digest('hex').toUpperCase()
}
