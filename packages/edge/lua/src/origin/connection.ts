import type { PolicyDocument } from '../policy/documents.ts'
import { isAddress } from '../policy/host-text.ts'

/**
 * A connection to an origin. `buffer` was read and not used yet; `pending` was printed and may not be on its way yet.
 */
export type OriginConnection = {
  socket: TcpSocket
  buffer: string
  pending: boolean
  /** Bytes of the answer's body that went on. */ shown: number
  /** It has carried another request before. */ kept: boolean
  key: string
  sealed: boolean
  name: string | undefined
}

/** Who is asked, and how it is spoken with. */
export type Asked = Pick<PolicyDocument, 'organizationId' | 'origin'>

/**
 * By what connections, sessions and failures are known: address, port, name, how it is checked, and customer together.
 * What one customer's name or settings make of an address says nothing to another.
 */
export function wayTo({ origin, organizationId }: Asked, peer: string): string {
  const { scheme, port, hostHeader, sni, verify } = origin
  return `${scheme} ${verify ? 'checked' : 'unchecked'} ${peer} ${port} ${sni ?? hostHeader} ${organizationId}`
}

const CONNECT_MS = 2_000
const PIECE_BYTES = 65_536
/** Idle connections of one key that a worker keeps. */
const IDLE_MAX = 32

// The last TLS session with each origin, of this worker: the next handshake is shorter (RFC 8446 2.2).
let sessions: Record<string, TlsSession | undefined> = {}
let sessionCount = 0
const SESSIONS_MAX = 2_000

/**
 * A connection to this address, a kept one where there is one and the request may be asked twice; else why there is
 * none. What was opened for one way and lifetime never serves another.
 */
export function openConnection(
  policy: Asked,
  peer: string,
  mayBeKept: boolean,
): OriginConnection | 'timeout' | 'closed' | 'untrusted' {
  const { scheme, port, hostHeader, sni, keepaliveSeconds, verify } = policy.origin
  const greeted = sni ?? hostHeader
  const socket = ngx.socket.tcp()
  const waitMs = (tonumber(ngx.var.fw_origin_wait) ?? 60) * 1000
  socket.settimeouts(CONNECT_MS, waitMs, waitMs)
  const key = `${wayTo(policy, peer)} ${keepaliveSeconds}`
  const address = peer.includes(':') ? `[${peer}]` : peer
  // Nothing is ever kept under the name that is the default, so the other ones are new.
  const [connected, problem] = mayBeKept
    ? socket.connect(address, port, { pool: key, pool_size: IDLE_MAX })
    : socket.connect(address, port)
  if (connected === undefined) return problem === 'timeout' ? 'timeout' : 'closed'
  const [uses] = socket.getreusedtimes()
  const connection = {
    socket,
    buffer: '',
    pending: false,
    shown: 0,
    kept: uses !== undefined && uses > 0,
    key,
    sealed: scheme === 'https',
    name: serverName(greeted),
  }
  if (connection.kept || !connection.sealed) return connection
  // Without a name there is nothing to hold a certificate against.
  if (verify && connection.name === undefined) {
    socket.close()
    return 'untrusted'
  }
  const session = sessions[key]
  const [shaken, reason] = socket.sslhandshake(session ?? false, connection.name, verify)
  if (shaken !== undefined && shaken !== false) return verify && isGone(socket) ? 'untrusted' : connection
  socket.close()
  if (reason === 'timeout') return 'timeout'
  if (session === undefined) return verify && isDistrust(reason ?? '') ? 'untrusted' : 'closed'
  // Whatever the session has to do with it: without it, once more.
  sessions[key] = undefined
  return openConnection(policy, peer, mayBeKept)
}

/**
 * A handshake that is done without waiting is called good by the module even when it has closed the connection for its
 * certificate (lua-nginx-module 0.10.23).
 */
function isGone(socket: TcpSocket): boolean {
  const [uses] = socket.getreusedtimes()
  return uses === undefined
}

/** As OpenSSL and the Lua module word it: `18: self-signed certificate`, `certificate host mismatch`. */
function isDistrust(reason: string): boolean {
  return reason.includes('certificate') || tonumber(reason.split(':')[0] ?? '') !== undefined
}

/** Once the origin has spoken: TLS 1.3 hands its tickets out behind the handshake. */
export function rememberSession({ socket, key, kept, sealed, name }: OriginConnection): void {
  if (kept || !sealed) return
  const [session] = socket.sslhandshake(undefined, name, false)
  if (session === undefined) return
  if (sessions[key] === undefined) {
    if (sessionCount >= SESSIONS_MAX) {
      sessions = {}
      sessionCount = 0
    }
    sessionCount += 1
  }
  sessions[key] = session
}

/** Leaves the connection for a later request, so long as the origin leaves it open too. */
export function keepConnection({ socket }: OriginConnection, seconds: number): void {
  socket.setkeepalive(seconds * 1000, IDLE_MAX)
}

/** Reads what there is, after what was printed is on its way; says why when there is nothing more. */
export function readMore(connection: OriginConnection): string | undefined {
  if (connection.pending) {
    connection.pending = false
    const [shown] = ngx.flush(true)
    if (shown === undefined) return 'visitor gone'
  }
  const [data, problem] = connection.socket.receiveany(PIECE_BYTES)
  if (data === undefined) return problem ?? 'closed'
  connection.buffer += data
  return undefined
}

/** The name to ask for: without a port, and none for an address (RFC 6066 3). */
function serverName(hostHeader: string): string | undefined {
  if (hostHeader.includes('[')) return undefined
  const name = hostHeader.split(':')[0] ?? ''
  return name === '' || isAddress(name) ? undefined : name
}
