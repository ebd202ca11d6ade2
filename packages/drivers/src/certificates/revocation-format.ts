import crypto from 'node:crypto'
import { childrenOf, type Der, derOf, oneDer, timeOf } from './der.ts'

/** What an authority says of one certificate, with when it will say it anew (epoch ms; null when it does not say). */
export type RevocationWord = { state: 'good' | 'revoked' | 'unknown'; nextUpdate: number | null }

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  generalizedTime: 0x18,
  sequence: 0x30,
  first: 0xa0,
} as const
const SHA1 = Buffer.from('2b0e03021a', 'hex')
const BASIC_RESPONSE = '2b0601050507300101'
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'
const CRL_POINTS = '551d1f'
/** Digest by the identifier of the signature's algorithm; null where the algorithm has its own. */
const DIGESTS: Record<string, string | null> = {
  '2a864886f70d010105': 'sha1',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
}
/** Clocks of others may be ahead of ours. */
const CLOCK_MS = 5 * 60_000

type CertificateParts = { serial: Buffer; issuer: Buffer; key: Buffer; extensions: Der[] }

function partsOf(certificate: crypto.X509Certificate): CertificateParts {
  const fields = childrenOf(childrenOf(oneDer(certificate.raw))[0])
  const [serial, , issuer, , , publicKey, ...rest] = fields[0]?.tag === TAG.first ? fields.slice(1) : fields
  const extensions = rest.find(({ tag }) => tag === 0xa3)
  return {
    serial: serial?.body ?? Buffer.alloc(0),
    issuer: issuer?.raw ?? Buffer.alloc(0),
    key: childrenOf(publicKey)[1]?.body.subarray(1) ?? Buffer.alloc(0),
    extensions: childrenOf(childrenOf(extensions)[0]),
  }
}

/** CertID of RFC 6960 4.1.1: SHA-1 is what every responder knows; nothing secret hangs on it. */
function certificateId(leaf: crypto.X509Certificate, issuer: crypto.X509Certificate): Buffer {
  const { serial, issuer: name } = partsOf(leaf)
  const hash = (bytes: Buffer) => derOf(TAG.octets, crypto.createHash('sha1').update(bytes).digest())
  return derOf(
    TAG.sequence,
    derOf(TAG.sequence, derOf(TAG.oid, SHA1), derOf(TAG.nothing)),
    hash(name),
    hash(partsOf(issuer).key),
    derOf(TAG.integer, serial),
  )
}

/** Asks for one certificate, without a nonce, so that the answer may come from a cache (RFC 5019). */
export function ocspRequest(leaf: crypto.X509Certificate, issuer: crypto.X509Certificate): Buffer {
  return derOf(TAG.sequence, derOf(TAG.sequence, derOf(TAG.sequence, derOf(TAG.sequence, certificateId(leaf, issuer)))))
}

/**
 * What the answer says of the certificate; null when it is not about it, not valid now, or not signed by the issuer or
 * whom it has entrusted (RFC 6960 4.2.2). @throws DerError
 */
export function readOcspResponse(
  response: Buffer,
  leaf: crypto.X509Certificate,
  issuer: crypto.X509Certificate,
  now: number,
): RevocationWord | null {
  const [status, wrapped] = childrenOf(oneDer(response))
  const [type, octets] = childrenOf(childrenOf(wrapped)[0])
  if (
    status?.tag !== TAG.enumerated ||
    status.body[0] !== 0 ||
    type?.body.toString('hex') !== BASIC_RESPONSE ||
    !octets
  )
    return null
  const [data, algorithm, signature, certificates] = childrenOf(oneDer(octets.body))
  if (!data || !algorithm || !signature) return null
  const signers = [
    issuer,
    ...childrenOf(childrenOf(certificates)[0])
      .map(({ raw }) => new crypto.X509Certificate(raw))
      .filter((one) => isEntrusted(one, issuer, now)),
  ]
  if (!signers.some((signer) => isSigned(data, algorithm, signature, signer))) return null
  const responses = childrenOf(data).findLast(({ tag }) => tag === TAG.sequence)
  const wanted = certificateId(leaf, issuer)
  for (const one of childrenOf(responses)) {
    const [id, state, thisUpdate, ...more] = childrenOf(one)
    if (!id || !state || !isSameId(id.raw, wanted)) continue
    const next = more.find(({ tag }) => tag === TAG.first)
    return inTime(
      {
        state: STATES[state.tag & 0x1f] ?? 'unknown',
        thisUpdate: timeOf(thisUpdate),
        nextUpdate: next ? timeOf(childrenOf(next)[0]) : null,
      },
      now,
    )
  }
  return null
}

