import crypto from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { AuthorityKeyIdentifier, Certificate, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509'

/**
 * The certificate's name in renewal information: base64url of the key identifier, a dot, base64url of the serial number
 * as DER has it (RFC 9773 4.1). Null when the certificate names no issuer's key.
 */
export function renewalIdentifier(certificatePem: string): string | null {
  const certificate = new crypto.X509Certificate(certificatePem)
  const issuer = keyIdentifier(certificate.raw)
  if (!issuer) return null
  const hex = certificate.serialNumber
  const serial = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  // A first bit of one would make the integer negative: DER puts a zero before it.
  const written = (serial[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), serial]) : serial
  return `${issuer.toString('base64url')}.${written.toString('base64url')}`
}

function keyIdentifier(der: Buffer): Buffer | null {
  const { extensions } = AsnConvert.parse(der, Certificate).tbsCertificate
  const found = extensions?.find(({ extnID }) => extnID === id_ce_authorityKeyIdentifier)
  const identifier = found && AsnConvert.parse(found.extnValue, AuthorityKeyIdentifier).keyIdentifier
  return identifier ? Buffer.from(identifier.buffer) : null
}
