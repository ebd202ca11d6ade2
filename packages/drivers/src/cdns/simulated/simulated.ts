import type { CdnCapabilities } from '@fairway/contract'
import { domainLabel } from '../domain-label.ts'
import type { CdnDriver } from '../driver.ts'
import { EDGE_CAPABILITIES } from '../fairway-edge/fairway-edge.ts'
import { observationOf, onTheEdge } from '../on-the-edge.ts'

/**
 * What the simulated CDNs say they cannot do, as vendors differ, so that choosing and being refused can be tried out.
 */
const LACKS: Record<string, (keyof CdnCapabilities)[]> = {
  polaris: ['websocket', 'brotli', 'patternRules', 'ipHash'],
  tidewater: [
    'websocket',
    'wildcard',
    'originProtocol',
    'roundRobin',
    'ipHash',
    'fallbackOrigin',
    'keepalive',
    'brotli',
    'ignoreQuery',
    'tieredCache',
    'purgeTag',
  ],
}
/** Tidewater keeps what it keeps for 2 hours, 1, 7 or 28 days. */
const TTLS: Record<string, number[]> = { tidewater: [7_200, 86_400, 604_800, 2_419_200] }
const PURGES_PER_MINUTE: Record<string, number> = { tidewater: 20 }

/** A CDN for trying things out: a listener of the edge on an address of its own, which can be made to fail. */
export const simulated: CdnDriver = {
  id: 'simulated',
  capabilities: (slug) => ({
    ...EDGE_CAPABILITIES,
    // HTTP/3 is spoken at the edge's own address.
    http3: false,
    earlyHints: false,
    ...Object.fromEntries((LACKS[slug] ?? []).map((name) => [name, false])),
  }),
  cacheTtls: (slug) => TTLS[slug] ?? null,
  purgesPerMinute: (slug) => PURGES_PER_MINUTE[slug] ?? null,
  cnameFor: ({ domainId, cdnId, slug }, serviceDomain) =>
    `${domainLabel(domainId, cdnId)}.${slug}.cdn.${serviceDomain}`,
  ...onTheEdge(
    () => simulated,
    async (context, slug) => observationOf(await context.simulatedAcknowledged(slug)),
  ),
}
