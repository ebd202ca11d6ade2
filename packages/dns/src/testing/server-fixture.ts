import dgram from 'node:dgram'
import net, { isIPv6 } from 'node:net'
import type { DnsTransfers, DnsZone, ScoresSnapshot } from '@fairway/contract'
import { steeringZone } from '@fairway/domain/lean'
import { type HostPort, type Log, ownPeer } from '@fairway/platform'
import dnsPacket, { type Decoded } from 'dns-packet'
import { Answerer } from '../answer/answerer.ts'
import { Cookies } from '../answer/cookies.ts'
import { BuilderKeys } from '../builder/builder-keys.ts'
import { Secondaries } from '../builder/secondaries.ts'
import { SigningBudget } from '../dnssec/online-signer.ts'
import { Handler, type Observe } from '../listen/handler.ts'
import { listen } from '../listen/listen.ts'
import { RateLimit } from '../listen/rate-limit.ts'
import type { TcpLimits } from '../listen/tcp-limits.ts'
import type { UdpListener } from '../listen/udp.ts'
import type { UdpTransport } from '../listen/udp-options.ts'
import { compileZone } from '../segment/compile.ts'
import { Segment } from '../segment/segment.ts'
import { Zones } from '../segment/zones.ts'
import { Signers } from '../serving/signers.ts'
import { Xorshift } from '../steering/random.ts'
import { Steering } from '../steering/steering.ts'
import { Notifier } from '../transfer/notifier.ts'
import { Transfers } from '../transfer/transfers.ts'
import { geoFixture } from './geo-fixture.ts'
import { openKey } from './key-fixture.ts'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog }

export type Served = AsyncDisposable & {
  udp: UdpListener
  zones: Zones
  steering: Steering
  answerer: Answerer
  handler: Handler
  transfers: Transfers
  setTransfers(organizationId: string, given: DnsTransfers | null): void
  at: HostPort
  put(zone: DnsZone): Promise<void>
  leave(): Promise<void>
}

/** How datagrams are taken where a test does not say; `by-batches.test.ts` runs other tests again with batches. */
export const byDefault: { transport: UdpTransport } = { transport: 'dgram' }

/** Too short for an answer. With it in front the query itself waits behind a datagram, where batches take it. */
const RUNT = Buffer.alloc(1)

/** A whole name server of given zones on a free port of 127.0.0.1, without builder and control socket. */
export async function serve(
  zoneList: DnsZone[],
  options: {
    scores?: ScoresSnapshot[]
    observe?: Observe
    tcpLimits?: TcpLimits
    clock?: () => number
    noticed?: (zoneId: string) => void
    rateLimit?: number
    log?: Log
    transport?: UdpTransport
    host?: string
  } = {},
): Promise<Served> {
  const geo = geoFixture()
  const zones = new Zones()
  const steering = new Steering({ locationOf: geo.location, clock: options.clock ?? Date.now, random: new Xorshift(1) })
  const clock = options.clock ?? Date.now
  const answerer = new Answerer(zones, steering, geo, new Cookies(new Uint8Array(16), clock))
  const signers = new Signers(openKey, new SigningBudget(1e9), clock)
  const transfers = new Transfers({ zones, openKey, clock, noticed: options.noticed ?? (() => {}) })
  const notifier = new Notifier({ admit: async (_, at) => ownPeer(at) }, options.log ?? silentLog, clock)
  const secondaries = new Secondaries({ notifier, openKey, log: options.log ?? silentLog })
  const keys = new BuilderKeys(openKey, clock)
  const log = options.log ?? silentLog
  const handler = new Handler(
    answerer,
    new RateLimit(options.rateLimit ?? 0),
    transfers,
    options.observe ?? (() => {}),
    log,
  )
  let stamp = 0
  const put = async (zone: DnsZone) => {
    const below = steeringZone(zone)
    if (below) await put(below)
    const segment = await Segment.open(compileZone(zone, ++stamp, keys.of(zone)))
    const former = zones.get(zone.zoneId)
    signers.equip(segment, former)
    zones.put(segment)
    steering.swapped(former, segment)
    transfers.swapped(former, segment)
    secondaries.served(segment)
  }
  const setTransfers = (organizationId: string, given: DnsTransfers | null) => {
    transfers.set(organizationId, given)
    secondaries.set(organizationId, given)
  }
  for (const zone of zoneList) await put(zone)
  for (const scores of options.scores ?? []) steering.setScores(scores)
  const transport = options.transport ?? byDefault.transport
  const listeners = await listen({
    addresses: [{ host: options.host ?? '127.0.0.1', port: 0 }],
    handler,
    log,
    transport,
    tcpLimits: options.tcpLimits,
  })
  const at = listeners.at[0]
  const [udp] = listeners.udp
  if (!at || udp?.transport() !== transport) throw new Error(`nothing is listening by ${transport}`)
  return {
    udp,
    zones,
    steering,
    answerer,
    handler,
    transfers,
    setTransfers,
    at,
    put,
    leave: () => listeners.leave(),
    async [Symbol.asyncDispose]() {
      await notifier[Symbol.asyncDispose]()
      await listeners[Symbol.asyncDispose]()
    },
  }
}

