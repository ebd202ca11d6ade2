import dns from 'node:dns'
import net from 'node:net'
import { isBogon } from '@fairway/domain'

/** What a name stands for; an address stands for itself. */
export type LookUp = (host: string) => Promise<string[]>

/** Names through the given resolver (`host:port`), or the system's when it is empty. */
export function lookUpWith(resolver: string): LookUp {
  if (!resolver) return async (host) => (await dns.promises.lookup(host, { all: true })).map(({ address }) => address)
  const asked = new dns.promises.Resolver({ timeout: 2_000, tries: 2 })
  asked.setServers([resolver])
  return async (host) => {
    const [v4, v6] = await Promise.all([asked.resolve4(host).catch(() => []), asked.resolve6(host).catch(() => [])])
    return [...v4, ...v6]
  }
}

// Addresses that lead on to an IPv4 address of somebody's choice: NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380),
// IPv4-compatible (RFC 4291 2.5.5.1).
const TUNNELS = new net.BlockList()
for (const [network, bits] of [
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['2001::', 32],
  ['::', 96],
] as const)
  TUNNELS.addSubnet(network, bits, 'ipv6')

/**
 * Whether a machine of the open internet may be behind the address: not one of our own networks, whichever way it is
 * written.
 */
export function isPublicAddress(address: string): boolean {
  const family = net.isIP(address)
  if (family === 0 || isBogon(address)) return false
  return family === 4 || /^::ffff:/i.test(address) || !TUNNELS.check(address, 'ipv6')
}

export type Target = { address: string } | { problem: 'unresolved' | 'private' }

/**
 * The address to connect to, looked up once: what was checked is what is connected to, so a name cannot change its mind
 * in between.
 */
export async function safeAddress(
  url: URL,
  { lookUp, allowPrivate }: { lookUp: LookUp; allowPrivate: boolean },
): Promise<Target> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = net.isIP(host) ? [host] : await lookUp(host).catch(() => [])
  if (!addresses.length) return { problem: 'unresolved' }
  const address = addresses.find((one) => allowPrivate || isPublicAddress(one))
  return address === undefined ? { problem: 'private' } : { address }
}
