import dns from 'node:dns/promises'
import { isIP } from 'node:net'
import { Problem, type HostPort, type Log } from '@fairway/platform/lean'
import type { Handler } from './handler.ts'
import type { TcpLimits } from './tcp-limits.ts'
import { listenTcp, type TcpListener } from './tcp.ts'
import { listenUdp, type UdpListener } from './udp.ts'
import type { UdpTransport } from './udp-options.ts'

/** What a process takes: datagrams, which may wait for nothing else, or streams, whose clients decide how long. */
export type Taken = 'datagrams' | 'streams'
/** `leave` lets what was asked be answered and takes nothing new; disposing ends all at once. */
export type Listeners = AsyncDisposable & {
  leave(): Promise<void>
  at: HostPort[]
  udp: UdpListener[]
  tcp: TcpListener[]
}
export type ListenOptions = {
  addresses: readonly HostPort[]
  handler: Handler
  log: Log
  transport?: UdpTransport
  /** Processes that take the same on the same address, this one among them. 0 is none. */
  sharers?: number
  /** Both, where it is left out. */
  takes?: Taken | undefined
  tcpLimits?: TcpLimits | undefined
}

/** The name server's address cannot be had; the message says what to do. */
export class ListenError extends Problem {}

const PORT_TRIES = 20

type Bound = { at: HostPort; udp: UdpListener[]; tcp: TcpListener[] }

/**
 * Listens on UDP and TCP of every address, each bound by itself so that answers leave from where they were asked. Port
 * 0 takes one that is free on both.
 * @throws ListenError when an address is taken or not ours
 */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const bound: Bound[] = []
  const close = async () => {
    await Promise.all(bound.flatMap(({ udp, tcp }) => [...udp, ...tcp].map((one) => one[Symbol.asyncDispose]())))
  }
  try {
    for (const address of options.addresses) bound.push(await bind(address, options))
  } catch (error) {
    await close()
    throw error
  }
  const leave = async () => {
    await Promise.all(
      bound.flatMap(({ udp, tcp }) => [
        ...udp.map((one) => one[Symbol.asyncDispose]()),
        ...tcp.map((one) => one.leave()),
      ]),
    )
  }
  return {
    at: bound.map(({ at }) => at),
    udp: bound.flatMap(({ udp }) => udp),
    tcp: bound.flatMap(({ tcp }) => tcp),
    leave,
    [Symbol.asyncDispose]: close,
  }
}

async function bind(
  wanted: HostPort,
  { handler, log, transport, sharers = 0, takes, tcpLimits }: ListenOptions,
): Promise<Bound> {
  const address = isIP(wanted.host) ? wanted : { host: (await dns.lookup(wanted.host)).address, port: wanted.port }
  const streams = (at: HostPort) => listenTcp({ at, handler, limits: tcpLimits, reusePort: sharers > 0 })
  if (takes === 'streams') {
    const tcp = await streams(address).catch((error: unknown) => refuseAddress(address, error))
    return { at: { host: address.host, port: tcp.port }, udp: [], tcp: [tcp] }
  }
  for (let tries = 1; ; tries++) {
    const udp = await listenUdp({ at: address, handler, log, transport, sharers }).catch((error: unknown) =>
      refuseAddress(address, error),
    )
    if (takes === 'datagrams') return { at: { host: address.host, port: udp.port }, udp: [udp], tcp: [] }
    const at = { host: address.host, port: udp.port }
    try {
      return { at, udp: [udp], tcp: [await streams(at)] }
    } catch (error) {
      await udp[Symbol.asyncDispose]()
      if (address.port !== 0 || tries === PORT_TRIES) refuseAddress(at, error)
    }
  }
}

/**
 * Says what to do about an address that cannot be had. @throws ListenError, or the error when it is about something
 * else
 */
export function refuseAddress({ host, port }: HostPort, error: unknown, setting = 'FAIRWAY_DNS_LISTEN'): never {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const where = `${host} port ${port}`
  if (code === 'EADDRINUSE')
    throw new ListenError(
      `The name server's ${where} is taken by another program. Stop it, or set ${setting} to another host:port.`,
      { cause: error },
    )
  if (code === 'EACCES')
    throw new ListenError(
      `The name server may not open ${where}: ports below 1024 need root or CAP_NET_BIND_SERVICE. Set ${setting} to a higher port.`,
      { cause: error },
    )
  if (code === 'EADDRNOTAVAIL')
    throw new ListenError(
      `The name server cannot listen on ${host}: this machine has no such address. Set ${setting} to one that it has.`,
      { cause: error },
    )
  throw error
}