export type Ask = {
  type?: string
  class?: string
  transport?: 'udp' | 'tcp'
  subnet?: string
  udpPayloadSize?: number
  dnssecOk?: boolean
  edns?: boolean
}

/** Asks one question and answers the decoded answer; its `bytes` are the length on the wire. */
export async function ask(
  at: HostPort,
  name: string,
  options: Ask = {},
): Promise<Decoded & { bytes: number; raw: Buffer }> {
  const [ip, bits] = options.subnet?.split('/') ?? []
  const edns =
    options.edns ?? (options.subnet !== undefined || options.udpPayloadSize !== undefined || options.dnssecOk === true)
  const opt = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: options.udpPayloadSize ?? 1232,
    flags: options.dnssecOk ? dnsPacket.DNSSEC_OK : 0,
    options:
      ip === undefined
        ? []
        : [
            {
              code: 'CLIENT_SUBNET',
              family: ip.includes(':') ? 2 : 1,
              ip,
              sourcePrefixLength: Number(bits),
              scopePrefixLength: 0,
            },
          ],
  }
  const packet = {
    type: 'query',
    id: 4711,
    flags: 0,
    questions: [{ type: options.type ?? 'A', class: options.class ?? 'IN', name }],
    additionals: edns ? [opt] : [],
  }
  const query = dnsPacket.encode(packet)
  const raw =
    options.transport === 'tcp' ? ((await askTcp(at, [query]))[0] ?? Buffer.alloc(0)) : await askUdp(at, query)
  return { ...dnsPacket.decode(raw), bytes: raw.length, raw }
}

/** Sends one datagram and answers the one that comes back. @throws Error after two seconds of silence */
export async function askUdp(at: HostPort, query: Uint8Array): Promise<Buffer> {
  const socket = dgram.createSocket(isIPv6(at.host) ? 'udp6' : 'udp4')
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), 2000)
      socket.once('message', (message) => {
        clearTimeout(timer)
        resolve(message)
      })
      socket.once('error', reject)
      socket.send(RUNT, at.port, at.host)
      socket.send(query, at.port, at.host)
    })
  } finally {
    socket.close()
  }
}

/** Sends framed messages on one connection at once and answers as many answers. */
export function askTcp(at: HostPort, queries: Uint8Array[]): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(at.port, at.host)
    const answers: Buffer[] = []
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('close', () => resolve(answers))
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 2 && rest.length - 2 >= rest.readUInt16BE(0)) {
        answers.push(rest.subarray(2, 2 + rest.readUInt16BE(0)))
        rest = rest.subarray(2 + rest.readUInt16BE(0))
      }
      if (answers.length === queries.length) socket.end()
    })
    for (const query of queries) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(query.length)
      socket.write(Buffer.concat([length, query]))
    }
  })
}
