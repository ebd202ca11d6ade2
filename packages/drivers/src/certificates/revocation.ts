import type crypto from 'node:crypto'
import type { OutgoingGate, Sender } from '@fairway/platform'
import {
  ocspRequest,
  readOcspResponse,
  readRevocationList,
  revocationUrls,
  type RevocationWord,
} from './revocation-format.ts'

/**
 * `hosts` are those that may be asked; `*` is every one that is not in a network of our own. A host that is named may
 * be anywhere.
 */
export type RevocationOptions = {
  hosts: readonly string[]
  gate: OutgoingGate
  sender: Sender
  now: number
  timeoutMs?: number
}

/** `unknown`: nobody that may be asked has said anything that holds. `response` is what can be stapled. */
export type Revocation = RevocationWord & { response: Buffer | null }

const TIMEOUT_MS = 4_000
/** Of a list: 55,000 certificates, read in about a second. Authorities split theirs (RFC 5280 5.2.5). */
const BIGGEST_BYTES = 2 << 20
/** Lists move; RFC 5280 4.2.1.13 says nothing of it, and authorities do it. */
const REDIRECTS = 2

/**
 * Whether the certificate's authority has revoked it: its responder is asked, and where that does not help, its list.
 * Never rejects.
 */
export async function revocationOf(
  leaf: crypto.X509Certificate,
  issuer: crypto.X509Certificate,
  options: RevocationOptions,
): Promise<Revocation> {
  const urls = revocationUrls(leaf)
  const body = ocspRequest(leaf, issuer)
  for (const url of urls.ocsp) {
    const said = await word(
      () => ask(url, options, body),
      (bytes) => readOcspResponse(bytes, leaf, issuer, options.now),
    )
    if (said && said.state !== 'unknown') return said
  }
  for (const url of urls.lists) {
    const said = await word(
      () => ask(url, options),
      (bytes) => readRevocationList(bytes, leaf, issuer, options.now),
    )
    if (said) return { ...said, response: null }
  }
  return { state: 'unknown', nextUpdate: null, response: null }
}

/** Responders are often away, and what comes may be anything; the next source is asked then. */
async function word(
  asked: () => Promise<Buffer | null>,
  read: (bytes: Buffer) => RevocationWord | null,
): Promise<Revocation | null> {
  try {
    const response = await asked()
    const said = response === null ? null : read(response)
    return said && { ...said, response }
  } catch {
    return null
  }
}

async function ask(address: string, options: RevocationOptions, body?: Buffer): Promise<Buffer | null> {
  const url = new URL(address)
  const isNamed = options.hosts.includes(url.hostname) || options.hosts.includes(url.host)
  if (!isNamed && !options.hosts.includes('*')) return null
  const answer = await options.gate.exchange(options.sender, {
    url,
    // A redirect leads to whom nobody has named.
    ...(isNamed ? { own: true } : { redirects: REDIRECTS }),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    mostBytes: BIGGEST_BYTES,
    ...(body
      ? { method: 'POST', body, headers: { 'content-type': 'application/ocsp-request', 'content-length': body.length } }
      : {}),
  })
  return answer.status === 200 ? answer.body : null
}
