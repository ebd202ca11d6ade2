import crypto from 'node:crypto'
import type http from 'node:http'
import { WHIP_PATH } from '@fairway/contract'
import { type Config, type Log, webrtcAddresses, whipSecret } from '@fairway/platform'
import type { Sink } from '../rtmp/publisher.ts'
import type { LiveRow } from '../store.ts'
import { SLOW_MS, type WrongKeys, wait } from '../wrong-keys.ts'
import type { Door } from './door.ts'
import { WhipPublisher } from './publisher.ts'
import { SdpError } from './sdp.ts'

const MOST_OFFER_BYTES = 64 << 10
/** Of those that are not connected yet, each of which makes keys of its own. */
const MOST_BEGINNING = 16
const MOST_BEGINNING_OWN = 4
/** Who waits behind wrong keys. */
const MOST_ASKING = 512
const MOST_ASKING_OWN = 16
const RETRY_SECONDS = 5

/** Why nobody may send now: `why` is for programs. */
export class WhipRefusal extends Error {
  readonly status: number
  readonly why: string
  constructor(status: number, why: string) {
    super(why)
    this.status = status
    this.why = why
  }
}

/** Words beside `why` for who reads them in an encoder. */
const WORDS: Readonly<Record<string, string>> = {
  away: 'No encoder is here at the moment',
  off: 'The transcoder of this stream is off',
  'too-many': 'As many live streams as there may be are on air',
  'no-room': 'The disk is nearly full',
  key: 'No stream has this key',
  offer: 'The offer is not taken',
  gone: 'There is no such session',
}

type WhipNeeds = {
  config: Config
  log: Log
  /** Null where it is not offered: nobody is answered. */
  door: Door | null
  wrong: WrongKeys
  /** The stream of a key or token; null for a wrong one. */
  find: (bearer: string) => Promise<LiveRow | null>
  /** @throws WhipRefusal while nobody may send to it */
  mayBegin: (row: LiveRow) => void
  begin: (row: LiveRow, publisher: WhipPublisher) => Promise<Sink>
}

type Session = { publisher: WhipPublisher; row: LiveRow; bearer: string }

export type Whip = {
  isAsked(path: string): boolean
  answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void>
  facts(): { whipSessions: number }
  close(): void
}

/** WebRTC-HTTP ingestion (RFC 9725). Only the API is answered here, which passes on what comes to it. */
export function startWhip({ config, log, door, wrong, find, mayBegin, begin }: WhipNeeds): Whip {
  const sessions = new Map<string, Session>()
  const secret = digest(whipSecret(config))
  const asking = new Set<{ from: string | null }>()
  const admit = async (bearer: string, from: string | null, gone: AbortSignal): Promise<LiveRow> => {
    // A place that is not known stands for many.
    const own = from === null ? 0 : [...asking].filter((one) => one.from === from).length
    if (asking.size >= MOST_ASKING || own >= MOST_ASKING_OWN) throw new WhipRefusal(503, 'away')
    const one = { from }
    asking.add(one)
    try {
      await wrong.hold(from, gone)
      const row = bearer === '' ? null : await find(bearer)
      if (row) {
        wrong.forgive(from)
        return row
      }
      wrong.note(from, bearer)
      await wait(SLOW_MS, gone)
      throw new WhipRefusal(401, 'key')
    } finally {
      asking.delete(one)
    }
  }
  const post = async (bearer: string, from: string | null, offer: string, gone: AbortSignal) => {
    const row = await admit(bearer, from, gone)
    mayBegin(row)
    const addresses = webrtcAddresses(config)
    if (!door?.isOpen() || config.webrtcListen === null || addresses.length === 0) throw new WhipRefusal(503, 'away')
    const beginning = [...sessions.values()].filter(({ publisher }) => !publisher.isConnected)
    // Who tries again takes the place of its own.
    for (const one of beginning) if (one.row.id === row.id) one.publisher.close()
    const others = beginning.filter((one) => one.row.id !== row.id)
    const own = others.filter((one) => one.row.organization_id === row.organization_id)
    if (others.length >= MOST_BEGINNING || own.length >= MOST_BEGINNING_OWN) throw new WhipRefusal(503, 'too-many')
    const id = crypto.randomUUID()
    const publisher = new WhipPublisher({
      door,
      addresses,
      port: config.webrtcListen.port,
      keyFrameSeconds: row.key_frame_seconds,
      begin: (one) => begin(row, one),
      closed: () => sessions.delete(id),
    })
    sessions.set(id, { publisher, row, bearer: digest(bearer) })
    try {
      return { id, ...(await publisher.answer(offer)) }
    } catch (error) {
      publisher.close()
      throw error instanceof SdpError ? new WhipRefusal(400, 'offer') : error
    }
  }
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    // Whoever is not the API, such as visitors of an edge, does not know of this.
    if (digest(String(request.headers['x-fairway-node'] ?? '')) !== secret) return void response.writeHead(404).end()
    const id = (request.url ?? '').slice(WHIP_PATH.length + 1)
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const from = String(request.headers['x-fairway-from'] ?? '') || null
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      if (request.method === 'POST' && id === '') {
        const made = await post(bearer, from, await textOf(request), gone.signal)
        response.writeHead(201, {
          'content-type': 'application/sdp',
          location: `${WHIP_PATH}/${made.id}`,
          etag: `"${made.name}"`,
        })
        return void response.end(made.sdp)
      }
      const session = sessions.get(id)
      if (session === undefined || digest(bearer) !== session.bearer) throw new WhipRefusal(404, 'gone')
      if (request.method !== 'DELETE') return void response.writeHead(405, { allow: 'DELETE' }).end()
      session.publisher.close()
      response.writeHead(200).end()
    } catch (error) {
      if (!(error instanceof WhipRefusal) && !gone.signal.aborted) log.warn({ event: 'live.whip-fails', err: error })
      const { status, why } = error instanceof WhipRefusal ? error : { status: 503, why: 'away' }
      response.writeHead(status, {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        ...(status === 401 && { 'www-authenticate': 'Bearer' }),
        ...(status === 503 && { 'retry-after': `${RETRY_SECONDS}` }),
      })
      response.end(JSON.stringify({ type: 'about:blank', status, title: WORDS[why] ?? why, why }))
    }
  }
  return {
    isAsked: (path) => door !== null && (path === WHIP_PATH || path.startsWith(`${WHIP_PATH}/`)),
    answer,
    facts: () => ({ whipSessions: sessions.size }),
    close() {
      for (const { publisher } of sessions.values()) publisher.close()
    },
  }
}

const digest = (text: string): string => crypto.hash('sha256', text, 'base64')

async function textOf(request: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MOST_OFFER_BYTES) throw new WhipRefusal(413, 'offer')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
