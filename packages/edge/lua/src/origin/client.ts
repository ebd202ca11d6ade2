import { answerPage, count } from '../answer/answer.ts'
import { hopHeaders } from './connection-headers.ts'
import { policyFor } from '../policy/held.ts'
import { passBody } from './body.ts'
import {
  type Asked,
  type OriginConnection,
  keepConnection,
  openConnection,
  readMore,
  rememberSession,
} from './connection.ts'
import { bodyLength, finalHead, type Head, type Length, isPersistent } from './head.ts'
import { markFailed, peersFor, unreachable } from './peers.ts'
import { countAnswered, countUnanswered } from './reach.ts'
import { failRelayed, isRelayed } from './relayed.ts'
import { isPassedOn, type OriginRequest, requestToOrigin, sendRequest } from './request.ts'

// Origins that nginx's own proxy cannot speak with as it should: over TLS, where it cannot keep connections apart by
// name, and those that send interim answers (103, RFC 8297), which nginx 1.22 takes for the final one.

const HEAD_BYTES = 65_536
/** After so many seconds no further address is tried. */
const RETRY_SECONDS = 15

export type Answered = {
  connection: OriginConnection
  head: Head
  length: Exclude<Length, 'invalid'>
  /** The request was taken whole. */ whole: boolean
}
/** Why an address gave no answer, and whether it may have acted on the request. */
export type Failure = { why: 'timeout' | 'closed' | 'untrusted' | 'invalid'; asked: boolean }

/** Content of a request for such an origin. */
export function answer(): void {
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy === undefined) return isRelayed() ? failRelayed('unasked') : answerPage(421, 'withdrawn')
  ngx.ctx.policy = policy
  const peers = peersFor(policy)
  if (peers.length === 0) {
    count('origins_unresolved')
    countUnanswered(policy, false)
    if (isRelayed()) return failRelayed('unasked')
    return answerPage(502, 'unresolved', policy)
  }
  ngx.req.read_body()
  const request = requestToOrigin(policy.origin.hostHeader)
  const until = ngx.now() + RETRY_SECONDS
  let failure: Failure | undefined
  let slow = false
  for (let i = 0; i < peers.length; i++) {
    const peer = peers[i] ?? ''
    const said = ask(policy, peer, request)
    if ('head' in said) {
      countAnswered(policy)
      return show(policy, request, said)
    }
    failure = said
    if (said.why === 'timeout') slow = true
    // RFC 9110 9.2.2: what was asked once and may have been done is not asked again.
    if (i + 1 === peers.length || ngx.now() >= until || (said.asked && !request.repeatable)) break
    markFailed(policy, peer)
    count('origin_retries')
  }
  if (failure?.why === 'untrusted') count('origins_untrusted')
  if (failure !== undefined) countUnanswered(policy, failure.asked)
  if (isRelayed()) {
    count('origins_unreachable')
    return failRelayed(failure?.asked === true ? 'asked' : 'unasked')
  }
  if (ngx.var.http_x_fairway_reserve === undefined) {
    if (failure?.why === 'invalid') return answerPage(502, 'origin-invalid', policy)
    if (failure?.why === 'untrusted') return answerPage(502, 'origin-untrusted', policy)
  }
  ngx.status = slow ? 504 : 502
  unreachable()
}

/**
 * Asks one address. A kept connection that ends without a byte was closed by the origin in the meantime (RFC 9112
 * 9.3.1): that says nothing of the origin, and it is asked over another.
 */
export function ask(policy: Asked, peer: string, request: OriginRequest): Answered | Failure {
  for (;;) {
    const connection = openConnection(policy, peer, request.repeatable)
    if (typeof connection === 'string') return { why: connection, asked: false }
    const problem = sendRequest(connection.socket, request)
    // An origin may answer before it has read all, and refuse the rest.
    const head = problem === 'timeout' ? problem : headOf(connection)
    if (typeof head !== 'string') {
      const length = bodyLength(head, request.method)
      if (length !== 'invalid') {
        rememberSession(connection)
        return { connection, head, length, whole: problem === undefined }
      }
    }
    connection.socket.close()
    const why = typeof head !== 'string' || head === 'invalid' ? 'invalid' : head === 'timeout' ? 'timeout' : 'closed'
    if (!connection.kept || why !== 'closed' || connection.buffer !== '') return { why, asked: true }
    count('kept_connections_stale')
  }
}

export function show(
  { origin }: Asked,
  request: OriginRequest,
  { connection, head, length, whole }: Answered,
  isShown: (name: string) => boolean = isPassedOn,
): void {
  showHead(head, length, isShown)
  const end = passBody(connection, length)
  if (end === 'clean' && request.repeatable && whole && isPersistent(head))
    keepConnection(connection, origin.keepaliveSeconds)
  else connection.socket.close()
  // A visitor, or the cache in front, must not take a part for the whole.
  if (end === 'early') ngx.exit(ngx.ERROR)
}

/** The final answer's head, or what is wrong. */
export function headOf(connection: OriginConnection): Head | string {
  for (;;) {
    const found = finalHead(connection.buffer)
    if (found === 'invalid') return 'invalid'
    if (found !== undefined) {
      connection.buffer = found.rest
      return found
    }
    if (connection.buffer.length > HEAD_BYTES) return 'invalid'
    const problem = readMore(connection)
    if (problem !== undefined) return problem
  }
}

const CONDITIONS = ['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since']

function showHead(head: Head, length: Length, isShown: (name: string) => boolean): void {
  // The origin has weighed these; nginx would do it once more.
  if (head.status === 200) for (const name of CONDITIONS) ngx.req.clear_header(name)
  ngx.status = head.status
  const named: Record<string, boolean> = {}
  for (const { name, value } of head.fields)
    if (name === 'connection') for (const hop of hopHeaders(value)) named[hop] = true
  const shown: Record<string, string[]> = {}
  for (const { name, value } of head.fields) {
    if (!isShown(name) || named[name] === true || name === 'content-length') continue
    const values = shown[name]
    if (values === undefined) shown[name] = [value]
    else values.push(value)
  }
  // Said twice it is no date; nginx would keep the last only.
  const expires = shown['expires']
  if (expires !== undefined && expires.length > 1) shown['expires'] = [expires.join(', ')]
  for (const name in shown) ngx.header[name] = shown[name]
  for (const { name, value } of head.fields)
    if (name === 'content-length' && length !== 'chunked') ngx.header['Content-Length'] = value
}
