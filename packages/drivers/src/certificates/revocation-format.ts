import crypto from 'node:crypto'
import {
  BasicOCSPResponse,
  CertID,
  id_pkix_ocsp_basic,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  Request,
  type SingleResponse,
  TBSRequest,
} from '@peculiar/asn1-ocsp'
import { AsnConvert, AsnParser, OctetString } from '@peculiar/asn1-schema'
import {
  type AlgorithmIdentifier,
  AlgorithmIdentifier as Algorithm,
  Certificate,
  CertificateList,
  CRLDistributionPoints,
  id_ce_cRLDistributionPoints,
} from '@peculiar/asn1-x509'

/** What an authority says of one certificate, with when it will say it anew (epoch ms; null when it does not say). */
export type RevocationWord = { state: 'good' | 'revoked' | 'unknown'; nextUpdate: number | null }

const SHA1 = '1.3.14.3.2.26'
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'
/** Digest by the identifier of the signature's algorithm; null where the algorithm has its own. */
const DIGESTS: Record<string, string | null> = {
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
}
/** Of a list: five for each certificate. The parser's own limit, 10,000, is meant for certificates. */
const MOST_NODES = 300_000
/** Clocks of others may be ahead of ours. */
const CLOCK_MS = 5 * 60_000

const fieldsOf = (certificate: crypto.X509Certificate) => AsnConvert.parse(certificate.raw, Certificate).tbsCertificate
const bytesOf = (buffer: ArrayBuffer): Buffer => Buffer.from(buffer)
const derOf = (value: object): Buffer => bytesOf(AsnConvert.serialize(value))

/** CertID of RFC 6960 4.1.1: SHA-1 is what every responder knows; nothing secret hangs on it. */
function certificateId(leaf: crypto.X509Certificate, issuer: crypto.X509Certificate): CertID {
  const { serialNumber, issuer: name } = fieldsOf(leaf)
  const hash = (bytes: Buffer) => new OctetString(crypto.createHash('sha1').update(bytes).digest())
  return new CertID({
    hashAlgorithm: new Algorithm({ algorithm: SHA1, parameters: null }),
    issuerNameHash: hash(derOf(name)),
    issuerKeyHash: hash(bytesOf(fieldsOf(issuer).subjectPublicKeyInfo.subjectPublicKey)),
    serialNumber,
  })
}

/** Asks for one certificate, without a nonce, so that the answer may come from a cache (RFC 5019). */
export function ocspRequest(leaf: crypto.X509Certificate, issuer: crypto.X509Certificate): Buffer {
  const requestList = [new Request({ reqCert: certificateId(leaf, issuer) })]
  return derOf(new OCSPRequest({ tbsRequest: new TBSRequest({ requestList }) }))
}

/**
 * What the answer says of the certificate; null when it is not about it, not valid now, or not signed by the issuer or
 * whom it has entrusted (RFC 6960 4.2.2). @throws Error when it cannot be read
 */
export function readOcspResponse(
  response: Buffer,
  leaf: crypto.X509Certificate,
  issuer: crypto.X509Certificate,
  now: number,
): RevocationWord | null {
  const { responseStatus, responseBytes } = AsnConvert.parse(response, OCSPResponse)
  if (responseStatus !== OCSPResponseStatus.successful || responseBytes?.responseType !== id_pkix_ocsp_basic)
    return null
  const basic = AsnConvert.parse(responseBytes.response, BasicOCSPResponse)
  const signed = basic.tbsResponseDataRaw
  if (!signed) return null
  const signers = [
    issuer,
    ...(basic.certs ?? [])
      .map((one) => new crypto.X509Certificate(derOf(one)))
      .filter((one) => isEntrusted(one, issuer, now)),
  ]
  if (!signers.some((signer) => isSigned(signed, basic.signatureAlgorithm, basic.signature, signer))) return null
  const wanted = certificateId(leaf, issuer)
  const one = basic.tbsResponseData.responses.find(({ certID }) => isSameId(certID, wanted))
  if (!one) return null
  return inTime(stateOf(one), one.thisUpdate.getTime(), one.nextUpdate?.getTime() ?? null, now)
}

