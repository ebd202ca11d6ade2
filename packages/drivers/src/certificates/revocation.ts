import type crypto from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { safeAddress, type LookUp } from '../webhooks/safe-address.ts'
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
export type RevocationOptions = { hosts: readonly string[]; lookUp: LookUp; now: number; timeoutMs?: number }

/** `unknown`: nobody that may be asked has said anything that holds. `response` is what can be stapled. */
export type Revocation = RevocationWord & { response: Buffer | null }

const TIMEOUT_MS = 4_000
const BIGGEST_BYTES = 20 << 20

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
  fetch: () => Promise<Buffer | null>,
  read: (bytes: Buffer) => RevocationWord | null,
): Promise<Revocation | null> {
  try {
    const response = await fetch()
    const said = response === null ? null : read(response)
    return said && { ...said, response }
  } catch {
    return null
  }
}

async function ask(
  address: string,
  { hosts, lookUp, timeoutMs = TIMEOUT_MS }: RevocationOptions,
  body?: Buffer,
): Promise<Buffer | null> {
  const url = new URL(address)
  const isNamed = hosts.includes(url.hostname) || hosts.includes(url.host)
  if (!isNamed && !hosts.includes('*')) return null
  const target = await safeAddress(url, { lookUp, allowPrivate: isNamed })
  return 'problem' in target ? null : bytesOf(url, target.address, AbortSignal.timeout(timeoutMs), body)
}

function bytesOf(url: URL, address: string, signal: AbortSignal, body?: Buffer): Promise<Buffer | null> {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(
      {
        host: address,
        port: url.port || (secure ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        method: body ? 'POST' : 'GET',
        agent: false,
        signal,
        headers: {
          host: url.host,
          ...(body ? { 'content-type': 'application/ocsp-request', 'content-length': body.length } : {}),
        },
        ...(secure && !net.isIP(host) ? { servername: host } : {}),
      },
      (answer) => {
        const chunks: Buffer[] = []
        let length = 0
        answer.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length > BIGGEST_BYTES) request.destroy(new Error('more than anybody needs'))
          else chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () => resolve(answer.statusCode === 200 ? Buffer.concat(chunks) : null))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
