import type { IncomingMessage } from 'node:http'
import { type Socket, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { addressList, withoutMapping } from '@fairway/platform'

/** Who sent a beacon. `network` is what is left of the address when it is cut: the key of the rate limit. */
export type Client = { bytes: Uint8Array; family: 4 | 6; network: string }

/** Reads addresses of peers and, when the peer is a trusted proxy, of the client it speaks for. */
export function clientReader(trustedProxies: readonly string[]): (request: IncomingMessage) => Client | null {
  const isTrusted = addressList(trustedProxies)
  // Who stands at the other end of a connection does not change, and a proxy asks thousands of times over one.
  const peers = new WeakMap<Socket, { address: string; isTrusted: boolean }>()
  const peerOf = (socket: Socket) => {
    const known = peers.get(socket)
    if (known) return known
    const address = withoutMapping(socket.remoteAddress ?? '')
    const peer = { address, isTrusted: isTrusted(address) }
    // One that has gone has no address any more.
    if (address !== '') peers.set(socket, peer)
    return peer
  }
  return (request) => {
    const peer = peerOf(request.socket)
    const forwarded = request.headers['x-forwarded-for']
    return clientOf(
      forwarded !== undefined && peer.isTrusted
        ? lastUntrusted(String(forwarded), isTrusted, peer.address)
        : peer.address,
    )
  }
}

/**
 * Every proxy appends the address it saw: from the right, the first one that is not a trusted proxy is believed, and
 * nothing to the left of it.
 */
function lastUntrusted(header: string, isTrusted: (address: string) => boolean, peer: string): string {
  const chain = header.slice(-2000).split(',')
  for (let at = chain.length - 1; at >= 0; at--) {
    const address = withoutMapping((chain[at] ?? '').trim())
    if (isIP(address) === 0) return peer
    // Whoever stands first is believed in any case, and asking costs more than all else here.
    if (at === 0 || !isTrusted(address)) return address
  }
  return peer
}

/** Null when the text is no address. */
export function clientOf(address: string): Client | null {
  const family = isIP(address)
  if (family === 4) {
    const parts = address.split('.')
    return { bytes: Uint8Array.from(parts, Number), family, network: `${parts[0]}.${parts[1]}.${parts[2]}` }
  }
  if (family !== 6) return null
  const bytes = Uint8Array.from(ipaddr.parse(address.replace(/%.*$/, '')).toByteArray())
  return { bytes, family, network: Buffer.from(bytes.subarray(0, 6)).toString('hex') }
}
