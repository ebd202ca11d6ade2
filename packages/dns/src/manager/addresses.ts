import dns from 'node:dns/promises'
import { once } from 'node:events'
import net, { isIP } from 'node:net'
import { tryTcp, tryUdp, type Config, type HostPort } from '@fairway/platform/lean'
import { refuseAddress } from '../listen/listen.ts'
import type { ProcessFile } from './process-file.ts'

/**
 * Where the node answers. `shared`: several processes of ours do so side by side, which the kernel gives each its part
 * of.
 */
export type Addresses = AsyncDisposable & {
  at: HostPort
  tls: HostPort | null
  https: HostPort | null
  shared: boolean
}

type Transport = 'udp' | 'tcp'

/** Elsewhere the port of a process that was killed is only had when it has left. */
const CAN_SHARE = process.platform === 'linux'
const PORT_TRIES = 20

/**
 * Makes sure that the addresses of the settings are ours. The kernel gives a shared port to every program of the same
 * user that asks for one, another Fairway among them, so a name is taken for each:
 * a socket without a file, gone with its process, in the same network namespace as the port. What other programs have
 * is found by asking for the port alone; servers of a manager that was killed may have it.
 * Port 0 takes one that is free.
 * @throws ListenError when an address is taken or not ours
 */
export async function takeAddresses(
  config: Pick<Config, 'dnsListen' | 'dnsTlsListen' | 'dnsHttpsListen'>,
  processes: ProcessFile,
  /** Whether our own supervisor has taken the address until somebody answers there. */
  isKept: () => boolean = () => false,
): Promise<Addresses> {
  await using stack = new AsyncDisposableStack()
  const taken: string[] = []
  const take = async (wanted: HostPort | null, transports: Transport[], setting: string): Promise<HostPort | null> => {
    if (!wanted) return null
    const host = isIP(wanted.host) ? wanted.host : (await dns.lookup(wanted.host)).address
    const at = await free(
      { host, port: wanted.port },
      transports,
      setting,
      (name) => isKept() || processes.wasOurs(name),
    )
    for (const transport of transports) {
      if (CAN_SHARE)
        stack.use(await takeName(nameOf(transport, at)).catch((error: unknown) => refuseAddress(at, error, setting)))
      taken.push(nameOf(transport, at))
    }
    return at
  }
  const at = (await take(config.dnsListen, ['udp', 'tcp'], 'FAIRWAY_DNS_LISTEN')) ?? config.dnsListen
  const tls = await take(config.dnsTlsListen, ['tcp'], 'FAIRWAY_DNS_TLS_LISTEN')
  const https = await take(config.dnsHttpsListen, ['tcp'], 'FAIRWAY_DNS_HTTPS_LISTEN')
  processes.take(taken)
  const owned = stack.move()
  return { at, tls, https, shared: CAN_SHARE, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const nameOf = (transport: Transport, { host, port }: HostPort): string => `${transport} ${host} ${port}`

async function takeName(name: string): Promise<AsyncDisposable> {
  const server = net
    .createServer((socket) => socket.destroy())
    .unref()
    .listen(`\0fairway-dns ${name}`)
  await once(server, 'listening')
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** The address with a port that nobody but we have. */
async function free(
  wanted: HostPort,
  transports: Transport[],
  setting: string,
  isOurs: (name: string) => boolean,
): Promise<HostPort> {
  for (let tries = 1; ; tries++) {
    const at = { ...wanted }
    let refused: Error | null = null
    for (const transport of transports) {
      const { port, error } = await (transport === 'udp' ? tryUdp : tryTcp)(at)
      at.port = port
      if (error && !(error.code === 'EADDRINUSE' && isOurs(nameOf(transport, at)))) refused ??= error
    }
    if (!refused) return at
    if (wanted.port !== 0 || tries === PORT_TRIES) refuseAddress(at, refused, setting)
  }
}
