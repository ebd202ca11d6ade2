import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { safeAddress, type LookUp } from './safe-address.ts'

/** `status` is null when no answer came, and `problem` says why. */
export type WebhookAnswer = {
  status: number | null
  problem: string | null
  address: string | null
  response: string | null
  tookMs: number
}

export type WebhookPost = {
  url: string
  headers: Record<string, string>
  body: string
  lookUp: LookUp
  allowPrivate: boolean
  timeoutMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 15_000
const EXCERPT = 2_000

/**
 * Posts to an address of somebody else's choice: it is looked up and checked once and then connected to, redirects are
 * not followed, and of the answer only the beginning is read.
 */
export async function postWebhook({
  url,
  headers,
  body,
  lookUp,
  allowPrivate,
  timeoutMs = TIMEOUT_MS,
  signal,
}: WebhookPost): Promise<WebhookAnswer> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  const target = URL.parse(url)
  if (!target) return { status: null, problem: 'not an address', address: null, response: null, tookMs: 0 }
  const found = await safeAddress(target, { lookUp, allowPrivate })
  if ('problem' in found)
    return {
      status: null,
      problem:
        found.problem === 'private' ? 'the name stands for an address of a private network' : 'the name has no address',
      address: null,
      response: null,
      tookMs: tookMs(),
    }
  const { address } = found
  try {
    const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    const { status, response } = await send(
      target,
      address,
      { ...headers, 'content-type': 'application/json', 'user-agent': 'Fairway-Webhooks/1' },
      body,
      ended,
    )
    return { status, problem: null, address, response, tookMs: tookMs() }
  } catch (error) {
    return { status: null, problem: problemOf(error, timeoutMs), address, response: null, tookMs: tookMs() }
  }
}

function send(
  target: URL,
  address: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; response: string }> {
  const isTls = target.protocol === 'https:'
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    const request = (isTls ? https : http).request(
      {
        host: address,
        port: target.port || (isTls ? 443 : 80),
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        agent: false,
        signal,
        headers: { ...headers, host: target.host, 'content-length': Buffer.byteLength(body) },
        // The certificate has to be the name's, though the address is connected to.
        ...(isTls && !net.isIP(host) ? { servername: host } : {}),
      },
      (answer) => {
        let text = ''
        const done = () =>
          resolve({ status: answer.statusCode ?? 0, response: text.slice(0, EXCERPT).replaceAll('\0', '') })
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
          if (text.length < EXCERPT) return
          done()
          answer.destroy()
        })
        answer.on('end', done)
        answer.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function problemOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || (error.cause instanceof Error && error.cause.name === 'TimeoutError'))
    return `no answer within ${timeoutMs / 1000} s`
  return error.message.slice(0, 300)
}
