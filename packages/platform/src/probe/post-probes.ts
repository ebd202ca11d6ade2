import http from 'node:http'
import https from 'node:https'
import type { ProbeResult } from '@fairway/contract'
import { trustApiAuthorities } from '../api-authorities.ts'
import { CollectorChoice, collectorAuthorization } from '../collectors.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'

export type ProbePost = { add(result: ProbeResult): void; stop(): void }

/** A failure is sent at once, since steering waits for it; good news travels in batches. */
const BATCH_MS = 250
/** Old results are worth nothing: when the collector is away, the newest of them are kept. */
const WAITING_MOST = 2000
const POST_TIMEOUT_MS = 2000

/**
 * Sends results to every collector, since any of them may have to build the scores, one post at a time to each; nothing
 * is repeated, nothing waits for the answer. One of them writes them down, the others only hear.
 * @param isKept they are written down already: all collectors only hear of them
 */
export function postProbes(config: Config, node: string, log: Log, isKept = false): ProbePost {
  const choice = new CollectorChoice(config)
  const posts = choice.urls.map((url) =>
    postTo(config, log, {
      url,
      bodyOf: (results) => {
        const isHeardOnly = isKept || !choice.isFirst(url)
        return JSON.stringify({ node, results, ...(isHeardOnly ? { isHeardOnly } : {}) })
      },
      onAway: () => choice.noteAway(url),
    }),
  )
  return {
    add: (result) => {
      for (const post of posts) post.add(result)
    },
    stop: () => {
      for (const post of posts) post.stop()
    },
  }
}

function postTo(
  config: Config,
  log: Log,
  { url, bodyOf, onAway }: { url: string; bodyOf: (results: ProbeResult[]) => string; onAway: () => void },
): ProbePost {
  const client = url.startsWith('https:') ? https : http
  const agent = new client.Agent({ keepAlive: true, maxSockets: 1 })
  const authorization = collectorAuthorization(config)
  let waiting: ProbeResult[] = []
  let timer: NodeJS.Timeout | null = null
  let sending = false
  let failures = 0

  const send = () => {
    timer = null
    if (sending || waiting.length === 0) return
    sending = true
    const body = bodyOf(waiting.splice(0, 500))
    const done = (problem: string | null) => {
      if (!sending) return
      sending = false
      if (problem === null) failures = 0
      else {
        onAway()
        if (failures++ % 60 === 0) log.warn({ event: 'prober.collector-away', url, problem })
      }
      if (waiting.length > 0) schedule(BATCH_MS)
    }
    try {
      trustApiAuthorities(config)
    } catch (error) {
      return done(error instanceof Error ? error.message : String(error))
    }
    const request = client.request(`${url}/probes/`, {
      agent,
      method: 'POST',
      timeout: POST_TIMEOUT_MS,
      headers: { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    request.on('response', (response) => {
      response.resume()
      response.on('close', () => done((response.statusCode ?? 500) < 300 ? null : `status ${response.statusCode}`))
    })
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => done(error.message))
    request.end(body)
  }
  const schedule = (ms: number) => {
    if (timer && ms > 0) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(send, ms)
  }
  return {
    add(result) {
      waiting.push(result)
      if (waiting.length > WAITING_MOST) waiting = waiting.slice(-WAITING_MOST)
      schedule(result.ok ? BATCH_MS : 0)
    },
    stop() {
      if (timer) clearTimeout(timer)
      waiting = []
      agent.destroy()
    },
  }
}
