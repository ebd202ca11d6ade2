import { parseAddress, readIpv6 } from '../steering/cidr.ts'

export const isIpv4 = (text: string): boolean => !text.includes(':') && parseAddress(text) !== null

export const isIpv6 = (text: string): boolean => readIpv6(text) !== null

/**
 * The one way to write an IPv6 address (RFC 5952), so that equal addresses are equal texts: lower case, no leading
 * zeros, the first longest run of zeros as `::`.
 * What is no address comes back as it is.
 */
export function canonicalIpv6(text: string): string {
  const words = readIpv6(text)
  return words === null ? text : writeIpv6(words)
}

/** The same of its 32-bit parts. */
export function writeIpv6(words: readonly number[]): string {
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff])
  const { start, length } = longestZeros(groups)
  const write = (some: number[]) => some.map((group) => group.toString(16)).join(':')
  return length < 2 ? write(groups) : `${write(groups.slice(0, start))}::${write(groups.slice(start + length))}`
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0
    if (length > best.length) best = { start: index - length + 1, length }
  }
  return best
}
