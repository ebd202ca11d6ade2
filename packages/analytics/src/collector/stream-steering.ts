import crypto from 'node:crypto'
import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import {
  LIMITS,
  type PathwayAnswer,
  type PathwayQuestion,
  type ScoresSnapshot,
  StreamBalance,
  type Visitor,
} from '@fairway/contract'
import { ENTRY_PATHWAY, nextPoint, steerPlayer, steeringManifest } from '@fairway/domain'
import { ControlError, type Geo, type GeoHit, type Log } from '@fairway/platform'
import { type Client, clientOf, clientReader } from './client-address.ts'
import { RateLimit } from './rate-limit.ts'

const PATH = /^\/steer\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
/** Eight digits are the draw, the rest tells sessions apart. */
const SESSION = /^[0-9a-f]{24}$/
const PATHWAY = /^[\w.-]{1,253}$/
const PORT = /^[1-9]\d{0,4}$/
const URL_MOST = 4_096
/** Many viewers stand behind one address: each asks once in ten seconds. */
const PLAYERS_PER_NETWORK = { perSecond: 200, burst: 2_000 }
const MOST_THROUGHPUT = 2 ** 40
/** Answers remembered for who asks why: of one balancer, and of all. */
const KEPT_OF_ONE = 1_000
const KEPT_OF_ALL = 5_000
const GONE_KEPT = 10_000

/** Any page may play, and may read which decision it was. */
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-decision-id',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export type StreamSteeringOptions = {
  /** Where documents are kept, for a start without the API. */
  folder: string
  node: string
  trustedProxies: readonly string[]
  geo: Geo
  scoresOf: (organizationId: string) => ScoresSnapshot | null
  /** What became of each question. */
  counted: (result: 'answered' | 'unknown' | 'gone' | 'refused' | 'rate-limited') => void
  log: Log
}

type Answer = Omit<PathwayAnswer, 'node'> & { balancerId: string }

export const isSteeringPath = (path: string): boolean => path.startsWith('/steer/')

/**
 * Tells players which pathway to take (HLS content steering, RFC 8216bis 7; DASH players read the same). Everything it
 * needs is in memory and on its own disk: it answers on without API, database and event store.
 */
export class StreamSteering {
  readonly #options: StreamSteeringOptions
  readonly #folder: string
  readonly #balances = new Map<string, StreamBalance>()
  readonly #gone = new Set<string>()
  readonly #points = new Map<string, number>()
  readonly #answers = new Map<string, Answer>()
  readonly #counts = new Map<string, number>()
  readonly #limit = new RateLimit(PLAYERS_PER_NETWORK)
  readonly #clientOf: ReturnType<typeof clientReader>
  readonly #hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }

