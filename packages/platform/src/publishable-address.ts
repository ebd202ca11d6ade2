import { contains, parseAddress, parseCidr } from '@fairway/domain/lean'

/** What can be nobody's address, or more than one machine's. */
const NOWHERE = ['0.0.0.0/8', '224.0.0.0/3', '::/128', 'fe80::/10', 'ff00::/8'].flatMap((text) => parseCidr(text) ?? [])

/** Whether a name in DNS may lead to it; loopback may, for trials. IPv4 mapped into IPv6 may not. */
export function isPublishable(address: string): boolean {
  const network = parseAddress(address)
  if (network === null || (network.family === 4) === address.includes(':')) return false
  return !NOWHERE.some((block) => contains(block, network))
}
