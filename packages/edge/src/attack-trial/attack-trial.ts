import crypto from 'node:crypto'
import http from 'node:http'
import { type AttackTrialAnswer, type AttackTrialQuestion, SECURITY_ACTIONS, SECURITY_PARTS } from '@fairway/contract'
import { type TrialRequest, trialRequests } from '@fairway/domain'
import { type Config, localHost, nodeSecret } from '@fairway/platform'
import { z } from 'zod'
import type { Inspector } from '../inspection/inspector.ts'

const AT_ONCE = 4
/** A trial that takes longer is no help to who waits for it. */
const WHOLE_MS = 20_000
const EACH_MS = 5_000
/** As long as a request that says that it is a trial is believed. */
const TOKEN_SECONDS = 60

const Judged = z.object({
  stopped: z.boolean(),
  action: z.enum(SECURITY_ACTIONS),
  part: z.enum(['', ...SECURITY_PARTS]),
  ruleId: z.string(),
  reason: z.string(),
})
type Outcome = AttackTrialAnswer['outcomes'][number]
type Judgement = Omit<Outcome, 'id' | 'found'>
type Stricter = AttackTrialQuestion['stricter']

/**
 * Sends the catalogue through this node's own front door, each request signed as a trial: nginx says what it would do
 * and does not do it. Never throws: why it ended early is part of the answer.
 */
export async function attackTrial(
  { inspector }: { inspector: Inspector },
  config: Config,
  { host, stricter }: AttackTrialQuestion,
): Promise<AttackTrialAnswer> {
  const until = Math.floor(Date.now() / 1000) + TOKEN_SECONDS
  const secret = nodeSecret(config, 'clearance', 32).toString('base64url')
  const mark = crypto.createHmac('sha1', secret).update(`trial\n${host}\n${until}`).digest('hex')
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const end = performance.now() + WHOLE_MS
  const waiting = trialRequests().toReversed()
  const outcomes: Outcome[] = []
  let failed = ''
  // Asked for before the first domain needs it.
  if (stricter.length > 0) inspector.want()
  const work = async () => {
    for (let one = waiting.pop(); one && failed === ''; one = waiting.pop()) {
      try {
        if (performance.now() > end) throw new Error('it took too long')
        const judged = await sent(config, agent, host, `${until}.${mark}`, one)
        const found = judged.stopped ? [] : await stricterFindings(inspector, stricter, host, one)
        outcomes.push({ id: one.id, ...judged, found })
      } catch (error) {
        failed = error instanceof Error ? error.message : String(error)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  agent.destroy()
  return { node: config.nodeName, outcomes, failed }
}

function sent(
  { edgeHttp }: Config,
  agent: http.Agent,
  host: string,
  token: string,
  { method, target, headers, body }: TrialRequest,
): Promise<Judgement> {
  const bytes = Buffer.from(body, 'utf8')
  const options = {
    host: localHost(edgeHttp.host),
    port: edgeHttp.port,
    method,
    path: target,
    headers: {
      host,
      ...headers,
      'x-fairway-trial': token,
      ...(bytes.length > 0 ? { 'content-length': bytes.length } : {}),
    },
    agent,
    timeout: EACH_MS,
  }
  return new Promise((resolve, reject) => {
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (response.headers['x-fairway-trial'] === 'judged')
          try {
            return resolve(Judged.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
          } catch {
            return reject(new Error('the edge answers what cannot be read'))
          }
        // What is no request never comes as far as the rules.
        if (REFUSED.has(status))
          return resolve({ stopped: true, action: 'block', part: 'http', ruleId: '', reason: `${status}` })
        reject(new Error(`the edge answers ${status}`))
      })
    })
    request.on('timeout', () => request.destroy(new Error('the edge does not answer')))
    request.on('error', reject)
    request.end(bytes)
  })
}

const REFUSED: ReadonlySet<number> = new Set([400, 405, 413, 414, 431, 501, 505])

/** What could not be inspected found nothing: of that, no change is promised. */
function stricterFindings(
  inspector: Inspector,
  stricter: Stricter,
  host: string,
  { method, target, headers, body }: TrialRequest,
): Promise<Outcome['found']> {
  const request = {
    method,
    target,
    headers: Object.entries({ host, ...headers }).map(([name, value]) => ({ name, value })),
    body: Buffer.from(body, 'utf8'),
  }
  return Promise.all(stricter.map(({ scope, level }) => inspector.inspect(scope, level, request).catch(() => [])))
}
