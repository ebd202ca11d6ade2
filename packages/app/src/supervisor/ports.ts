import {
  type Config,
  type HeldSockets,
  type HostPort,
  Problem,
  heldKey,
  isWebrtcOffered,
  openHeldListener,
  tryTcp,
  tryUdp,
} from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'

/** Settings of the addresses that roles listen on: only a start can change them. */
export const ADDRESS_SETTINGS = [
  'FAIRWAY_LISTEN',
  'FAIRWAY_TLS_LISTEN',
  'FAIRWAY_COLLECTOR_LISTEN',
  'FAIRWAY_DNS_LISTEN',
  'FAIRWAY_DNS_TLS_LISTEN',
  'FAIRWAY_DNS_HTTPS_LISTEN',
  'FAIRWAY_EDGE_HTTP',
  'FAIRWAY_EDGE_HTTPS',
  'FAIRWAY_EDGE_HTTP3',
  'FAIRWAY_SHIELD_LISTEN',
  'FAIRWAY_MEDIA_LISTEN',
  'FAIRWAY_RTMP_LISTEN',
  'FAIRWAY_WEBRTC_LISTEN',
  'FAIRWAY_ORIGIN_LISTEN',
] as const

/** What is `tried` only has to be free: name servers share theirs among processes, and the front opens its own. */
type Wanted = { role: RoleName; env: (typeof ADDRESS_SETTINGS)[number]; at: HostPort; tried?: 'both' | 'udp' | 'tcp' }

/**
 * Listens on every address of these roles, so that visitors wait rather than are refused while a role is away, and
 * looks whether those of name servers are free. `mayHave` says whose processes may still be there from before: what
 * they have is no obstacle.
 * @throws Problem naming the address and the setting that changes it.
 */
export async function openAddresses(
  config: Config,
  roles: readonly RoleName[],
  mayHave: (role: RoleName) => boolean = () => false,
): Promise<HeldSockets> {
  const held: Record<string, number> = {}
  for (const wanted of addresses(config).filter(({ role }) => roles.includes(role))) {
    try {
      const fd = await open(wanted)
      if (fd !== null) held[heldKey(wanted.at)] = fd
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
      if (code !== 'EADDRINUSE' || !mayHave(wanted.role)) throw new Problem(sentence(wanted, code), { cause: error })
    }
  }
  return held
}

const TRIED = { both: [tryTcp, tryUdp], udp: [tryUdp], tcp: [tryTcp] } as const

async function open({ at, tried }: Wanted): Promise<number | null> {
  // Any port is only known to the one that has taken it.
  if (tried === undefined && at.port !== 0) return openHeldListener(at)
  for (const attempt of tried === undefined ? [tryTcp] : TRIED[tried]) {
    const { error } = await attempt(at)
    if (error) throw error
  }
  return null
}

/** What of it a role listens on. */
export function heldFor(config: Config, role: RoleName, held: HeldSockets): HeldSockets {
  const own = addresses(config).filter((wanted) => wanted.role === role)
  return Object.fromEntries(
    own.flatMap(({ at }) => {
      const fd = held[heldKey(at)]
      return fd === undefined ? [] : [[heldKey(at), fd]]
    }),
  )
}

function addresses(config: Config): Wanted[] {
  const { edgeHttp, edgeHttps } = config
  const simulated = config.simulatedAddresses.flatMap((host): Wanted[] => [
    { role: 'edge', env: 'FAIRWAY_EDGE_HTTP', at: { host, port: edgeHttp.port } },
    { role: 'edge', env: 'FAIRWAY_EDGE_HTTPS', at: { host, port: edgeHttps.port } },
  ])
  const all: Wanted[] = [
    { role: 'api', env: 'FAIRWAY_LISTEN', at: config.listen },
    ...(config.tlsListen ? [{ role: 'api', env: 'FAIRWAY_TLS_LISTEN', at: config.tlsListen } as const] : []),
    { role: 'collector', env: 'FAIRWAY_COLLECTOR_LISTEN', at: config.collectorListen },
    { role: 'dns', env: 'FAIRWAY_DNS_LISTEN', at: config.dnsListen, tried: 'both' },
    ...(config.dnsTlsListen
      ? [{ role: 'dns', env: 'FAIRWAY_DNS_TLS_LISTEN', at: config.dnsTlsListen, tried: 'tcp' } as const]
      : []),
    ...(config.dnsHttpsListen
      ? [{ role: 'dns', env: 'FAIRWAY_DNS_HTTPS_LISTEN', at: config.dnsHttpsListen, tried: 'tcp' } as const]
      : []),
    { role: 'edge', env: 'FAIRWAY_EDGE_HTTP', at: edgeHttp },
    { role: 'edge', env: 'FAIRWAY_EDGE_HTTPS', at: edgeHttps },
    ...(config.edgeHttp3
      ? [{ role: 'edge', env: 'FAIRWAY_EDGE_HTTP3', at: config.edgeHttp3, tried: 'both' } as const]
      : []),
    ...(config.shieldListen ? [{ role: 'edge', env: 'FAIRWAY_SHIELD_LISTEN', at: config.shieldListen } as const] : []),
    ...simulated,
    { role: 'media', env: 'FAIRWAY_MEDIA_LISTEN', at: config.mediaListen },
    { role: 'media', env: 'FAIRWAY_RTMP_LISTEN', at: config.rtmpListen },
    ...(config.webrtcListen && isWebrtcOffered(config)
      ? [{ role: 'media', env: 'FAIRWAY_WEBRTC_LISTEN', at: config.webrtcListen, tried: 'udp' } as const]
      : []),
    { role: 'origin', env: 'FAIRWAY_ORIGIN_LISTEN', at: config.originListen },
  ]
  // A simulated CDN may be at the edge's own address; where the front is, nginx may not be.
  return all.filter(
    ({ role, at, tried }, index) =>
      tried !== undefined || all.findIndex((one) => one.role === role && heldKey(one.at) === heldKey(at)) === index,
  )
}

function sentence({ env, at }: Wanted, code: string): string {
  const where = `${at.host}:${at.port}`
  const other = `${env}=${at.host}:${at.port < 1024 ? at.port + 5000 : at.port + 1}`
  if (code === 'EADDRINUSE')
    return `${where} is already in use by another program. Stop that program, or choose another address, for example ${other}`
  if (code === 'EACCES')
    return `Permission denied to listen on ${where}: ports below 1024 need root, or the service (./fairway service install). Choose a higher one, for example ${other}`
  if (code === 'EADDRNOTAVAIL')
    return `${at.host} is not an address of this machine. Change ${env}${env === 'FAIRWAY_EDGE_HTTP' ? ' or FAIRWAY_SIMULATED_ADDRESSES' : ''}.`
  return `Cannot listen on ${where} (${code}). Change ${env}.`
}