  constructor(options: StreamSteeringOptions) {
    this.#options = options
    this.#folder = path.join(options.folder, 'stream-balances')
    this.#clientOf = clientReader(options.trustedProxies)
    fs.mkdirSync(this.#folder, { recursive: true })
    for (const name of fs.readdirSync(this.#folder).filter((file) => file.endsWith('.json'))) {
      try {
        const balance = StreamBalance.parse(JSON.parse(fs.readFileSync(path.join(this.#folder, name), 'utf8')))
        this.#balances.set(balance.balancerId, balance)
      } catch (error) {
        options.log.error({ event: 'steering.balance-damaged', file: name, err: error })
      }
    }
  }

  /** Takes a published balancer, or that it is no more. */
  apply(key: string, balance: StreamBalance | null): void {
    const file = path.join(this.#folder, `${key}.json`)
    if (!PATH.test(`/steer/${key}`)) throw new Error(`${key} is no balancer's id`)
    if (balance === null) {
      fs.rmSync(file, { force: true })
      this.#balances.delete(key)
      if (this.#gone.size < GONE_KEPT) this.#gone.add(key)
      this.#points.delete(key)
      return
    }
    fs.writeFileSync(`${file}.new`, JSON.stringify(balance))
    fs.renameSync(`${file}.new`, file)
    this.#balances.set(key, balance)
    this.#gone.delete(key)
  }

  keys(): Iterable<string> {
    return this.#balances.keys()
  }

  /** What a player gets. Nothing of its question is in the answer but pathways and a session that we know the form of. */
  serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { counted } = this.#options
    const end = (status: number, result: Parameters<typeof counted>[0], more: Record<string, string> = {}) => {
      counted(result)
      response.writeHead(status, { ...OPEN, ...more }).end()
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'refused', { allow: 'GET, HEAD' })
    const text = request.url ?? ''
    if (text.length > URL_MOST) return end(414, 'refused')
    const client = this.#clientOf(request)
    if (!client) return end(400, 'refused')
    if (!this.#limit.take(client.network, performance.now())) return end(429, 'rate-limited', { 'retry-after': '10' })
    const [at = '', query = ''] = text.split('?', 2)
    const id = PATH.exec(at)?.[1] ?? ''
    const balance = this.#balances.get(id)
    // Gone is for good: players stop asking. One that we have not heard of yet is asked for again.
    if (!balance) return this.#gone.has(id) ? end(410, 'gone') : end(404, 'unknown')
    const said = readQuery(new URLSearchParams(query), balance)
    if (said === null) return end(400, 'refused')
    const session = said.session ?? this.#newSession(id)
    const now = Date.now()
    const visitor = this.#visitor(client)
    const { priority, decision } = steerPlayer({
      balance,
      scores: this.#options.scoresOf(balance.organizationId),
      visitor,
      point: Number.parseInt(session.slice(0, 8), 16),
      previous: said.pathway,
      now,
    })
    const decisionId = crypto.randomBytes(12).toString('base64url')
    this.#remember({
      balancerId: id,
      decisionId,
      session,
      priority,
      visitor,
      decision,
      decidedAt: now,
      said: { pathway: said.pathway, throughput: said.throughput },
    })
    const manifest = steeringManifest({
      priority,
      pathways: balance.pathways,
      known: said.known,
      ttlSeconds: balance.ttlSeconds,
      port: said.port,
      reloadUri: `${at}?p=${said.known.join(',')}${said.port.replace(':', '&port=')}&s=${session}`,
    })
    counted('answered')
    const body = JSON.stringify(manifest)
    response.writeHead(200, {
      ...OPEN,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-decision-id': decisionId,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  /** @throws ControlError 404 when nobody was answered so, or it was too long ago */
  why({ balancerId, decision, session, client }: PathwayQuestion): PathwayAnswer {
    const { node } = this.#options
    if (client !== undefined) return { ...this.#atAddress(balancerId, client), node }
    const found =
      decision === undefined
        ? [...this.#answers.values()].findLast((one) => one.session === session && one.balancerId === balancerId)
        : this.#answers.get(decision)
    if (!found || found.balancerId !== balancerId) throw new ControlError(404, 'no such decision is remembered')
    const { balancerId: _, ...answer } = found
    return { ...answer, node }
  }

  #atAddress(balancerId: string, address: string): Omit<PathwayAnswer, 'node'> {
    const balance = this.#balances.get(balancerId)
    const client = clientOf(address)
    if (!balance || !client) throw new ControlError(404, 'this balancer is not served here')
    const now = Date.now()
    const known = this.#visitor(client)
    const visitor = { ...known, address, prefixLength: client.family === 4 ? 32 : 128 }
    const scores = this.#options.scoresOf(balance.organizationId)
    const { priority, decision } = steerPlayer({ balance, scores, visitor, point: null, previous: null, now })
    const said = { pathway: null, throughput: null }
    return { decisionId: null, session: null, priority, visitor, decision, decidedAt: now, said }
  }

  /** Its place is found by the whole address; only the network of it is kept. */
  #visitor({ bytes, family }: Client): Visitor {
    this.#options.geo.find(bytes, 0, family, this.#hit)
    const location = this.#options.geo.location(this.#hit.place, this.#hit.network)
    if (family === 4) return { address: `${[...bytes.subarray(0, 3)].join('.')}.0`, prefixLength: 24, location }
    const words = [0, 2, 4].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16))
    return { address: `${words.join(':')}::`, prefixLength: 48, location }
  }

  #newSession(balancerId: string): string {
    const point = nextPoint(this.#points.get(balancerId) ?? crypto.randomBytes(4).readUInt32BE())
    this.#points.set(balancerId, point)
    return `${point.toString(16).padStart(8, '0')}${crypto.randomBytes(8).toString('hex')}`
  }

  #remember(answer: Answer): void {
    const { balancerId } = answer
    this.#answers.set(answer.decisionId ?? '', answer)
    const count = (this.#counts.get(balancerId) ?? 0) + 1
    this.#counts.set(balancerId, count)
    // The oldest goes: of this balancer when it has its share, so that one cannot push out the others.
    if (count <= KEPT_OF_ONE && this.#answers.size <= KEPT_OF_ALL) return
    for (const [id, old] of this.#answers)
      if (count <= KEPT_OF_ONE || old.balancerId === balancerId) {
        this.#answers.delete(id)
        this.#counts.set(old.balancerId, (this.#counts.get(old.balancerId) ?? 1) - 1)
        return
      }
  }
}

type Said = {
  session: string | null
  known: string[]
  pathway: string | null
  throughput: number | null
  /** Of copies of a pathway, with a colon in front; empty where players take that of what is copied. */ port: string
}

/** What a player says; null when that has not the form that ours or the standard's is. */
function readQuery(query: URLSearchParams, { pathways }: StreamBalance): Said | null {
  const session = query.get('s')
  if (session !== null && !SESSION.test(session)) return null
  const named = (query.get('p') ?? '').split(',').filter((id) => id !== '')
  if (named.length > LIMITS.streamCdns || !named.every((id) => PATHWAY.test(id))) return null
  const isOurs = (id: string) => pathways.some((one) => one.id === id)
  const port = query.get('port')
  if (port !== null && !PORT.test(port)) return null
  const told = (query.get('_HLS_pathway') ?? lastOf(query.get('_DASH_pathway'))).replaceAll('"', '')
  const bits = Number(query.get('_HLS_throughput') ?? lastOf(query.get('_DASH_throughput')))
  return {
    session,
    known: [...new Set(named)].filter((one) => one === ENTRY_PATHWAY || isOurs(one)),
    pathway: isOurs(told) ? told : null,
    throughput: Number.isSafeInteger(bits) && bits > 0 && bits < MOST_THROUGHPUT ? bits : null,
    port: port === null ? '' : `:${port}`,
  }
}

/** Players of DASH name all that they used since they asked last, with a throughput for each. */
const lastOf = (list: string | null): string => list?.split(',').at(-1) ?? ''
