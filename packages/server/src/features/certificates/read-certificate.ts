import crypto from 'node:crypto'
import type { CertificateDetails } from '@fairway/contract'

/** Certificates of a PEM text, in order; null when a block does not end or holds no certificate. */
export function certificatesIn(pem: string): crypto.X509Certificate[] | null {
  if (count(pem, /-----BEGIN CERTIFICATE-----/g) !== count(pem, /-----END CERTIFICATE-----/g)) return null
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new crypto.X509Certificate(block))
  } catch {
    return null
  }
}

/**
 * DNS names of a certificate: its alternative names, lower case (RFC 6125 6.4.4: the common name counts only where
 * there are none).
 */
export function namesOf(certificate: crypto.X509Certificate): string[] {
  const alternatives = (certificate.subjectAltName ?? '')
    .split(', ')
    .flatMap((entry) => (entry.startsWith('DNS:') ? [entry.slice(4).toLowerCase()] : []))
  const common = commonNameOf(certificate).toLowerCase()
  return [...new Set(alternatives.length > 0 ? alternatives : common ? [common] : [])]
}

export function commonNameOf({ subject }: crypto.X509Certificate): string {
  return lineOf(subject, 'CN')
}

export function detailsOf(certificate: crypto.X509Certificate): CertificateDetails {
  return {
    commonName: commonNameOf(certificate),
    names: namesOf(certificate),
    issuer:
      lineOf(certificate.issuer, 'CN') || lineOf(certificate.issuer, 'O') || certificate.issuer.replaceAll('\n', ', '),
    serialNumber: certificate.serialNumber.match(/../g)?.join(':') ?? certificate.serialNumber,
    publicKey: publicKeyOf(certificate.publicKey),
    signatureAlgorithm: certificate.signatureAlgorithm ?? '',
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    fingerprint: certificate.fingerprint256,
  }
}

/** Of the first certificate of a chain that an authority has answered. */
export function detailsOfChain(pem: string): CertificateDetails {
  const [leaf] = certificatesIn(pem) ?? []
  if (!leaf) throw new Error('the authority answered no certificate')
  return detailsOf(leaf)
}

function publicKeyOf({ asymmetricKeyType, asymmetricKeyDetails }: crypto.KeyObject): string {
  if (asymmetricKeyType === 'rsa') return `RSA ${asymmetricKeyDetails?.modulusLength ?? ''}`.trim()
  if (asymmetricKeyType === 'ec')
    return `EC ${asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'P-256' : asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : (asymmetricKeyDetails?.namedCurve ?? '')}`.trim()
  return asymmetricKeyType ?? ''
}

const lineOf = (subject: string | undefined, name: string): string =>
  (subject ?? '')
    .split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? ''
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
