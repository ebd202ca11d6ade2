import { contains, parseAddress, parseCidr } from '../steering/cidr.ts'

// Addresses nobody on the internet can be reached at: IANA special-purpose registries (RFC 6890), multicast and
// reserved space.
const BOGONS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:2::/48',
  '2001:10::/28',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].flatMap((text) => parseCidr(text) ?? [])

/**
 * Whether an address is loopback, private, reserved, for documentation or for benchmarks. False for what is no address.
 */
export function isBogon(address: string): boolean {
  const network = parseAddress(address)
  return network !== null && BOGONS.some((bogon) => contains(bogon, network))
}
