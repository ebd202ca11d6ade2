/** What is asked of an origin: the same text for every address that is tried. */
export type OriginRequest = { method: string; text: string; /** It may be asked twice. */ repeatable: boolean }

const PIECE_BYTES = 65_536
const HOP: Record<string, boolean> = {
  host: true,
  connection: true,
  'keep-alive': true,
  'proxy-connection': true,
  te: true,
  trailer: true,
  'transfer-encoding': true,
  upgrade: true,
  expect: true,
}
const IDEMPOTENT: Record<string, boolean> = {
  GET: true,
  HEAD: true,
  OPTIONS: true,
  TRACE: true,
  PUT: true,
  DELETE: true,
  PROPFIND: true,
}

/** RFC 9110 9.2.2. */
export function mayBeRepeated(method: string): boolean {
  return IDEMPOTENT[method] === true
}

export function isPassedOn(name: string): boolean {
  return HOP[name] !== true && !name.startsWith('x-fairway-') && !name.startsWith('x-accel-')
}

/**
 * What may not be asked twice goes over a connection of its own: a kept one may be closed by the origin at that very
 * moment, and nobody could tell whether it was done.
 */
export function requestToOrigin(host: string): OriginRequest {
  const method = ngx.req.get_method()
  const repeatable = mayBeRepeated(method)
  const lines = [`${method} ${ngx.var.request_uri} HTTP/1.1`, `Host: ${host}`]
  if (!repeatable) lines.push('Connection: close')
  const headers = ngx.req.get_headers(0, true)
  for (const name in headers) {
    if (!isPassedOn(name.toLowerCase())) continue
    const value = headers[name]
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
    else if (typeof value !== 'boolean') for (const one of value ?? []) lines.push(`${name}: ${one}`)
  }
  return { method, repeatable, text: `${lines.join('\r\n')}\r\n\r\n` }
}

/** Sends head and body; says why when the origin does not take them. */
export function sendRequest(socket: TcpSocket, { text }: OriginRequest): string | undefined {
  const [sent, problem] = socket.send(text)
  return sent === undefined ? (problem ?? 'closed') : sendBody(socket)
}

function sendBody(socket: TcpSocket): string | undefined {
  const data = ngx.req.get_body_data()
  if (data !== undefined) {
    const [sent, problem] = socket.send(data)
    return sent === undefined ? (problem ?? 'closed') : undefined
  }
  const file = ngx.req.get_body_file()
  if (file === undefined) return undefined
  const [opened] = io.open(file, 'rb')
  if (opened === undefined) return 'unreadable'
  for (let piece = opened.read(PIECE_BYTES); piece !== undefined; piece = opened.read(PIECE_BYTES)) {
    const [sent, problem] = socket.send(piece)
    if (sent === undefined) {
      opened.close()
      return problem ?? 'closed'
    }
  }
  opened.close()
  return undefined
}
