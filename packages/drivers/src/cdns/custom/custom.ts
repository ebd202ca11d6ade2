import { CdnCapabilities, HostName } from '@fairway/contract'
import type { CdnDriver, CdnOrder } from '../driver.ts'

/**
 * Any CDN that its owner has set up elsewhere and reaches by a name. That it answers for the domain is all that can be
 * known of it.
 */
export const custom: CdnDriver = {
  id: 'custom',
  // Nothing of it is ours to set, but any name may be pointed at it.
  capabilities: () =>
    CdnCapabilities.parse(
      Object.fromEntries(Object.keys(CdnCapabilities.shape).map((name) => [name, name === 'wildcard'])),
    ),
  cacheTtls: () => null,
  purgesPerMinute: () => null,
  cnameFor: cnameOf,
  // Its owner makes, changes and removes it.
  create: async () => {},
  apply: async () => {},
  remove: async () => 'done',
  purge: async () => ({ state: 'unsupported', why: 'It is purged where it was set up' }),
  async observe(context, order) {
    const cname = cnameOf(order)
    const problem = await context.probe(cname, order)
    return problem === null
      ? { state: 'operational' }
      : { state: 'failed', detail: `${cname} does not answer for ${order.host}: ${problem}` }
  },
}

/** @throws ZodError when the order has no host name to point at */
function cnameOf({ customCname }: Pick<CdnOrder, 'customCname'>): string {
  return HostName.parse(customCname)
}
