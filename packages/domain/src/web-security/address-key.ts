import { hexDigit } from './bytes.ts'

const DIGITS = '0123456789abcdef'
const HEX: string[] = []
for (let octet = 0; octet < 256; octet++)
  HEX.push(`${DIGITS.charAt((octet - (octet % 16)) / 16)}${DIGITS.charAt(octet % 16)}`)

/**
 * An address as hexadecimal digits, 8 for IPv4 and 32 for IPv6, so that addresses of a family are ordered like texts.
 * Empty for what is no address. An IPv4 address within IPv6 (RFC 4291 2.5.5.2) is IPv4.
 */
export function addressKey(text: string): string {
  if (text.length > 45) return ''
  const name = `=${text}`
  const known = keys[name]
  if (known !== undefined) return known
  if (keptCount >= KEPT_MOST) {
    keys = {}
    keptCount = 0
  }
  const key = text.includes(':') ? ipv6Key(text) : ipv4Key(text, 0)
  keys[name] = key
  keptCount += 1
  return key
}

/** A visitor asks many times. Without a loop in its way LuaJIT compiles what every request goes through in one piece. */
let keys: Record<string, string | undefined> = {}
let keptCount = 0
const KEPT_MOST = 10_000

function ipv4Key(text: string, from: number): string {
  let key = ''
  let octet = -1
  let octets = 0
  for (let i = from; i <= text.length; i++) {
    const code = i === text.length ? 46 : text.charCodeAt(i)
    if (code === 46) {
      if (octet < 0 || octets === 4) return ''
      key = `${key}${HEX[octet] ?? ''}`
      octet = -1
      octets += 1
    } else {
      if (code < 48 || code > 57 || octet === 0) return ''
      octet = (octet < 0 ? 0 : octet * 10) + code - 48
      if (octet > 255) return ''
    }
  }
  return octets === 4 ? key : ''
}

function ipv6Key(text: string): string {
  const gap = text.indexOf('::')
  const head = gap < 0 ? groups(text, true) : groups(text.slice(0, gap), false)
  const tail = gap < 0 ? '' : groups(text.slice(gap + 2), true)
  if (head === undefined || tail === undefined) return ''
  const missing = 32 - head.length - tail.length
  if (gap < 0 ? missing !== 0 : missing < 4) return ''
  const key = `${head}${'0'.repeat(missing)}${tail}`
  return key.startsWith('00000000000000000000ffff') ? key.slice(24) : key
}

/** Groups of four digits, one after the other; undefined where one is none. Only the end may be a dotted quad. */
function groups(text: string, isEnd: boolean): string | undefined {
  if (text === '') return ''
  let key = ''
  const parts = text.split(':')
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    if (isEnd && i === parts.length - 1 && part.includes('.')) {
      const quad = ipv4Key(part, 0)
      if (quad === '') return undefined
      key = `${key}${quad}`
    } else {
      if (part.length < 1 || part.length > 4) return undefined
      for (let at = 0; at < part.length; at++) if (hexDigit(part.charCodeAt(at)) < 0) return undefined
      key = `${key}${'0'.repeat(4 - part.length)}${part.toLowerCase()}`
    }
  }
  return key.length <= 32 ? key : undefined
}

/** Network that a visitor is taken to stay in: /24 or /48, as it is also written down. */
export function networkOf(address: string): string {
  const key = addressKey(address)
  return key.length === 8 ? key.slice(0, 6) : key.slice(0, 12)
}
