import { lookup } from 'node:dns/promises'
import os from 'node:os'
import { contains, isPublicAddress, parseAddress } from '@fairway/domain/lean'
import { collectorsOf } from './collectors.ts'
import type { Config } from './config.ts'
import { readPrivateNetwork } from './outgoing/private-networks.ts'

export type ClearWay = { setting: string; at: string }
type Asked = Pick<Config, 'apiUrl' | 'collectors' | 'collectorListen' | 'privateNetworks'>

/**
 * Where this machine shows tokens to another one without TLS, and by another way than a network that is private or is
 * said to be: whoever is on that way reads them. A name that has no address now is none.
 */
export async function clearWays(config: Asked, addressesOf = addresses): Promise<ClearWay[]> {
  const ways = [
    { setting: 'FAIRWAY_API_URL', at: config.apiUrl },
    ...collectorsOf(config).map((at) => ({
      setting: config.collectors.length > 0 ? 'FAIRWAY_COLLECTORS' : 'FAIRWAY_COLLECTOR_LISTEN',
      at,
    })),
  ]
  const own = new Set(Object.values(os.networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)))
  const found = await Promise.all(
    ways.map(async (way) => {
      const { protocol, hostname, port } = new URL(way.at)
      if (protocol === 'https:') return []
      const host = hostname.replace(/^\[|\]$/g, '')
      const isOpen = (address: string) =>
        isPublicAddress(address) && !own.has(address) && !isPrivate(config, address, Number(port || 80))
      return (await addressesOf(host).catch(() => [])).some(isOpen) ? [way] : []
    }),
  )
  return found.flat()
}

export const saidOfClearWays = (ways: readonly ClearWay[]): string =>
  ways
    .map(({ setting, at }) => `${setting}: what shows this machine's rights crosses the internet in clear to ${at}`)
    .join('; ') +
  '. Name it with https://, lead it through a tunnel, or list a private network in FAIRWAY_PRIVATE_NETWORKS'

const addresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

function isPrivate({ privateNetworks }: Asked, address: string, port: number): boolean {
  const parsed = parseAddress(address)
  return privateNetworks.some((text) => {
    const one = readPrivateNetwork(text)
    return one !== null && parsed !== null && (one.port ?? port) === port && contains(one.network, parsed)
  })
}
