import crypto from 'node:crypto'

/** DER of the OID 2.5.29.35, the authority key identifier (RFC 5280 4.2.1.1). */
const AUTHORITY_KEY_IDENTIFIER = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x23])

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

/** `[0] keyIdentifier` inside the extension's octet string. */
function keyIdentifier(der: Buffer): Buffer | null {
  const at = der.indexOf(AUTHORITY_KEY_IDENTIFIER)
  if (at < 0) return null
  const extension = der.subarray(at + AUTHORITY_KEY_IDENTIFIER.length)
  // OCTET STRING { SEQUENCE { [0] … } }, each shorter than 128 bytes.
  if (extension[0] !== 0x04 || extension[2] !== 0x30 || extension[4] !== 0x80) return null
  const length = extension[5] ?? 0
  return length > 0 && length < 128 ? Buffer.from(extension.subarray(6, 6 + length)) : null
}
