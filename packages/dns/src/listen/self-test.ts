import dgram from 'node:dgram'
import type { Log } from '@fairway/platform'
import { listenUdp } from './udp.ts'
import type { UdpOptions } from './udp-options.ts'

/** More than one batch. */
const DATAGRAMS = 200
const PATIENCE_MS = 5000

/**
 * Whether batches work on this machine: datagrams of every length are sent over loopback and must come back, each whole
 * and to whom sent it, and in batches.
 */
export async function batchesWork(
  log: Log,
  { libc, patienceMs = PATIENCE_MS }: { libc?: UdpOptions['libc']; patienceMs?: number } = {},
): Promise<boolean> {
  const echo: UdpOptions['handler'] = {
    expect() {},
    prefetch() {},
    handle(bytes, length, peer, _transport, out) {
      out.set(bytes.subarray(0, length))
      return peer.isLoopback() ? length : 0
    },
  }
  await using listener = await listenUdp({
    at: { host: '127.0.0.1', port: 0 },
    handler: echo,
    log,
    transport: 'mmsg',
    libc,
  })
  if (listener.transport() !== 'mmsg') return false
  const clients = [dgram.createSocket('udp4'), dgram.createSocket('udp4')]
  const missing = new Set<string>()
  const done = Promise.withResolvers<void>()
  const timer = setTimeout(done.resolve, patienceMs)
  for (const [number, client] of clients.entries()) {
    client.on('message', (message, from) => {
      if (from.port === listener.port) missing.delete(`${number}:${message.toString('latin1')}`)
      if (missing.size === 0) done.resolve()
    })
    client.on('error', () => done.resolve())
  }
  for (let i = 0; i < DATAGRAMS; i++) {
    const number = i % clients.length
    const datagram = Buffer.alloc(17 + 4 * i, String.fromCharCode(33 + (i % 90)))
    missing.add(`${number}:${datagram.toString('latin1')}`)
    clients[number]?.send(datagram, listener.port, '127.0.0.1', () => {})
  }
  await done.promise
  clearTimeout(timer)
  for (const client of clients) client.close()
  return missing.size === 0 && listener.counters.batched > 0
}
