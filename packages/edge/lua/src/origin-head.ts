/** Head of an answer; names are lower case, in the order in which they came. `rest` is what follows it. */
export type Head = { status: number; fields: { name: string; value: string }[]; rest: string }

/** An origin that sends more of them than this is not taken seriously. */
const INTERIM_MAX = 32

/** The first answer in the text that is not an interim one (RFC 9110 15.2); undefined while it is not all there. */
export function finalHead(text: string): Head | 'invalid' | undefined {
  let rest = text
  for (let passed = 0; passed < INTERIM_MAX; passed++) {
    if (!'HTTP/1.'.startsWith(rest.slice(0, 7))) return 'invalid'
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = readHead(rest.slice(0, end), rest.slice(end + 4))
    // A protocol that nobody asked for cannot be switched to.
    if (head === undefined || head.status === 101) return 'invalid'
    if (head.status >= 200) return head
    rest = head.rest
  }
  return 'invalid'
}

function readHead(text: string, rest: string): Head | undefined {
  const lines = text.split('\r\n')
  const status = statusOf(lines[0] ?? '')
  if (status === undefined) return undefined
  const fields: Head['fields'] = []
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, colon < 0 ? 0 : colon).toLowerCase()
    // A folded line (RFC 9112 5.2) begins with a blank: its name would hold one.
    if (name === '' || name.includes(' ') || name.includes('\t')) return undefined
    fields.push({ name, value: line.slice(colon + 1).trim() })
  }
  return { status, fields, rest }
}

/** `HTTP/1.1 200 OK`: the number, when the line is one. */
function statusOf(line: string): number | undefined {
  if (!(line.startsWith('HTTP/1.1 ') || line.startsWith('HTTP/1.0 ')) || (line.length > 12 && line.charAt(12) !== ' ')) return undefined
  let status = 0
  for (let i = 9; i < 12; i++) {
    const digit = line.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    status = status * 10 + digit
  }
  return status >= 100 && status <= 599 ? status : undefined
}

/** How the body's end is known (RFC 9112 6.3). */
export function bodyLength({ status, fields }: Head, method: string): number | 'chunked' | 'close' | 'invalid' {
  if (method === 'HEAD' || status === 204 || status === 304) return 0
  let length: string | undefined
  let coding: string | undefined
  for (const { name, value } of fields) {
    if (name === 'transfer-encoding') coding = coding === undefined ? value.toLowerCase() : `${coding}, ${value.toLowerCase()}`
    if (name !== 'content-length') continue
    if (length !== undefined && length !== value) return 'invalid'
    length = value
  }
  if (coding !== undefined) return coding === 'chunked' ? 'chunked' : 'invalid'
  if (length === undefined) return 'close'
  return wholeNumber(length) ?? 'invalid'
}

function wholeNumber(text: string): number | undefined {
  if (text === '' || text.length > 15) return undefined
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    value = value * 10 + digit
  }
  return value
}
