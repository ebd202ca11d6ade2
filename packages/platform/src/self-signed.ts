import crypto from 'node:crypto'

const YEARS = 10

/**
 * A self-signed certificate (X.509 v3, ECDSA P-256), for names that have no certificate of their own. DER is written by
 * hand: node:crypto reads certificates but does not make them.
 */
export function selfSignedCertificate(names: string[], now: Date): { certificatePem: string; keyPem: string } {
  const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const until = new Date(Date.UTC(now.getUTCFullYear() + YEARS, now.getUTCMonth(), 1))
  return written({
    names,
    privateKey,
    algorithm: '1.2.840.10045.4.3.2',
    digest: 'sha256',
    serial: crypto.randomBytes(16),
    from: now,
    until,
  })
}

/**
 * The certificate of an installation's own machines among themselves: each makes the very same one from their secret of
 * 32 bytes (Ed25519 signs alike each time), so that nobody has to hand it out, and whoever holds it to be known trusts
 * exactly those who have the secret.
 */
export function sharedCertificate(name: string, secret: Buffer): { certificatePem: string; keyPem: string } {
  const privateKey = crypto.createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, secret.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  return written({
    names: [name],
    privateKey,
    algorithm: '1.3.101.112',
    digest: null,
    serial: crypto.createHash('sha256').update(`${name} serial`).digest().subarray(0, 16),
    from: new Date(Date.UTC(2020, 0, 1)),
    until: new Date(Date.UTC(2049, 11, 31)),
  })
}

/** What stands before the 32 bytes of a private key (RFC 8410 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

type Wanted = {
  names: string[]
  privateKey: crypto.KeyObject
  /** Of the signature, as an object identifier. */ algorithm: string
  digest: string | null
  serial: Buffer
  from: Date
  until: Date
}

function written(wanted: Wanted): { certificatePem: string; keyPem: string } {
  const { names, privateKey } = wanted
  const algorithm = sequence(oid(wanted.algorithm))
  const subject = sequence(
    set(sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from((names[0] ?? 'fairway').slice(0, 64))))),
  )
  const alternatives = sequence(...names.map((name) => tagged(0x82, Buffer.from(name, 'latin1'))))
  const extensions = tagged(0xa3, sequence(sequence(oid('2.5.29.17'), tagged(0x04, alternatives))))
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(wanted.serial),
    algorithm,
    subject,
    sequence(time(wanted.from), time(wanted.until)),
    subject,
    crypto.createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = crypto.sign(wanted.digest, body, privateKey)
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    keyPem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}
function set(part: Buffer): Buffer {
  return tagged(0x31, part)
}
/** Positive, in the fewest bytes (X.690 8.3.2). */
function integer(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const shortest = bytes.subarray(start)
  return tagged(0x02, (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), shortest]) : shortest)
}
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}
function base128(value: number): number[] {
  const digits = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80)
  return digits
}
/** UTCTime, as RFC 5280 4.1.2.5 asks for until 2049. */
function time(at: Date): Buffer {
  return tagged(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
}
