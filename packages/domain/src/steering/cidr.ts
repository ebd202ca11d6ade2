/**
 * An address block. `words` holds the address in 32-bit parts: one for IPv4, four for IPv6; bits beyond the prefix are
 * zero.
 */
export type IpNetwork = { family: 4 | 6; words: readonly number[]; prefixLength: number }

/**
 * Reads `192.0.2.0/24`, `2001:db8::/32` or a single address; null when it is neither.
 * Host bits are cut. An IPv4 address mapped into IPv6 (RFC 4291 2.5.5.2) counts as IPv4.
 */
export function parseCidr(text: string): IpNetwork | null {
  const slash = text.indexOf('/')
  if (slash < 0) return parseAddress(text)
  const bits = text.slice(slash + 1)
  return /^(0|[1-9]\d{0,2})$/.test(bits) ? parseAddress(text.slice(0, slash), Number(bits)) : null
}

/**
 * Reads an address of which the first `prefixLength` bits are known, counted in the family it is written in; null when
 * either is invalid.
 */
export function parseAddress(text: string, prefixLength?: number): IpNetwork | null {
  if (!text.includes(':')) {
    const word = readIpv4(text, 0)
    return word < 0 ? null : network(4, [word], prefixLength ?? 32)
  }
  const words = readIpv6(text)
  if (words === null) return null
  const bits = prefixLength ?? 128
  const [a, b, c, d] = words
  const mapped = a === 0 && b === 0 && c === 0xffff && d !== undefined
  if (mapped && bits >= 96) return network(4, [d], bits - 96)
  return network(6, words, bits)
}

/**
 * The same for a visitor: a mapped address is always IPv4, even when fewer than its 96 leading bits are known (then
 * nothing of the IPv4 address is).
 */
export function parseVisitorAddress(address: string, prefixLength: number): IpNetwork | null {
  const whole = parseAddress(address)
  if (whole === null) return null
  const bits = whole.family === 4 && address.includes(':') ? Math.max(0, prefixLength - 96) : prefixLength
  return network(whole.family, whole.words, Math.min(bits, whole.family === 4 ? 32 : 128))
}

/**
 * Whether all of `inner` lies in `outer`: an outer block narrower than the inner one never contains it, and families
 * never mix.
 */
export const contains = (outer: IpNetwork, inner: IpNetwork): boolean =>
  outer.family === inner.family &&
  outer.prefixLength <= inner.prefixLength &&
  commonBits(outer, inner) >= outer.prefixLength

/**
 * How many bits of the visitor's address settle whether it is in `block`: the answer is the same for all addresses
 * sharing them.
 * More than the visitor's own prefix length when the block is a part of what is known of the visitor. 0 for the other
 * family.
 */
export function decidingBits(block: IpNetwork, visitor: IpNetwork): number {
  if (block.family !== visitor.family) return 0
  const common = commonBits(block, visitor)
  return common >= Math.min(block.prefixLength, visitor.prefixLength) ? block.prefixLength : common + 1
}

/** Leading bits that two networks of one family share, counted to the end of the address. */
function commonBits(a: IpNetwork, b: IpNetwork): number {
  for (let index = 0; index < a.words.length; index++) {
    const difference = (a.words[index] ?? 0) ^ (b.words[index] ?? 0)
    if (difference !== 0) return index * 32 + Math.clz32(difference)
  }
  return a.words.length * 32
}

function network(family: 4 | 6, words: readonly number[], prefixLength: number): IpNetwork | null {
  if (prefixLength < 0 || prefixLength > words.length * 32) return null
  if (prefixLength === words.length * 32) return { family, words, prefixLength }
  return { family, words: words.map((word, index) => keepBits(word, prefixLength - index * 32)), prefixLength }
}

const keepBits = (word: number, bits: number): number =>
  bits >= 32 ? word : bits <= 0 ? 0 : (word & (-1 << (32 - bits))) >>> 0

/**
 * A dotted quad from `start` to the end as an unsigned number, -1 when it is none; leading zeros are refused since some
 * read them as octal.
 */
function readIpv4(text: string, start: number): number {
  let word = 0
  let octet = -1
  let octets = 0
  for (let index = start; index <= text.length; index++) {
    const code = index === text.length ? 46 : text.charCodeAt(index)
    if (code === 46) {
      if (octet < 0) return -1
      word = word * 256 + octet
      octet = -1
      octets++
    } else {
      if (code < 48 || code > 57 || octet === 0) return -1
      octet = (octet < 0 ? 0 : octet * 10) + code - 48
      if (octet > 255) return -1
    }
  }
  return octets === 4 ? word : -1
}

/** The four 32-bit parts of an IPv6 address (RFC 4291 2.2), null when it is none. Zone ids are refused. */
export function readIpv6(text: string): [number, number, number, number] | null {
  const gap = text.indexOf('::')
  const head = readGroups(gap < 0 ? text : text.slice(0, gap), gap < 0)
  const tail = gap < 0 ? [] : readGroups(text.slice(gap + 2), true)
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (gap < 0 ? missing !== 0 : missing < 1) return null
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail]
  const pair = (index: number) => ((groups[index] ?? 0) * 65536 + (groups[index + 1] ?? 0)) >>> 0
  return [pair(0), pair(2), pair(4), pair(6)]
}

/** Groups of 16 bits; only the end of an address may be written as a dotted quad. */
function readGroups(text: string, atEnd: boolean): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':', 9)
  for (const [index, part] of parts.entries()) {
    if (atEnd && index === parts.length - 1 && part.includes('.')) {
      const word = readIpv4(part, 0)
      if (word < 0) return null
      groups.push(Math.floor(word / 65536), word % 65536)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return null
  }
  return groups
}