function stateOf({ certStatus }: SingleResponse): RevocationWord['state'] {
  if (certStatus.revoked) return 'revoked'
  return certStatus.good === undefined ? 'unknown' : 'good'
}

/** The parameters of the hash may be NULL or left out; all the rest has to be the same. */
function isSameId(id: CertID, wanted: CertID): boolean {
  const partsOf = ({ issuerNameHash, issuerKeyHash, serialNumber }: CertID) =>
    [issuerNameHash.buffer, issuerKeyHash.buffer, serialNumber].map((part) => bytesOf(part).toString('hex')).join(' ')
  return id.hashAlgorithm.algorithm === wanted.hashAlgorithm.algorithm && partsOf(id) === partsOf(wanted)
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

function isSigned(
  data: ArrayBuffer,
  { algorithm }: AlgorithmIdentifier,
  signature: ArrayBuffer,
  { publicKey }: crypto.X509Certificate,
): boolean {
  const digest = DIGESTS[algorithm]
  if (digest === undefined) return false
  try {
    return crypto.verify(digest, bytesOf(data), publicKey, bytesOf(signature))
  } catch {
    return false // a key of another kind than the signature
  }
}

function inTime(
  state: RevocationWord['state'],
  thisUpdate: number,
  nextUpdate: number | null,
  now: number,
): RevocationWord | null {
  return thisUpdate <= now + CLOCK_MS && (nextUpdate === null || nextUpdate > now) ? { state, nextUpdate } : null
}

/**
 * What the list says of the certificate; null when it is not the issuer's, or not valid now (RFC 5280 6.3). @throws
 * Error when it cannot be read
 */
export function readRevocationList(
  list: Buffer,
  leaf: crypto.X509Certificate,
  issuer: crypto.X509Certificate,
  now: number,
): RevocationWord | null {
  const { tbsCertList, tbsCertListRaw, signatureAlgorithm, signature } = AsnParser.parse(list, CertificateList, {
    berOptions: { maxNodes: MOST_NODES },
  })
  if (!tbsCertListRaw || !isSigned(tbsCertListRaw, signatureAlgorithm, signature, issuer)) return null
  const { serialNumber, issuer: wanted } = fieldsOf(leaf)
  if (!derOf(tbsCertList.issuer).equals(derOf(wanted))) return null
  const serial = bytesOf(serialNumber)
  const isRevoked = (tbsCertList.revokedCertificates ?? []).some(({ userCertificate }) =>
    bytesOf(userCertificate).equals(serial),
  )
  const next = tbsCertList.nextUpdate?.getTime().getTime() ?? null
  return inTime(isRevoked ? 'revoked' : 'good', tbsCertList.thisUpdate.getTime().getTime(), next, now)
}

/** Where the certificate's own authority answers: OCSP responders and lists, as the certificate names them. */
export function revocationUrls(certificate: crypto.X509Certificate): { ocsp: string[]; lists: string[] } {
  const ocsp = (certificate.infoAccess ?? '')
    .split('\n')
    .flatMap((line) => /^OCSP - URI:(http:\/\/.+)$/.exec(line)?.[1] ?? [])
  const extension = fieldsOf(certificate).extensions?.find(({ extnID }) => extnID === id_ce_cRLDistributionPoints)
  const points = extension ? AsnConvert.parse(extension.extnValue, CRLDistributionPoints) : []
  const lists = points.flatMap(({ distributionPoint }) =>
    (distributionPoint?.fullName ?? []).flatMap(({ uniformResourceIdentifier: url }) => url ?? []),
  )
  return { ocsp, lists: lists.filter((url) => url.startsWith('http://') || url.startsWith('https://')) }
}
