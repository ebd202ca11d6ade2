import dns from 'node:dns'
import type { TaskProblem } from '@fairway/contract'
import { OutgoingRefusal, type Config, type OutgoingGate, type Peer } from '@fairway/platform'
import { allNameservers } from '../../publish/nameservers.ts'

/** Who asks foreign name servers, and by which door. */
export type Asker = { config: Config; gate: OutgoingGate; organizationId: string }

export type Nameserver = { name: string; addresses: string[] }

const MOST_SERVERS = 8
const MOST_ADDRESSES = { eachServer: 2, all: 8 }

export type Resolver = dns.promises.Resolver

/** Name lookups through the configured resolver, or the system's. */
export function resolverOf(config: Config): Resolver {
  const resolver = new dns.promises.Resolver({ timeout: 2_000, tries: 2 })
  if (config.resolver) resolver.setServers([config.resolver])
  return resolver
}

/** Every name of ours in these zones (`houseZones`), whichever set it is in. */
export function ownNameservers(config: Config, zones: readonly string[]): string[] {
  const sets = zones.map((zone) => allNameservers(config, zone))
  return sets.flatMap(({ global, china }) => [...global, ...china])
}

/** The nameservers that a zone is delegated to and their addresses, ours left out; or why there is none to ask. */
export async function oldNameservers(
  { config, gate }: Asker,
  zone: string,
  houses: readonly string[],
): Promise<{ servers: Nameserver[] } | { problem: TaskProblem }> {
  const resolver = resolverOf(config)
  const names = await serversOf(resolver, zone)
  if (names === null) return { problem: 'noAnswer' }
  if (names.length === 0) return { problem: 'notDelegated' }
  const ours = new Set(ownNameservers(config, houses))
  const others = [...new Set(names.map((name) => name.toLowerCase()))]
    .filter((name) => !ours.has(name))
    .sort()
    .slice(0, MOST_SERVERS)
  if (others.length === 0) return { problem: 'ownServers' }
  const servers = await Promise.all(
    others.map(async (name) => ({ name, addresses: await addressesOf(resolver, name) })),
  )
  if (servers.every(({ addresses }) => addresses.length === 0)) return { problem: 'noAddress' }
  const allowed = servers
    .map(({ name, addresses }) => ({
      name,
      addresses: allowedAddresses({ config, gate }, addresses).slice(0, MOST_ADDRESSES.eachServer),
    }))
    .filter(({ addresses }) => addresses.length > 0)
  return allowed.length ? { servers: allowed } : { problem: 'privateAddress' }
}

/** Where they are asked: the first address of each, then the second. */
export function addressesToAsk(servers: readonly Nameserver[]): string[] {
  return Array.from({ length: MOST_ADDRESSES.eachServer }, (_, at) =>
    servers.flatMap(({ addresses }) => addresses[at] ?? []),
  )
    .flat()
    .slice(0, MOST_ADDRESSES.all)
}

/** Whoever names a zone chooses whom we ask: not machines of our own networks, unless the operator says so. */
export function allowedAddresses({ config, gate }: Omit<Asker, 'organizationId'>, addresses: string[]): string[] {
  return addresses.filter((address) => gate.reaches(address, config.nameserverPort))
}

/** Those of these name servers that may be asked now. */
export async function admitted({ config, gate, organizationId }: Asker, addresses: string[]): Promise<Peer[]> {
  const peers = await Promise.all(
    addresses.map((host) =>
      gate
        .admit({ organizationId, purpose: 'nameserver' }, { host, port: config.nameserverPort })
        .catch((error: unknown) => {
          if (error instanceof OutgoingRefusal) return null
          throw error
        }),
    ),
  )
  return peers.filter((peer) => peer !== null)
}

/** Names of a zone's nameservers, none where there is no zone; null when nobody has answered. */
export async function serversOf(resolver: Resolver, zone: string): Promise<string[] | null> {
  return resolver
    .resolveNs(zone)
    .catch((error: NodeJS.ErrnoException) => (error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? [] : null))
}

/** IPv4 when there is any: whether this machine reaches IPv6 is not known. */
export async function addressesOf(resolver: Resolver, name: string): Promise<string[]> {
  const v4 = await resolver.resolve4(name).catch(() => [])
  return v4.length ? v4.sort() : (await resolver.resolve6(name).catch(() => [])).sort()
}
