/** Family of an address, by its number of bits: 4, 6, or 0 when the text is no address. */
export type Family = 4 | 6

/**
 * Writes the bytes of a textual address into `into` (16 bytes) and answers its family, 0 when it is none. An interface
 * suffix (`%eth0`) is ignored.
 */
export function parseAddress(text: string, into: Uint8Array): Family | 0 {
  if (parseIpv4(text, 0, text.length, into, 0)) return 4
  const end = text.indexOf('%')
  return parseIpv6(end < 0 ? text : text.slice(0, end), into) ? 6 : 0
}

/** Textual form of the address at `at`. */
export function addressText(bytes: Uint8Array, at: number, family: Family): string {
  if (family === 4) return bytes.subarray(at, at + 4).join('.')
  return Array.from({ length: 8 }, (_, i) =>
    (((bytes[at + 2 * i] ?? 0) << 8) | (bytes[at + 2 * i + 1] ?? 0)).toString(16),
  ).join(':')
}

/** IPv6 mapped IPv4 (`::ffff:0:0/96`), which counts as IPv4 everywhere. */
export function isMappedIpv4(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false
  return bytes[10] === 255 && bytes[11] === 255
}

function parseIpv4(text: string, from: number, to: number, into: Uint8Array, at: number): boolean {
  let value = 0
  let digits = 0
  let parts = 0
  for (let i = from; i <= to; i++) {
    const code = i === to ? 46 : text.charCodeAt(i)
    if (code === 46) {
      if (digits === 0 || parts === 4) return false
      into[at + parts++] = value
      value = digits = 0
    } else {
      if (code < 48 || code > 57 || (digits > 0 && value === 0)) return false
      value = value * 10 + code - 48
      if (++digits > 3 || value > 255) return false
    }
  }
  return parts === 4
}

function parseIpv6(text: string, into: Uint8Array): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const head = groups(halves[0] ?? '')
  const tail = halves.length === 2 ? groups(halves[1] ?? '') : []
  if (!head || !tail) return false
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return false
  const all = [...head, ...new Array<number>(missing).fill(0), ...tail]
  for (const [i, group] of all.entries()) {
    into[2 * i] = group >> 8
    into[2 * i + 1] = group & 255
  }
  return true
}

function groups(text: string): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const last = parts.at(-1) ?? ''
  const values: number[] = []
  if (last.includes('.')) {
    const bytes = new Uint8Array(4)
    if (!parseIpv4(last, 0, last.length, bytes, 0)) return null
    parts.pop()
    values.push(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0))
  }
  if (!parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return null
  return [...parts.map((part) => parseInt(part, 16)), ...values]
}
