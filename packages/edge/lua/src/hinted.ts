import { answerPage, count } from './answer.ts'
import { hopHeaders } from './connection-headers.ts'
import type { PolicyDocument } from './documents.ts'
import { policyFor } from './held.ts'
import { bodyLength, finalHead, type Head } from './origin-head.ts'
import { peersFor, unreachable } from './origin-peers.ts'

// nginx 1.22 takes an interim answer (103, RFC 8297) for the final one. Origins that were seen to send one are spoken to from here.

const CONNECT_MS = 2_000
const HEAD_BYTES = 65_536
const PIECE_BYTES = 65_536

type Conversation = { socket: TcpSocket; buffer: string }

/** Content of a request whose origin sends interim answers: they are passed over, the final one is the answer. */
export function answer(): void {
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy === undefined) return answerPage(421, 'withdrawn')
  ngx.ctx.policy = policy
  count('origins_hinted')
  ngx.req.read_body()
  for (const peer of peersFor(policy)) {
    const conversation = opened(policy, peer)
    if (conversation !== undefined) return converse(conversation)
  }
  unreachable()
}

function opened({ origin }: PolicyDocument, peer: string): Conversation | undefined {
  const socket = ngx.socket.tcp()
  const waitMs = (tonumber(ngx.var.fw_origin_wait) ?? 60) * 1000
  socket.settimeouts(CONNECT_MS, waitMs, waitMs)
  const [connected] = socket.connect(peer.includes(':') ? `[${peer}]` : peer, origin.port)
  if (connected === undefined) return undefined
  if (origin.scheme === 'https') {
    const [shaken] = socket.sslhandshake(undefined, origin.hostHeader, false)
    if (shaken === undefined || shaken === false) return undefined
  }
  if (ask(socket, origin.hostHeader)) return { socket, buffer: '' }
  socket.close()
  return undefined
}

/** Sends the request; false when the origin does not take it. */
function ask(socket: TcpSocket, host: string): boolean {
  const lines = [`${ngx.req.get_method()} ${ngx.var.request_uri} HTTP/1.1`, `Host: ${host}`, 'Connection: close']
  const headers = ngx.req.get_headers(0, true)
  for (const name in headers) {
    if (!isPassedOn(name.toLowerCase())) continue
    const value = headers[name]
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
    else if (typeof value !== 'boolean') for (const one of value ?? []) lines.push(`${name}: ${one}`)
  }
  const [sent] = socket.send(`${lines.join('\r\n')}\r\n\r\n`)
  return sent !== undefined && sendBody(socket)
}

function sendBody(socket: TcpSocket): boolean {
  const data = ngx.req.get_body_data()
  if (data !== undefined) {
    const [sent] = socket.send(data)
    return sent !== undefined
  }
  const file = ngx.req.get_body_file()
  if (file === undefined) return true
  const [opened] = io.open(file, 'rb')
  if (opened === undefined) return false
  for (let piece = opened.read(PIECE_BYTES); piece !== undefined; piece = opened.read(PIECE_BYTES)) {
    const [sent] = socket.send(piece)
    if (sent === undefined) {
      opened.close()
      return false
    }
  }
  opened.close()
  return true
}

const HOP: Record<string, boolean> = { host: true, connection: true, 'keep-alive': true, 'proxy-connection': true, te: true, trailer: true, 'transfer-encoding': true, upgrade: true, expect: true }

function isPassedOn(name: string): boolean {
  return HOP[name] !== true && !name.startsWith('x-fairway-') && !name.startsWith('x-accel-')
}

function converse(conversation: Conversation): void {
  const head = headOf(conversation)
  if (typeof head === 'string') {
    conversation.socket.close()
    ngx.status = head === 'timeout' ? 504 : 502
    return head === 'closed' || head === 'timeout' ? unreachable() : answerPage(502, 'origin-invalid', ngx.ctx.policy)
  }
  const length = bodyLength(head, ngx.req.get_method())
  if (length === 'invalid') {
    conversation.socket.close()
    return answerPage(502, 'origin-invalid', ngx.ctx.policy)
  }
  showHead(head, length)
  const whole = length === 'chunked' ? passChunks(conversation) : passBytes(conversation, length)
  conversation.socket.close()
  // A visitor, or the cache in front, must not take a part for the whole.
  if (!whole) ngx.exit(ngx.ERROR)
}

