import type { CdnCapabilities } from '@fairway/contract'
import { domainLabel } from '../domain-label.ts'
import type { CdnDriver } from '../driver.ts'
import { onTheEdge } from '../on-the-edge.ts'

/** What an edge node can express today. */
export const EDGE_CAPABILITIES: CdnCapabilities = {
  websocket: true,
  wildcard: true,
  customHostHeader: true,
  ipv4Origin: true,
  ipv6Origin: true,
  originPort: true,
  originProtocol: true,
  cacheTtl: true,
  purge: true,
  certificates: false,
  metrics: true,
  roundRobin: true,
  ipHash: true,
  fallbackOrigin: true,
  keepalive: true,
  brotli: true,
  compressionOff: true,
  alwaysHttps: true,
  hsts: true,
  ignoreQuery: true,
  tieredCache: true,
  patternRules: true,
  extensionRules: true,
  purgeDirectory: true,
  purgeTag: true,
  spareOrigins: true,
  silentTtl: true,
  staticDefault: true,
  checkedOrigin: true,
  uncheckedOrigin: true,
  http2Off: true,
  // Both by the process in front of nginx, on the nodes that have it.
  http3: true,
  earlyHints: true,
  ocspStapling: true,
  networkErrors: true,
}

/** The installation's own edge nodes under their own name. */
export const fairwayEdge: CdnDriver = {
  id: 'fairway-edge',
  capabilities: () => EDGE_CAPABILITIES,
  cacheTtls: () => null,
  purgesPerMinute: () => null,
  cnameFor: ({ domainId, cdnId }, serviceDomain) => `${domainLabel(domainId, cdnId)}.edge.${serviceDomain}`,
  ...onTheEdge(() => fairwayEdge),
}
