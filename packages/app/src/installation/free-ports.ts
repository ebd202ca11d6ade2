import dgram from 'node:dgram'
import net from 'node:net'

/**
 * Below the range from which systems take ports for outgoing connections, so that nobody takes one while its role is
 * being restarted.
 */
const FIRST = 20_000
const LAST = 32_000
const given = new Set<number>()

/** Ports that nobody listens on now, for TCP and UDP, at any of these addresses. */
export async function freePorts(count: number, addresses: readonly string[]): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (given.has(port)) continue
    const free = await Promise.all(addresses.flatMap((host) => [isFreeTcp(host, port), isFreeUdp(host, port)]))
    if (free.includes(false)) continue
    given.add(port)
    ports.push(port)
  }
  return ports
}

function isFreeTcp(host: string, port: number): Promise<boolean> {
  const server = net.createServer()
  return new Promise((resolve) =>
    server.once('error', () => resolve(false)).listen(port, host, () => server.close(() => resolve(true))),
  )
}

function isFreeUdp(host: string, port: number): Promise<boolean> {
  const socket = dgram.createSocket('udp4')
  return new Promise((resolve) => {
    socket.once('error', () => (socket.close(), resolve(false)))
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)))
  })
}
