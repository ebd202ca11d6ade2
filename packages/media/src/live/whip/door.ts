import crypto from 'node:crypto'
import dgram from 'node:dgram'
import net from 'node:net'
import type { HostPort } from '@fairway/platform'

/** Ways of one session: a browser tries each of its addresses. */
const MOST_WAYS = 6
/** Of sound, picture and what repairs them. */
const MOST_SSRCS = 8
/** Of one session in all: the library keeps each until the session ends. */
const MOST_ENTERED = 16
/** Of one session, a second: several times what a good picture takes. */
const MOST_BYTES = 4 << 20
const MOST_PACKETS = 3_000
/** Of one session in all: parts of a handshake that stays unfinished are kept. A whole one takes about 3 KB. */
const MOST_HANDSHAKE_BYTES = 64 << 10
/** Binding requests at once, and a second: each is remembered. Browsers send 20 a second at first, then two. */
const MOST_REQUESTS = 200
const REQUESTS_PER_SECOND = 5
const AGAIN_MS = 500

const STUN_COOKIE = 0x21_12_a4_42
const BINDING_REQUEST = 1
const USERNAME = 0x00_06
const MESSAGE_INTEGRITY = 0x00_08
const STUN_HEADER = 20
const INTEGRITY_BYTES = 24

type Session = {
  /** Where the session itself listens, on loopback. */ port: number
  password: string
  ways: Map<string, Way>
  ssrcs: Set<number>
  entered: number
  second: number
  bytes: number
  packets: number
  handshakeBytes: number
  requests: { left: number; at: number }
}
type Way = { session: Session; inner: dgram.Socket; at: number }

export type Door = AsyncDisposable & {
  isOpen(): boolean
  /** Lets in who shows the name and password of this session; what is answered ends that. */
  admit(name: string, session: { port: number; password: string }): Disposable
}

/**
 * The one UDP port of all sessions. Each listens on loopback, and what comes is led there once it has shown, by a
 * binding request with integrity (RFC 8489), that it has the answer to an offer: nothing is ever sent anywhere before,
 * and whatever an offer says of addresses is not looked at.
 */