const STATES = ['good', 'revoked', 'unknown'] as const

/** The parameters of the hash may be NULL or left out; all the rest has to be the same. */
function isSameId(id: Buffer, wanted: Buffer): boolean {
  const [mine, theirs] = [wanted, id].map((bytes) => {
    const [algorithm, ...rest] = childrenOf(oneDer(bytes))
    return Buffer.concat([childrenOf(algorithm)[0]?.raw ?? Buffer.alloc(0), ...rest.map(({ raw }) => raw)])
  })
  return mine !== undefined && theirs !== undefined && mine.equals(theirs)
}

function isEntrusted(signer: crypto.X509Certificate, issuer: crypto.X509Certificate, now: number): boolean {
  return (
    signer.checkIssued(issuer) &&
    signer.verify(issuer.publicKey) &&
    (signer.keyUsage ?? []).includes(OCSP_SIGNING) &&
    signer.validFromDate.getTime() <= now &&
    signer.validToDate.getTime() > now
  )
}

function isSigned(data: Der, algorithm: Der, signature: Der, { publicKey }: crypto.X509Certificate): boolean {
  const digest = DIGESTS[childrenOf(algorithm)[0]?.body.toString('hex') ?? '']
  if (digest === undefined) return false
  try {
    return crypto.verify(digest, data.raw, publicKey, signature.body.subarray(1))
  } catch {
    return false // a key of another kind than the signature
  }
}

function inTime(
  { state, thisUpdate, nextUpdate }: { state: RevocationWord['state']; thisUpdate: number; nextUpdate: number | null },
  now: number,
): RevocationWord | null {
  return thisUpdate <= now + CLOCK_MS && (nextUpdate === null || nextUpdate > now) ? { state, nextUpdate } : null
}

/**
 * What the list says of the certificate; null when it is not the issuer's, or not valid now (RFC 5280 6.3). @throws
 * DerError
 */
export function readRevocationList(
  list: Buffer,
  leaf: crypto.X509Certificate,
  issuer: crypto.X509Certificate,
  now: number,
): RevocationWord | null {
  const [data, algorithm, signature] = childrenOf(oneDer(list))
  if (!data || !algorithm || !signature || !isSigned(data, algorithm, signature, issuer)) return null
  const fields = childrenOf(data)
  const [, name, thisUpdate, ...rest] = fields[0]?.tag === TAG.integer ? fields.slice(1) : fields
  const { serial, issuer: wanted } = partsOf(leaf)
  if (!name?.raw.equals(wanted)) return null
  const next = rest[0] && rest[0].tag !== TAG.sequence && rest[0].tag !== TAG.first ? rest.shift() : undefined
  const entries = rest[0]?.tag === TAG.sequence ? childrenOf(rest[0]) : []
  const isRevoked = entries.some((entry) => childrenOf(entry)[0]?.body.equals(serial))
  return inTime(
    { state: isRevoked ? 'revoked' : 'good', thisUpdate: timeOf(thisUpdate), nextUpdate: next ? timeOf(next) : null },
    now,
  )
}

/** Where the certificate's own authority answers: OCSP responders and lists, as the certificate names them. */
export function revocationUrls(certificate: crypto.X509Certificate): { ocsp: string[]; lists: string[] } {
  const ocsp = (certificate.infoAccess ?? '')
    .split('\n')
    .flatMap((line) => /^OCSP - URI:(http:\/\/.+)$/.exec(line)?.[1] ?? [])
  const points = partsOf(certificate).extensions.find(
    (extension) => childrenOf(extension)[0]?.body.toString('hex') === CRL_POINTS,
  )
  const octets = childrenOf(points).at(-1)
  const lists = octets ? childrenOf(oneDer(octets.body)).flatMap((point) => childrenOf(point).flatMap(urlsIn)) : []
  return { ocsp, lists: lists.filter((url) => url.startsWith('http://') || url.startsWith('https://')) }
}

/** `[0] DistributionPointName { [0] GeneralNames { [6] URI } }`. */
function urlsIn(point: Der): string[] {
  if (point.tag !== TAG.first) return []
  return childrenOf(point).flatMap((names) =>
    childrenOf(names)
      .filter(({ tag }) => tag === 0x86)
      .map(({ body }) => body.toString('latin1')),
  )
}