/** The final answer's head, or what is wrong. */
function headOf(conversation: Conversation): Head | string {
  for (;;) {
    const found = finalHead(conversation.buffer)
    if (found === 'invalid') return 'invalid'
    if (found !== undefined) {
      conversation.buffer = found.rest
      return found
    }
    if (conversation.buffer.length > HEAD_BYTES) return 'invalid'
    const problem = more(conversation)
    if (problem !== undefined) return problem
  }
}

/** Reads what there is; says why when there is nothing more. */
function more(conversation: Conversation): string | undefined {
  const [data, problem] = conversation.socket.receiveany(PIECE_BYTES)
  if (data === undefined) return problem ?? 'closed'
  conversation.buffer += data
  return undefined
}

function showHead(head: Head, length: number | 'chunked' | 'close'): void {
  ngx.status = head.status
  const named: Record<string, boolean> = {}
  for (const { name, value } of head.fields) if (name === 'connection') for (const hop of hopHeaders(value)) named[hop] = true
  const shown: Record<string, string[]> = {}
  for (const { name, value } of head.fields) {
    if (!isPassedOn(name) || named[name] === true || name === 'content-length') continue
    const values = shown[name]
    if (values === undefined) shown[name] = [value]
    else values.push(value)
  }
  for (const name in shown) ngx.header[name] = shown[name]
  for (const { name, value } of head.fields) if (name === 'content-length' && length !== 'chunked') ngx.header['Content-Length'] = value
}

/** So many bytes, or all until the origin closes; false when they end too early. */
function passBytes(conversation: Conversation, length: number | 'close'): boolean {
  let left = length === 'close' ? -1 : length
  while (left !== 0) {
    if (conversation.buffer === '') {
      const problem = more(conversation)
      if (problem !== undefined) return length === 'close' && problem === 'closed'
    }
    const piece = left >= 0 && conversation.buffer.length > left ? conversation.buffer.slice(0, left) : conversation.buffer
    conversation.buffer = ''
    if (left > 0) left -= piece.length
    if (!show(piece)) return false
  }
  return true
}

/** Chunks until the last (RFC 9112 7.1); false for what is none. */
function passChunks(conversation: Conversation): boolean {
  for (;;) {
    const line = lineOf(conversation)
    const size = line === undefined ? undefined : chunkSize(line)
    if (size === undefined) return false
    // Trailers are not passed on; that nothing more comes is known.
    if (size === 0) return true
    let left = size
    while (left > 0) {
      if (conversation.buffer === '' && more(conversation) !== undefined) return false
      const piece = conversation.buffer.slice(0, left)
      conversation.buffer = conversation.buffer.slice(piece.length)
      left -= piece.length
      if (!show(piece)) return false
    }
    if (lineOf(conversation) !== '') return false
  }
}

function lineOf(conversation: Conversation): string | undefined {
  for (;;) {
    const end = conversation.buffer.indexOf('\r\n')
    if (end >= 0) {
      const line = conversation.buffer.slice(0, end)
      conversation.buffer = conversation.buffer.slice(end + 2)
      return line
    }
    if (conversation.buffer.length > 4096 || more(conversation) !== undefined) return undefined
  }
}

function chunkSize(line: string): number | undefined {
  const digits = (line.split(';')[0] ?? '').trim()
  const [hex] = string.gsub(digits, '%x', '')
  return digits === '' || digits.length > 12 || hex !== '' ? undefined : tonumber(`0x${digits}`)
}

function show(piece: string): boolean {
  ngx.print(piece)
  const [shown] = ngx.flush(true)
  return shown !== undefined
}
