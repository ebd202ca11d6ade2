import crypto from 'node:crypto'
import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { PEER_CLOSE, PeerMessage, type PeerRoom, type RoomMessage, StreamPeersDocument } from '@fairway/contract'
import { isDataSession } from '@fairway/domain'
import type { Log, peerTokens, peersReader } from '@fairway/platform'
import { WebSocket, WebSocketServer } from 'ws'
import { type Client, clientReader } from './client-address.ts'
import { OPEN_TO_PAGES } from './open-to-pages.ts'
import { RateLimit } from './rate-limit.ts'

/** A school or a company stands behind one network. */
const ASKED_PER_NETWORK = { perSecond: 5, burst: 150 }
const MEMBERS_PER_NETWORK = 300
const MEMBERS = 20_000
/** Large audiences have many rooms: everybody in one is somebody whom any other may meet. */
const ROOM_MOST = 60
const INTRODUCED_AT_ONCE = 5
const INTRODUCED_IN_ALL = 40
const MORE_EVERY_MS = 15_000
const TOKEN_SECONDS = 60
const MESSAGE_BYTES = 8_192
const MESSAGES = { perSecond: 1, burst: 30 }
/** Rows behind which a member that does not read is let go. */
const UNSENT_BYTES = 65_536
const PING_MS = 30_000
const ROOM = /^\/peers\/([\w.-]{1,160})$/

type PeersResult =
  | 'peers'
  | 'control'
  | 'off'
  | 'unknown-address'
  | 'rate-limited'
  | 'refused'
  | 'joined'
  | 'full'
  | 'rude'
export type StreamPeersOptions = {
  /** Where documents are kept, for a start without the API. */
  folder: string
  trustedProxies: readonly string[]
  /** Under which browsers reach this collector. */
  url: string
  stun: readonly string[]
  readPath: ReturnType<typeof peersReader>
  tokens: ReturnType<typeof peerTokens>
  /** What became of each question and each connection. */
  counted: (result: PeersResult) => void
  log: Log
}

type Member = {
  id: string
  session: string
  network: string
  socket: WebSocket
  room: Room
  /** Whom it may offer a session to, and from whom it awaits an answer to one. */
  met: Map<string, 'may-offer' | 'awaits' | 'done'>
  moreAt: number
  isThere: boolean
}
type Room = { sourceId: string; members: Map<string, Member> }

export const isRoomPath = (url: string): boolean => ROOM.test(url)

/**
 * Introduces viewers of one video to each other, and passes on what they need to connect: one description each way for
 * each pair that it has made itself. Segments never come by here, and addresses only in those descriptions.
 */
