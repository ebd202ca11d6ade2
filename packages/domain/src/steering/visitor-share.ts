import type { IpNetwork } from './cidr.ts'

/** A share of the visitors, drawn by lot: `salt` names what it is for, so that two shares do not pick the same ones. */
export type VisitorShare = { salt: number; percent: number }

/**
 * Visitors are told apart by /24 or /48: nearer than that resolvers do not say, and one network should not be here and
 * there.
 */
export const SUBNET_BITS = { 4: 24, 6: 48 } as const

export const visitorShare = (name: string, percent: number): VisitorShare => ({ salt: hashText(name), percent })

/** The number that a visitor draws with; from the address's own words, of which bits beyond what is known are zero. */
export function lotOf(family: 4 | 6, first: number, second: number): number {
  return family === 4 ? mix(4, first & 0xffffff00) : mix(mix(6, first), second & 0xffff0000)
}

/** A visitor whose address cannot be read draws as one. */
export const lotOfNetwork = (address: IpNetwork | null): number =>
  address === null ? 0 : lotOf(address.family, address.words[0] ?? 0, address.words[1] ?? 0)

export const isInShare = (lot: number, { salt, percent }: VisitorShare): boolean =>
  (mix(lot, salt) >>> 0) * 100 < percent * 2 ** 32

/** Which of the shares a visitor is in, one bit for each, the first one lowest. */
export function sharesOf(lot: number, shares: readonly VisitorShare[]): number {
  let bits = 0
  for (let index = 0; index < shares.length; index++) {
    const share = shares[index]
    if (share && isInShare(lot, share)) bits += 2 ** index
  }
  return bits
}

function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b1, 0x85ebca6b) ^ b
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return hash ^ (hash >>> 16)
}
