import crypto from 'node:crypto'
import net from 'node:net'
import { tryTcp, tryUdp } from './free-address.ts'

/**
 * Below the ports that systems take for outgoing connections, so that nobody takes one while its role is being
 * restarted. Whoever deals out ports has a range of its own, and listens on the first of it for as long as it lives.
 */
const FIRST = 20_000
const RANGES = 200
const RANGE = 60

let range = { next: 0, end: 0 }

/**
 * Ports that nobody listens on now, for TCP and UDP, at any of these addresses; none is given to anybody else, in this
 * process or in another, while this process lives. For tests and benchmarks.
 */
export async function freePorts(count: number, addresses: readonly string[]): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    while (range.next === range.end) range = await ownRange()
    const port = range.next++
    const tried = await Promise.all(addresses.flatMap((host) => [tryTcp({ host, port }), tryUdp({ host, port })]))
    if (tried.every(({ error }) => error === null)) ports.push(port)
  }
  return ports
}

/** One port that is free at all of the addresses, as those of `freePorts` are. */
export async function freePort(...addresses: readonly string[]): Promise<number> {
  const [port = 0] = await freePorts(1, addresses.length > 0 ? addresses : ['127.0.0.1'])
  return port
}

async function ownRange(): Promise<typeof range> {
  const from = crypto.randomInt(RANGES)
  for (let at = from; at < from + RANGES; at++) {
    const first = FIRST + (at % RANGES) * RANGE
    if (await hold(first)) return { next: first + 1, end: first + RANGE }
  }
  throw new Error('every range of ports is held by another process')
}

/** Only one process listens at an address: no two hold the same. */
function hold(port: number): Promise<boolean> {
  const server = net.createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.unref()
      resolve(true)
    })
  })
}