export class StreamPeers {
  readonly #options: StreamPeersOptions
  readonly #folder: string
  readonly #documents = new Map<string, StreamPeersDocument>()
  readonly #rooms = new Map<string, Set<Room>>()
  readonly #sessions = new Map<string, Member>()
  readonly #perNetwork = new Map<string, number>()
  readonly #asked = new RateLimit(ASKED_PER_NETWORK)
  readonly #said = new RateLimit(MESSAGES)
  readonly #clientOf: ReturnType<typeof clientReader>
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false })
  readonly #pings: NodeJS.Timeout

  constructor(options: StreamPeersOptions) {
    this.#options = options
    this.#folder = path.join(options.folder, 'stream-peers')
    this.#clientOf = clientReader(options.trustedProxies)
    this.#pings = setInterval(() => this.#ping(), PING_MS)
    fs.mkdirSync(this.#folder, { recursive: true })
    for (const name of fs.readdirSync(this.#folder).filter((file) => file.endsWith('.json'))) {
      try {
        const document = StreamPeersDocument.parse(JSON.parse(fs.readFileSync(path.join(this.#folder, name), 'utf8')))
        this.#documents.set(document.sourceId, document)
      } catch (error) {
        options.log.error({ event: 'peers.document-damaged', file: name, err: error })
      }
    }
  }

  /** Takes what was published. Where peers are no more, they are told to let go of each other. */
  apply(key: string, document: StreamPeersDocument | null): void {
    if (!/^[0-9a-f-]{36}$/.test(key)) throw new Error(`${key} is no video's id`)
    const file = path.join(this.#folder, `${key}.json`)
    if (document === null) {
      fs.rmSync(file, { force: true })
      this.#documents.delete(key)
      for (const room of this.#rooms.get(key) ?? [])
        for (const { socket } of room.members.values()) socket.close(PEER_CLOSE.off)
      return
    }
    fs.writeFileSync(`${file}.new`, JSON.stringify(document))
    fs.renameSync(`${file}.new`, file)
    this.#documents.set(key, document)
  }

  keys(): Iterable<string> {
    return this.#documents.keys()
  }

  /** Members now. */
  get size(): number {
    return this.#sessions.size
  }

  /** Answers a player whether it has peers, and where they meet. */
  serve(at: string, request: http.IncomingMessage, response: http.ServerResponse): void {
    const { counted, readPath, tokens, url, stun } = this.#options
    const end = (status: number, result: PeersResult, body?: PeerRoom) => {
      counted(result)
      response
        .writeHead(status, {
          ...OPEN_TO_PAGES,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          ...(body ? { 'content-type': 'application/json' } : {}),
        })
        .end(body && JSON.stringify(body))
    }
    if (request.method !== 'GET') return end(405, 'refused')
    const client = this.#clientOf(request)
    if (!client) return end(400, 'refused')
    if (!this.#asked.take(client.network, performance.now())) return end(429, 'rate-limited')
    const subject = readPath(at)
    if (!subject) return end(404, 'unknown-address')
    const document = this.#documents.get(subject.sourceId)
    if (!document || document.organizationId !== subject.organizationId) return end(200, 'off', { on: false })
    if (crypto.randomInt(100) < document.controlPercent) return end(200, 'control', { on: true, group: 'control' })
    const token = tokens.make({
      sourceId: subject.sourceId,
      session: crypto.randomBytes(12).toString('hex'),
      until: Math.floor(Date.now() / 1000) + TOKEN_SECONDS,
    })
    const room = `${url.replace(/^http/, 'ws')}/peers/${token}`
    end(200, 'peers', { on: true, group: 'peers', room, stun: [...stun] })
  }

  /** Lets a session in whose token is for a room that there is. */
  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string, result: PeersResult) => {
      this.#options.counted(result)
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    }
    socket.on('error', () => socket.destroy())
    const client = this.#clientOf(request)
    if (!client) return refuse('400 Bad Request', 'refused')
    const text = ROOM.exec(request.url ?? '')?.[1] ?? ''
    const token = this.#options.tokens.read(text, Math.floor(Date.now() / 1000))
    if (!token) return refuse('403 Forbidden', 'refused')
    if (!this.#documents.has(token.sourceId)) return refuse('410 Gone', 'off')
    // A token is for one connection; who comes again with it while that stands is somebody else.
    if (this.#sessions.has(token.session)) return refuse('409 Conflict', 'refused')
    if (this.#sessions.size >= MEMBERS || (this.#perNetwork.get(client.network) ?? 0) >= MEMBERS_PER_NETWORK)
      return refuse('503 Service Unavailable', 'full')
    this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#join(opened, token, client))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#pings)
    for (const { socket } of this.#sessions.values()) socket.terminate()
  }

  #join(socket: WebSocket, { sourceId, session }: { sourceId: string; session: string }, { network }: Client): void {
    const room = this.#roomOf(sourceId)
    const member: Member = {
      id: crypto.randomBytes(8).toString('hex'),
      session,
      network,
      socket,
      room,
      met: new Map(),
      moreAt: performance.now(),
      isThere: true,
    }
    this.#sessions.set(session, member)
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1)
    socket.on('pong', () => (member.isThere = true))
    // What is too large or no message at all closes by itself; there is nobody to tell.
    socket.on('error', () => {})
    socket.on('close', () => this.#left(member))
    socket.on('message', (data, isBinary) => {
      const isTaken = !isBinary && this.#said.take(session, performance.now()) && this.#hear(member, String(data))
      if (isTaken || socket.readyState !== WebSocket.OPEN) return
      this.#options.counted('rude')
      socket.close(PEER_CLOSE.rude)
    })
    this.#options.counted('joined')
    this.#introduce(member)
    room.members.set(member.id, member)
  }

  #left(member: Member): void {
    const { session, network, room } = member
    this.#sessions.delete(session)
    const left = (this.#perNetwork.get(network) ?? 1) - 1
    if (left > 0) this.#perNetwork.set(network, left)
    else this.#perNetwork.delete(network)
    room.members.delete(member.id)
    if (room.members.size > 0) return
    const rooms = this.#rooms.get(room.sourceId)
    rooms?.delete(room)
    if (rooms?.size === 0) this.#rooms.delete(room.sourceId)
  }

  #roomOf(sourceId: string): Room {
    const rooms = this.#rooms.get(sourceId) ?? new Set<Room>()
    this.#rooms.set(sourceId, rooms)
    for (const room of rooms) if (room.members.size < ROOM_MOST) return room
    const room: Room = { sourceId, members: new Map() }
    rooms.add(room)
    return room
  }

  /** Names others by lot whom it has not met, and who have not met too many. */
  #introduce(member: Member): void {
    const strangers = [...member.room.members.values()].filter(
      (other) => other !== member && !member.met.has(other.id) && !other.met.has(member.id),
    )
    const free = Math.min(INTRODUCED_AT_ONCE, INTRODUCED_IN_ALL - member.met.size)
    const chosen: string[] = []
    while (chosen.length < free && strangers.length > 0) {
      const [one] = strangers.splice(crypto.randomInt(strangers.length), 1)
      if (!one) break
      member.met.set(one.id, 'may-offer')
      chosen.push(one.id)
    }
    tell(member, { t: 'peers', p: chosen })
  }

  /** False when it said what it may not say. */
  #hear(member: Member, text: string): boolean {
    const message = readMessage(text)
    if (message === null) return false
    if (message.t === 'more') {
      const now = performance.now()
      if (now - member.moreAt < MORE_EVERY_MS) return false
      member.moreAt = now
      this.#introduce(member)
      return true
    }
    const { t: kind, to, s } = message
    if (!isDataSession(s)) return false
    const other = member.room.members.get(to)
    if (kind === 'offer') {
      if (member.met.get(to) !== 'may-offer') return false
      member.met.set(to, 'awaits')
      // It may have left in the meantime.
      if (other) tell(other, { t: 'offer', from: member.id, s })
      return true
    }
    if (!other) return true
    if (other.met.get(member.id) !== 'awaits') return false
    other.met.set(member.id, 'done')
    tell(other, { t: 'answer', from: member.id, s })
    return true
  }

  #ping(): void {
    for (const member of this.#sessions.values()) {
      if (!member.isThere) member.socket.terminate()
      else {
        member.isThere = false
        member.socket.ping()
      }
    }
  }
}

function readMessage(text: string): PeerMessage | null {
  try {
    return PeerMessage.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function tell({ socket }: Member, message: RoomMessage): void {
  if (socket.readyState !== WebSocket.OPEN) return
  if (socket.bufferedAmount > UNSENT_BYTES) return socket.terminate()
  socket.send(JSON.stringify(message))
}
