export type HostPort = { host: string; port: number }

export function urlOf(at: HostPort): string {
  return `http://${hostPortText(at)}`
}

/** As settings write it. */
export function hostPortText({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
