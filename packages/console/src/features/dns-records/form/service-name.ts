/** The name of an SRV record in its parts (RFC 2782): what is offered, over what, and for which host. */
export type ServiceName = { service: string; protocol: string; host: string }

export const PROTOCOLS = ['tcp', 'udp', 'tls'] as const

/** Parts without their underscores; a name of another form is all host. `@` is the root. */
export function splitServiceName(name: string): ServiceName {
  const [, service, protocol, host = '@'] = /^_([^.]+)\._([^.]+)(?:\.(.*))?$/.exec(name.trim()) ?? []
  return service === undefined || protocol === undefined
    ? { service: '', protocol: PROTOCOLS[0], host: name }
    : { service, protocol, host }
}

/** The name that the parts make; without a service it is that of the host. */
export function joinServiceName({ service, protocol, host }: ServiceName): string {
  const label = service.trim().replace(/^_/, '')
  if (label === '') return host
  const below = host.trim()
  return `_${label}._${protocol}${below === '' || below === '@' ? '' : `.${below}`}`
}
