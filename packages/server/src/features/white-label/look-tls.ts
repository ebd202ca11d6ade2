import fs from 'node:fs'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { WhiteLabelState } from '@fairway/contract'
import type { Config, OutgoingGate } from '@fairway/platform'

const LONGEST_MS = 8_000
/** The answer itself says nothing: whoever connects has been shown the certificate by then. */
const MOST_BYTES = 65_536
/** OpenSSL's and Node's words for a certificate that browsers would not take either. */
const CERTIFICATE_FAULTS =
  /^(?:ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER|VERIFY)|HOSTNAME_MISMATCH|ERR_SSL_)/

/** Begins what was seen where the alias is right and the certificate is not. */
const TLS = 'TLS: '

/**
 * What browsers meet at a host name of the console, where that is served by TLS: the alias leads there, but what is
 * shown may be the certificate of the installation's own name. `unknown` where nobody could connect from here.
 */
export async function tlsSeen(
  { config, gate }: { config: Config; gate: OutgoingGate },
  partnerId: string,
  name: string,
  alias: string[],
): Promise<{ state: WhiteLabelState; seen: string[] }> {
  const url = new URL(config.publicUrl)
  url.hostname = name
  url.pathname = '/'
  try {
    await gate.exchange(
      { organizationId: partnerId, purpose: 'nameserver' },
      {
        url,
        method: 'HEAD',
        timeoutMs: LONGEST_MS,
        mostBytes: MOST_BYTES,
        ...(config.acmeRootsFile ? { secureContext: withRoots(fs.readFileSync(config.acmeRootsFile, 'utf8')) } : {}),
      },
    )
    return { state: 'good', seen: alias }
  } catch (error) {
    const { code = '', message = '' } = error as NodeJS.ErrnoException
    return CERTIFICATE_FAULTS.test(code)
      ? { state: 'wrong', seen: [`${TLS}${message}`] }
      : { state: 'unknown', seen: [] }
  }
}

/** Roots of an authority of one's own, beside the system's. */
const withRoots = (pem: string) => createSecureContext({ ca: [...getCACertificates('default'), pem] })
