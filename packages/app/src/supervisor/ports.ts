import { Problem, tryTcp, tryUdp, type Config, type HostPort } from '@fairway/platform'
import type { RoleName } from '../roles/roles.ts'

type Wanted = { role: RoleName; env: string; at: HostPort; udp?: boolean }

/**
 * Looks whether every address the roles will listen on is free.
 * @throws Problem naming the address and the setting that changes it.
 */
export async function checkPorts(config: Config, roles: readonly RoleName[]): Promise<void> {
  for (const wanted of addresses(config).filter(({ role }) => roles.includes(role))) {
    const tries = wanted.udp ? [tryTcp, tryUdp] : [tryTcp]
    for (const attempt of tries) {
      const { error } = await attempt(wanted.at)
      if (error) throw new Problem(sentence(wanted, error.code ?? 'failed'))
    }
  }
}

function addresses(config: Config): Wanted[] {
  const simulated = config.simulatedAddresses.map((host): Wanted => ({
    role: 'edge',
    env: 'FAIRWAY_EDGE_HTTP',
    at: { host, port: config.edgeHttp.port },
  }))
  return [
    { role: 'api', env: 'FAIRWAY_LISTEN', at: config.listen },
    { role: 'collector', env: 'FAIRWAY_COLLECTOR_LISTEN', at: config.collectorListen },
    { role: 'dns', env: 'FAIRWAY_DNS_LISTEN', at: config.dnsListen, udp: true },
    ...(config.dnsTlsListen ? [{ role: 'dns', env: 'FAIRWAY_DNS_TLS_LISTEN', at: config.dnsTlsListen } as const] : []),
    ...(config.dnsHttpsListen
      ? [{ role: 'dns', env: 'FAIRWAY_DNS_HTTPS_LISTEN', at: config.dnsHttpsListen } as const]
      : []),
    { role: 'edge', env: 'FAIRWAY_EDGE_HTTP', at: config.edgeHttp },
    { role: 'edge', env: 'FAIRWAY_EDGE_HTTPS', at: config.edgeHttps },
    ...simulated,
    { role: 'origin', env: 'FAIRWAY_ORIGIN_LISTEN', at: config.originListen },
  ]
}

function sentence({ env, at }: Wanted, code: string): string {
  const where = `${at.host}:${at.port}`
  const other = `${env}=${at.host}:${at.port < 1024 ? at.port + 5000 : at.port + 1}`
  if (code === 'EADDRINUSE')
    return `${where} is already in use by another program. Stop that program, or choose another address, for example ${other}`
  if (code === 'EACCES')
    return `Permission denied to listen on ${where}: ports below 1024 need root. Choose a higher one, for example ${other}`
  if (code === 'EADDRNOTAVAIL')
    return `${at.host} is not an address of this machine. Change ${env}${env === 'FAIRWAY_EDGE_HTTP' ? ' or FAIRWAY_SIMULATED_ADDRESSES' : ''}.`
  return `Cannot listen on ${where} (${code}). Change ${env}.`
}
