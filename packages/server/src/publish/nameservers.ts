import type { Config } from '@fairway/platform'

/** The installation's own names, from its service domain. */
export function nameservers(config: Config): { global: string[]; china: string[] } {
  return {
    global: [`ns1.${config.serviceDomain}`, `ns2.${config.serviceDomain}`],
    china: [`cn1.${config.serviceDomain}`, `cn2.${config.serviceDomain}`],
  }
}

/** SOA timers of every zone: RIPE-203's, with negative answers kept for a minute. */
export const SOA_TIMERS = { refresh: 86_400, retry: 7_200, expire: 3_600_000, minimum: 60 } as const

export function soaRdata(config: Config, serial: number): string {
  const { refresh, retry, expire, minimum } = SOA_TIMERS
  return `ns1.${config.serviceDomain}. hostmaster.${config.serviceDomain}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`
}

export function apexRrsets(config: Config, origin: string, serial: number) {
  return [
    { name: origin, type: 'SOA' as const, ttlSeconds: 3600, rdata: [soaRdata(config, serial)] },
    {
      name: origin,
      type: 'NS' as const,
      ttlSeconds: 86_400,
      rdata: nameservers(config).global.map((name) => `${name}.`),
    },
  ]
}
