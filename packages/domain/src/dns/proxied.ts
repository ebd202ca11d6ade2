import { type IpNetwork, contains, parseAddress, parseCidr } from '../steering/cidr.ts'
import type { ReviewRecord } from './found-records.ts'

/** What Cloudflare publishes as its own (cloudflare.com/ips): proxied names answer from there, never from their origin. */
const PROXIES: readonly IpNetwork[] = [
  '173.245.48.0/20',
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '141.101.64.0/18',
  '108.162.192.0/18',
  '190.93.240.0/20',
  '188.114.96.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '162.158.0.0/15',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '131.0.72.0/22',
  '2400:cb00::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2405:b500::/32',
  '2405:8100::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
].flatMap((block) => parseCidr(block) ?? [])

/**
 * Whether a record leads to the proxies of the provider that is left: by its address, or as a service binding (RFC 9460) by
 * hints of addresses or by a key for Encrypted Client Hello, which only that provider's servers have.
 */
export function isProxied({ type, value }: Pick<ReviewRecord, 'type' | 'value'>): boolean {
  if (type === 'A' || type === 'AAAA') return isOfProxy(value)
  if (type !== 'HTTPS' && type !== 'SVCB') return false
  const parameters = [...value.matchAll(/(?:^|\s)(ech|ipv4hint|ipv6hint)=("[^"]*"|\S*)/gi)]
  return parameters.some(
    ([, key = '', said = '']) =>
      key.toLowerCase() === 'ech' ||
      said
        .replaceAll('"', '')
        .split(',')
        .some((address) => isOfProxy(address.trim())),
  )
}

function isOfProxy(address: string): boolean {
  const network = parseAddress(address)
  return network !== null && PROXIES.some((block) => contains(block, network))
}
