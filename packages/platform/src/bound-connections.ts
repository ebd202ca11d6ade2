import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Server } from 'node:http'
import { placeOf } from './place-of.ts'

export type ConnectionBounds = {
  /** A request, its body included, has come by then, also when it comes one byte at a time. */
  requestMs: number
  headersMs: number
  /** Connections from one place (`placeOf`) at once; a proxy that is trusted speaks for many and has no bound. */
  perPlace: number
  trusted: readonly string[]
}

/** What an interval between two looks at requests adds to their time at most. */
const LOOK_MS = 2_000

/** Options that only a new server takes. */
export const boundedServer = { connectionsCheckingInterval: LOOK_MS } as const

/**
 * Bounds what strangers can hold of an HTTP server made with `boundedServer`: requests that never come to an end are
 * answered 408 and cut, connections beyond the bound of their place are closed at once.
 */
export function boundConnections(server: Server, { requestMs, headersMs, perPlace, trusted }: ConnectionBounds): void {
  server.requestTimeout = requestMs
  server.headersTimeout = headersMs
  const open = new Map<string, number>()
  const isTrusted = addressList(trusted)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isTrusted(address)) return
    const place = placeOf(address)
    const count = (open.get(place) ?? 0) + 1
    if (count > perPlace) return void socket.destroy()
    open.set(place, count)
    socket.once('close', () => {
      const left = (open.get(place) ?? 1) - 1
      if (left > 0) open.set(place, left)
      else open.delete(place)
    })
  })
}

/** Whether an address is one of these addresses and CIDR blocks; an IPv4 address mapped into IPv6 is that address. */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = withoutMapping(address)
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

/** `::ffff:192.0.2.1` is how a socket of both families shows 192.0.2.1. */
export const withoutMapping = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
