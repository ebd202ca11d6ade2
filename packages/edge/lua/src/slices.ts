import { count } from './answer/answer.ts'
import { type ContentRange, byteRange, contentRange } from './cache/byte-range.ts'
import { rememberTags } from './cache/stored-object.ts'
import { passBody, passPiece } from './origin/body.ts'
import { headOf } from './origin/client.ts'
import type { OriginConnection } from './origin/connection.ts'
import { bodyLength, type Head } from './origin/head.ts'
import { isPassedOn } from './origin/request.ts'
import { beginRequest, policyFor, purgesOf } from './policy/held.ts'

// A range of an object that is not stored whole is put together from pieces of it, each of which is stored: neither does
// one byte fetch all of the object, nor does a part from its middle wait for what is before it.

/** Changing it makes an object's pieces others: they are named by their number. */
const SLICE_BYTES = 1_048_576
/** Pieces of another version of the object are forgotten at least for as long as one of them could be served. */
const RENEWED_SECONDS = 86_400

type Slice = { connection: OriginConnection; head: Head }

/** Content of a request for a range that no cache in front has. */
export function answer(): void {
  beginRequest()
  const key = ngx.var.http_x_fairway_key ?? ''
  const wanted = byteRange(ngx.var.http_range ?? '')
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  const slice = wanted === undefined ? undefined : fetchSlice(key, Math.floor(wanted.from / SLICE_BYTES))
  if (wanted === undefined || slice === undefined || policy === undefined) return ngx.exec('@alone')
  const part = contentRange(field(slice.head, 'content-range'))
  // All of it, an error, or what nobody asked for: the origin has the last word.
  if (part === undefined || !isSlice(slice.head, part, wanted.from)) return showAsItIs(slice)
  const isWhole = isAnotherVersion(slice.head)
  if (!isWhole && wanted.from >= part.total) return refuseRange(slice, part.total)
  const from = isWhole ? 0 : wanted.from
  const last = part.total - 1
  const to = isWhole || wanted.to === undefined || wanted.to > last ? last : wanted.to
  // Without a name for the version nobody can tell whether two pieces are of the same.
  if ((to > part.to || isWhole) && versionOf(slice.head) === '') {
    slice.connection.socket.close()
    return ngx.exec('@alone')
  }
  const tags = field(slice.head, 'cache-tag')
  rememberTags(key, policy, purgesOf(policy.domainId), tags === '' ? field(slice.head, 'surrogate-key') : tags)
  showHead(slice.head, isWhole, from, to, part.total)
  if (isWhole && wanted.from >= SLICE_BYTES) slice.connection.socket.close()
  show(key, slice, part, isWhole && wanted.from >= SLICE_BYTES ? -1 : from, from, to)
}

/** RFC 9110 15.5.17. */
function refuseRange({ connection }: Slice, total: number): void {
  connection.socket.close()
  ngx.status = 416
  ngx.header['Content-Range'] = `bytes */${digits(total)}`
  ngx.header['Content-Length'] = '0'
  ngx.header['Cache-Control'] = 'no-store'
  ngx.header['X-Fairway-Why'] = 'partial'
}

/** The pieces in turn. The first may be another than the one that was looked at (`at` is -1 then). */
function show(key: string, looked: Slice, lookedAt: ContentRange, at: number, from: number, to: number): void {
  const version = versionOf(looked.head)
  let next = from
  let slice: Slice | undefined = at < 0 ? undefined : looked
  let part: ContentRange | undefined = lookedAt
  while (next <= to) {
    if (slice === undefined) {
      slice = fetchSlice(key, Math.floor(next / SLICE_BYTES))
      if (slice === undefined) return ngx.exit(ngx.ERROR)
      part = contentRange(field(slice.head, 'content-range'))
    }
    const fits = part !== undefined && isSlice(slice.head, part, next) && part.total === lookedAt.total
    if (part === undefined || !fits || versionOf(slice.head) !== version) {
      // The object has changed at the origin: what is stored of it is asked for anew, and the visitor has to as well.
      slice.connection.socket.close()
      renew(key)
      return ngx.exit(ngx.ERROR)
    }
    const end = part.to < to ? part.to : to
    if (!passPiece(slice.connection, next - part.from, end - next + 1)) {
      slice.connection.socket.close()
      return ngx.exit(ngx.ERROR)
    }
    slice.connection.socket.close()
    slice = undefined
    next = end + 1
  }
}