export function openDoor({ host, port }: HostPort, failed: (error: Error) => void): Door {
  const sessions = new Map<string, Session>()
  const ways = new Map<string, Way>()
  let outer: dgram.Socket | null = null
  let isOpen = false
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  const drop = (key: string) => {
    const way = ways.get(key)
    ways.delete(key)
    way?.session.ways.delete(key)
    way?.inner.close()
  }
  const enter = (key: string, session: Session, from: dgram.RemoteInfo): Way => {
    const [oldest] = [...session.ways].toSorted(([, a], [, b]) => a.at - b.at)
    if (oldest && session.ways.size >= MOST_WAYS) drop(oldest[0])
    const inner = dgram.createSocket('udp4')
    session.entered++
    inner.on('error', () => {})
    inner.on(
      'message',
      guarded((bytes) => outer?.send(bytes, from.port, from.address, () => {})),
    )
    inner.bind(0, '127.0.0.1')
    const way = { session, inner, at: Date.now() }
    session.ways.set(key, way)
    ways.set(key, way)
    return way
  }
  const take = (bytes: Buffer, from: dgram.RemoteInfo) => {
    const [first = 0] = bytes
    // Nothing can be answered to port 0.
    if (from.port === 0) return
    const key = `${from.address} ${from.port}`
    let way = ways.get(key)
    const isRequest = first < DTLS_FIRST
    // Answers and indications are of nobody: no session asks anything.
    const session = isRequest ? requested(bytes) : way?.session
    if (!session || !isWithin(session, bytes) || (isRequest && !mayRequest(session))) return
    if (way?.session !== session) {
      if (session.entered >= MOST_ENTERED) return
      drop(key)
      way = enter(key, session, from)
    }
    way.at = Date.now()
    way.inner.send(bytes, way.session.port, '127.0.0.1', () => {})
  }
  const requested = (bytes: Buffer): Session | undefined => {
    const session = isStun(bytes) ? sessions.get(nameIn(bytes)) : undefined
    return session && hasIntegrity(bytes, session.password) ? session : undefined
  }
  const open = () => {
    const socket = dgram.createSocket({ type: net.isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 4 << 20 })
    outer = socket
    socket.on('message', guarded(take))
    socket.on('error', (error) => {
      if (isOpen || isClosing) return
      // In an exchange of code the process before this one has it for a moment more.
      if ('code' in error && error.code === 'EADDRINUSE') timer = setTimeout(open, AGAIN_MS)
      else failed(error)
      socket.close()
    })
    socket.bind(port, host, () => (isOpen = true))
  }
  open()
  return {
    isOpen: () => isOpen,
    admit(name, { port: inner, password }) {
      // Names are short, and the library makes them: whoever comes second tries again.
      if (sessions.has(name)) throw new Error('the name is taken')
      const session: Session = {
        port: inner,
        password,
        ways: new Map(),
        ssrcs: new Set(),
        entered: 0,
        second: 0,
        bytes: 0,
        packets: 0,
        handshakeBytes: 0,
        requests: { left: MOST_REQUESTS, at: Date.now() },
      }
      sessions.set(name, session)
      return {
        [Symbol.dispose]() {
          sessions.delete(name)
          for (const key of session.ways.keys()) drop(key)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      isClosing = true
      clearTimeout(timer)
      for (const key of ways.keys()) drop(key)
      const socket = outer
      if (socket && isOpen) await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** What a socket throws at once, as for an address that is none, ends nothing but the packet. */
const guarded =
  <T extends unknown[]>(work: (...args: T) => void) =>
  (...args: T): void => {
    try {
      work(...args)
    } catch {
      // As if it had been lost on its way.
    }
  }

/** First bytes of DTLS (RFC 9443, 2); STUN is below. */
const DTLS_FIRST = 20
const DTLS_LAST = 63

/**
 * Not faster than a line is, and of no more sources and handshakes than there can be: the library keeps figures of each.
 */
function isWithin(session: Session, bytes: Buffer): boolean {
  const second = Math.floor(Date.now() / 1000)
  if (session.second !== second) Object.assign(session, { second, bytes: 0, packets: 0 })
  session.bytes += bytes.length
  if (session.bytes > MOST_BYTES || ++session.packets > MOST_PACKETS) return false
  const [first = 0, type = 0] = bytes
  if (first >= DTLS_FIRST && first <= DTLS_LAST) return (session.handshakeBytes += bytes.length) <= MOST_HANDSHAKE_BYTES
  const isRtp = first >= 128 && first < 192 && bytes.length >= 12 && (type < 192 || type > 223)
  if (!isRtp) return true
  const ssrc = bytes.readUInt32BE(8)
  if (!session.ssrcs.has(ssrc) && session.ssrcs.size >= MOST_SSRCS) return false
  session.ssrcs.add(ssrc)
  return true
}

function mayRequest({ requests }: Session): boolean {
  const now = Date.now()
  // A clock that is set back gives nothing, and takes nothing.
  const more = (Math.max(0, now - requests.at) / 1000) * REQUESTS_PER_SECOND
  requests.left = Math.min(MOST_REQUESTS, requests.left + more)
  requests.at = now
  if (requests.left < 1) return false
  requests.left--
  return true
}

const isStun = (bytes: Buffer): boolean =>
  bytes.length >= STUN_HEADER && bytes.readUInt8(0) < 4 && bytes.readUInt32BE(4) === STUN_COOKIE

/** Attributes of a message (RFC 8489, 14) with where they begin. */
function* attributes(bytes: Buffer): Generator<{ type: number; at: number; value: Buffer }> {
  for (let at = STUN_HEADER; at + 4 <= bytes.length;) {
    const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
    if (at + 4 + length > bytes.length) return
    yield { type, at, value: bytes.subarray(at + 4, at + 4 + length) }
    at += 4 + Math.ceil(length / 4) * 4
  }
}

/** The part of the name that is ours (RFC 8445, 7.2.2); empty for what is no binding request. */
function nameIn(bytes: Buffer): string {
  if (bytes.readUInt16BE(0) !== BINDING_REQUEST) return ''
  for (const { type, value } of attributes(bytes))
    if (type === USERNAME) return value.toString('latin1').split(':')[0] ?? ''
  return ''
}

/** Over all that comes before it, as if the message ended with it (RFC 8489, 14.5). */
function hasIntegrity(bytes: Buffer, password: string): boolean {
  for (const { type, at, value } of attributes(bytes)) {
    if (type !== MESSAGE_INTEGRITY || value.length !== 20) continue
    const covered = Buffer.from(bytes.subarray(0, at))
    covered.writeUInt16BE(at + INTEGRITY_BYTES - STUN_HEADER, 2)
    return crypto.timingSafeEqual(crypto.createHmac('sha1', password).update(covered).digest(), value)
  }
  return false
}
