import dgram from 'node:dgram'
import net from 'node:net'
import type { HostPort } from './host-port.ts'

/**
 * Whether an address could be had by one program alone; `port` is the one that it got, which matters when any was asked
 * for.
 */
export type Tried = { port: number; error: NodeJS.ErrnoException | null }

export function tryTcp({ host, port }: HostPort): Promise<Tried> {
  const server = net.createServer()
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ port, error }))
    server.listen({ host, port, exclusive: true }, () => {
      const at = server.address()
      server.close(() => resolve({ port: typeof at === 'object' && at ? at.port : port, error: null }))
    })
  })
}

export function tryUdp({ host, port }: HostPort): Promise<Tried> {
  const socket = dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4')
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => (socket.close(), resolve({ port, error })))
    socket.bind({ address: host, port, exclusive: true }, () => {
      const got = socket.address().port
      socket.close(() => resolve({ port: got, error: null }))
    })
  })
}
