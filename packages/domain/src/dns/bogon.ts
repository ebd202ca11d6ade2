import { contains, parseAddress, parseCidr, type IpNetwork } from '../steering/cidr.ts'

const networks = (texts: readonly string[]): IpNetwork[] => texts.flatMap((text) => parseCidr(text) ?? [])

// IANA IPv4 special-purpose registry (RFC 6890) with the blocks that it calls reachable too, since no website is in
// them, then multicast and reserved space.
const SPECIAL_V4 = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

// What IANA gives to networks of the internet (RFC 4291 2.4). All else is loopback, unique local, link or site local,
// multicast, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), IPv4-compatible, discarded or not given out.
const GLOBAL_V6 = networks(['2000::/3'])
// Special blocks inside it: protocol assignments with Teredo, benchmarks, AMT and ORCHID, documentation, 6to4, AS112.
const SPECIAL_V6 = networks(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/** ISATAP interface identifiers (RFC 5214 6.1), which lead on to an IPv4 address under any prefix. */
const isIsatap = ({ words }: IpNetwork): boolean => ((words[2] ?? 0) & 0xfcff_ffff) >>> 0 === 0x0000_5efe

/**
 * Whether a machine of the open internet may be behind the address, whichever way it is written; an IPv4 address mapped
 * into IPv6 counts as IPv4. False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  const network = parseAddress(address)
  if (network === null) return false
  const inside = (blocks: readonly IpNetwork[]) => blocks.some((block) => contains(block, network))
  return network.family === 4 ? !inside(SPECIAL_V4) : inside(GLOBAL_V6) && !inside(SPECIAL_V6) && !isIsatap(network)
}

/**
 * Whether an address is loopback, private, reserved, for documentation or for benchmarks, or leads on to another one
 * (NAT64, 6to4, Teredo, ISATAP). False for what is no address.
 */
export const isBogon = (address: string): boolean => parseAddress(address) !== null && !isPublicAddress(address)
