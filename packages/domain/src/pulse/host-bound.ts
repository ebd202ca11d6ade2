/** Host of an `Origin` or `Referer` header, lower case; empty when the browser does not tell it (`null`, none). */
export function hostOfOrigin(origin: string | undefined): string {
  const match = /^https?:\/\/(\[[0-9a-f:.]+\]|[^/:?#\s]{1,253})(?::\d{1,5})?(?:[/?#]|$)/i.exec(origin ?? '')
  return match?.[1]?.toLowerCase() ?? ''
}

/** Whether a page of this host is one of those bound to: by its name, or below one that stands as `*.name`. */
export function isBoundHost(hosts: readonly string[], host: string): boolean {
  return hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) && host !== '' : one === host))
}
