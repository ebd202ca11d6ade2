/** How the body's end is known. */
export type Length = number | 'chunked' | 'close' | 'invalid'

/**
 * Head of an answer, of HTTP/1 and this minor version; names are lower case, in the order in which they came. `rest` is
 * what follows it.
 */
export type Head = { minor: 0 | 1; status: number; fields: { name: string; value: string }[]; rest: string }

/** An origin that sends more of them than this is not taken seriously. */
const INTERIM_MAX = 32

/** The first answer in the text that is not an interim one (RFC 9110 15.2); undefined while it is not all there. */
export function finalHead(text: string): Head | 'invalid' | undefined {
  let rest = text
  for (let passed = 0; passed < INTERIM_MAX; passed++) {
    if (!'HTTP/1.'.startsWith(rest.slice(0, 7))) return 'invalid'
    const head = readHead(rest)
    // A protocol that nobody asked for cannot be switched to.
    if (head === undefined || head === 'invalid' || head.status === 101)
      return head === undefined ? undefined : 'invalid'
    if (head.status >= 200) return head
    rest = head.rest
  }
  return 'invalid'
}

function readHead(text: string): Head | 'invalid' | undefined {
  let status: number | undefined
  const fields: Head['fields'] = []
  for (let at = 0; ;) {
    const end = text.indexOf('\n', at)
    if (end < 0) return undefined
    // A line may end without CR (RFC 9112 2.2).
    const line = text.slice(at, text.charAt(end - 1) === '\r' ? end - 1 : end)
    at = end + 1
    if (line === '')
      return status === undefined
        ? 'invalid'
        : { minor: text.startsWith('HTTP/1.1') ? 1 : 0, status, fields, rest: text.slice(at) }
    if (status === undefined) {
      status = statusOf(line)
      if (status === undefined) return 'invalid'
    } else if (!addField(line, fields)) return 'invalid'
  }
}

/** A line of no field at all is passed over; false for one that could be read in two ways. */
function addField(line: string, fields: Head['fields']): boolean {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon < 0 ? line.length : colon).toLowerCase()
  // A folded line (RFC 9112 5.2) begins with a blank: its name would hold one.
  if (name === '' || name.includes(' ') || name.includes('\t') || line.includes('\0') || line.includes('\r'))
    return false
  if (colon >= 0) fields.push({ name, value: line.slice(colon + 1).trim() })
  return true
}

/** `HTTP/1.1 200 OK`: the number, when the line is one. */
function statusOf(line: string): number | undefined {
  if (!(line.startsWith('HTTP/1.1 ') || line.startsWith('HTTP/1.0 ')) || (line.length > 12 && line.charAt(12) !== ' '))
    return undefined
  let status = 0
  for (let i = 9; i < 12; i++) {
    const digit = line.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    status = status * 10 + digit
  }
  return status >= 100 && status <= 599 ? status : undefined
}

/** Whether the origin leaves the connection open (RFC 9112 9.3). */
export function isPersistent({ minor, fields }: Head): boolean {
  if (minor === 0) return false
  for (const { name, value } of fields) {
    if (name !== 'connection') continue
    for (const option of value.split(',')) if (option.trim().toLowerCase() === 'close') return false
  }
  return true
}

/** RFC 9112 6.3. */
export function bodyLength({ status, fields }: Head, method: string): Length {
  if (method === 'HEAD' || status === 204 || status === 304) return 0
  let length: string | undefined
  let coding: string | undefined
  for (const { name, value } of fields) {
    if (name === 'transfer-encoding')
      coding = coding === undefined ? value.toLowerCase() : `${coding}, ${value.toLowerCase()}`
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
