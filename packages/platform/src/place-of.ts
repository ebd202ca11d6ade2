import { parseAddress } from '@fairway/domain/lean'

/**
 * What limits count as one place: an IPv4 address whole, of an IPv6 address the /64, from any address of which one
 * machine may speak. An IPv4 address mapped into IPv6 is that address; what is no address counts as it is written.
 */
export function placeOf(address: string): string {
  const network = parseAddress(address.replace(/%.*$/, ''))
  if (!network) return address
  const [high = 0, low = 0] = network.words
  if (network.family === 4) return [24, 16, 8, 0].map((shift) => (high >>> shift) & 0xff).join('.')
  return [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff].map((group) => group.toString(16)).join(':')
}
