import { contains, type IpNetwork, isPublicAddress, parseAddress, parseCidr } from '@fairway/domain/lean'

/** A network that the operator lets users lead us into; `port` null is every port. */
type PrivateNetwork = { network: IpNetwork; port: number | null }

const WITH_PORT = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/

/** Reads `10.0.0.0/8`, `fd00::/8`, `127.0.0.1` or, for one port only, `127.0.0.1:8070`; null when it is none. */
export function readPrivateNetwork(text: string): PrivateNetwork | null {
  const [, v6, v4, port] = WITH_PORT.exec(text) ?? []
  const network = parseCidr(v6 ?? v4 ?? text)
  if (network === null || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return null
  return { network, port: port === undefined ? null : Number(port) }
}

/** Where connections that users ask for may go. `port` is null while it is not known, as it is for a name's addresses. */
export type Reach = (address: string, port: number | null) => boolean

/** Public addresses, and those of the networks that the operator lists in `FAIRWAY_PRIVATE_NETWORKS`. */
export function reachOf(privateNetworks: readonly string[]): Reach {
  const allowed = privateNetworks.flatMap((text) => readPrivateNetwork(text) ?? [])
  return (address, port) => {
    if (isPublicAddress(address)) return true
    const network = parseAddress(address)
    return (
      network !== null &&
      allowed.some((one) => (one.port === null || one.port === port) && contains(one.network, network))
    )
  }
}
