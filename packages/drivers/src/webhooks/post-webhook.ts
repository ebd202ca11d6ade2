import type { ClientRequest } from 'node:http'
import { type OutgoingGate, OutgoingRefusal, type Sender } from '@fairway/platform'

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
  gate: OutgoingGate
  sender: Sender
  timeoutMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 15_000
const EXCERPT = 2_000
const MOST_BYTES = 1 << 20

/**
 * Posts to an address of somebody else's choice: redirects are not followed, and of the answer only the beginning is
 * read.
 */
export async function postWebhook(post: WebhookPost): Promise<WebhookAnswer> {
  const startedAt = performance.now()
  const timeoutMs = post.timeoutMs ?? TIMEOUT_MS
  let address: string | null = null
  try {
    const url = URL.parse(post.url)
    if (!url) throw new Error('not an address')
    const { request, peer } = await post.gate.request(post.sender, {
      url,
      method: 'POST',
      timeoutMs,
      mostBytes: MOST_BYTES,
      ...(post.signal ? { signal: post.signal } : {}),
      headers: {
        ...post.headers,
        'content-type': 'application/json',
        'user-agent': 'Fairway-Webhooks/1',
        'content-length': Buffer.byteLength(post.body),
      },
    })
    address = peer.host
    const answer = await answerTo(request, post.body)
    return { ...answer, problem: null, address, tookMs: Math.round(performance.now() - startedAt) }
  } catch (error) {
    const problem = problemOf(error, timeoutMs)
    return { status: null, problem, address, response: null, tookMs: Math.round(performance.now() - startedAt) }
  }
}

function answerTo(request: ClientRequest, body: string): Promise<{ status: number; response: string }> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (answer) => {
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
    })
    request.end(body)
  })
}

function problemOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OutgoingRefusal) return error.message
  if (error.name === 'TimeoutError' || (error.cause instanceof Error && error.cause.name === 'TimeoutError'))
    return `no answer within ${timeoutMs / 1000} s`
  return error.message.slice(0, 300)
}
