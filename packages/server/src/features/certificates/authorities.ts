import fs from 'node:fs'
import type { AuthorityId } from '@fairway/contract'
import { acmeAuthority, type CertificateAuthority } from '@fairway/drivers'
import type { Config } from '@fairway/platform'

export const AUTHORITY_NAMES: Record<AuthorityId, string> = { 'lets-encrypt': 'Let’s Encrypt', 'zero-ssl': 'ZeroSSL' }

/** CAA issuers of each authority (RFC 8659 4.2). */
export const AUTHORITY_ISSUERS: Record<AuthorityId, readonly string[]> = {
  'lets-encrypt': ['letsencrypt.org'],
  'zero-ssl': ['sectigo.com', 'zerossl.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
}

/**
 * Address of the authority's directory; null while the installation names none: nothing is asked of the internet unless
 * a setting says so.
 */
export function directoryOf(config: Config, authority: AuthorityId): string | null {
  return (authority === 'zero-ssl' ? config.acmeZeroSslUrl : config.acmeLetsEncryptUrl) || null
}

export function openAuthority(config: Config, authority: AuthorityId): CertificateAuthority | null {
  const directoryUrl = directoryOf(config, authority)
  if (directoryUrl === null) return null
  const binding =
    authority === 'zero-ssl' && config.acmeZeroSslKeyId
      ? { keyId: config.acmeZeroSslKeyId, hmacKey: config.acmeZeroSslHmacKey }
      : null
  return acmeAuthority({
    directoryUrl,
    contact: config.acmeContact,
    binding,
    trustedRoots: config.acmeRootsFile ? fs.readFileSync(config.acmeRootsFile, 'utf8') : null,
  })
}