/** Asks the server that stores pieces. Undefined when it does not answer. */
function fetchSlice(key: string, index: number): Slice | undefined {
  const socket = ngx.socket.tcp()
  const waitMs = 2_000 * (tonumber(ngx.var.fw_origin_wait) ?? 60)
  socket.settimeouts(2_000, waitMs, waitMs)
  const [connected] = socket.connect(`unix:${ngx.var.fw_slices ?? ''}`)
  if (connected === undefined) return undefined
  const connection = { socket, buffer: '', pending: false, shown: 0, kept: false, key, sealed: false, name: undefined }
  const [sent] = socket.send(requestFor(`${key}#${renewals(key)}-${index}`, index * SLICE_BYTES))
  const head = sent === undefined ? 'closed' : headOf(connection)
  if (typeof head !== 'string') return { connection, head }
  socket.close()
  return undefined
}

const OWN: Record<string, boolean> = {
  range: true,
  'if-range': true,
  'if-none-match': true,
  'if-modified-since': true,
  'if-match': true,
  'if-unmodified-since': true,
  'content-length': true,
}

/** HTTP/1.0, so that the answer comes as it is, to its end. */
function requestFor(key: string, from: number): string {
  const lines = [
    `GET ${ngx.var.request_uri} HTTP/1.0`,
    `Host: ${ngx.var.http_host}`,
    `Range: bytes=${digits(from)}-${digits(from + SLICE_BYTES - 1)}`,
    `X-Fairway-Key: ${key}`,
  ]
  for (const name of ['Host', 'Cdn', 'Visitor', 'Request'])
    lines.push(`X-Fairway-${name}: ${ngx.var[`http_x_fairway_${name.toLowerCase()}`] ?? ''}`)
  const headers = ngx.req.get_headers(0, true)
  for (const name in headers) {
    const lower = name.toLowerCase()
    const value = headers[name]
    if (OWN[lower] === true || !isPassedOn(lower)) continue
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
    else if (typeof value !== 'boolean') for (const one of value ?? []) lines.push(`${name}: ${one}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Lua writes large numbers with an exponent. */
function digits(value: number): string {
  return string.format('%.0f', value)
}

function field({ fields }: Head, wanted: string): string {
  for (const { name, value } of fields) if (name === wanted) return value
  return ''
}

/** The piece that holds this byte. */
function isSlice({ status }: Head, { from, to, total }: ContentRange, byte: number): boolean {
  return (
    status === 206 &&
    from === Math.floor(byte / SLICE_BYTES) * SLICE_BYTES &&
    (to === from + SLICE_BYTES - 1 || to === total - 1)
  )
}

/** What tells one version of the object from another: a strong tag, or the time of its last change. */
function versionOf(head: Head): string {
  const tag = field(head, 'etag')
  return tag.startsWith('"') ? tag : field(head, 'last-modified')
}

/** If-Range (RFC 9110 13.1.5): who has parts of another version gets all of this one. */
function isAnotherVersion(head: Head): boolean {
  const known = ngx.var.http_if_range
  return known !== undefined && known !== field(head, 'etag') && known !== field(head, 'last-modified')
}

function renewals(key: string): string {
  const [known] = ngx.shared.renewed.get(ngx.md5_bin(key))
  return known ?? '0'
}

function renew(key: string): void {
  count('slices_renewed')
  ngx.shared.renewed.set(ngx.md5_bin(key), digits(ngx.now() * 1000), RENEWED_SECONDS)
}

const NOT_SHOWN: Record<string, boolean> = { 'content-length': true, 'content-range': true, connection: true }

function showFields({ fields }: Head): void {
  const shown: Record<string, string[]> = {}
  for (const { name, value } of fields) {
    if (NOT_SHOWN[name] === true) continue
    const values = shown[name]
    if (values === undefined) shown[name] = [value]
    else values.push(value)
  }
  for (const name in shown) ngx.header[name] = shown[name]
}

function showHead(head: Head, isWhole: boolean, from: number, to: number, total: number): void {
  showFields(head)
  ngx.status = isWhole ? 200 : 206
  if (!isWhole) ngx.header['Content-Range'] = `bytes ${digits(from)}-${digits(to)}/${digits(total)}`
  ngx.header['Content-Length'] = digits(to - from + 1)
  // Its pieces are stored, it is not.
  ngx.header['Cache-Control'] = 'no-store'
  ngx.header['X-Fairway-Why'] = 'partial'
  const age = Math.floor(ngx.time() - (tonumber(field(head, 'x-fairway-born')) ?? ngx.time()))
  if (age > 0) ngx.header['Age'] = `${age}`
}

function showAsItIs({ connection, head }: Slice): void {
  const length = bodyLength(head, 'GET')
  if (length === 'invalid') return ngx.exec('@alone')
  showFields(head)
  ngx.status = head.status
  const range = field(head, 'content-range')
  if (range !== '') ngx.header['Content-Range'] = range
  if (typeof length === 'number') ngx.header['Content-Length'] = digits(length)
  const end = passBody(connection, length)
  connection.socket.close()
  if (end === 'early') ngx.exit(ngx.ERROR)
}
