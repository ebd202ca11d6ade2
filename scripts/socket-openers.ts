/**
 * Who may open a socket by itself, and to whom: all else goes through the gate (`platform/src/outgoing`), which checks
 * what users have named. A folder ends with a slash.
 */
export const SOCKET_OPENERS: Record<string, string> = {
  'packages/platform/src/outgoing/': 'the gate itself',
  'packages/platform/src/dns-client/': 'takes addresses that the gate has checked, and no others, by its types',
  'packages/dns/src/transfer/notifier.ts': 'sends to addresses that the gate has checked',

  // Nodes and roles of this installation among themselves.
  'packages/platform/src/feed.ts': 'the API, by a setting',
  'packages/platform/src/collectors.ts': 'the collectors, by a setting',
  'packages/platform/src/clear-ways.ts': 'asks the configured resolver for addresses of our own machines',
  'packages/platform/src/control.ts': 'control sockets of our own roles',
  'packages/platform/src/free-address.ts': 'listens only',
  'packages/platform/src/free-ports.ts': 'listens only',
  'packages/platform/src/probe/post-probes.ts': 'the collector, by a setting',
  'packages/edge/src/attack-trial/attack-trial.ts': 'our own nginx, on the address that it listens on',
  'packages/edge/src/front/front.ts': 'the front on this machine, which it has started',
  'packages/server/src/features/live-streams/whip.ts': 'the role media of this installation, by a setting',
  'packages/edge/src/inspection/ask.ts': 'the inspection, by its socket on this machine',
  'packages/dns/src/collector-post.ts': 'the API, by a setting',
  'packages/analytics/src/store/servers.ts': 'the event store, by a setting',
  'packages/app/src/api-client.ts': 'the API of this installation, for commands',
  'packages/app/src/commands/join.ts': 'the API that the operator names on the command line',
  'packages/app/src/dns-client.ts': 'our own name server, for the simulator and benchmarks',
  'packages/app/src/simulator/': 'our own demo world',
  'packages/app/src/bench/': 'benchmarks against servers that they start',

  // Listening.
  'packages/server/src/http/tls.ts': 'listens only',
  'packages/dns/src/listen/': 'the name server listens, and asks itself whether it answers',
  'packages/dns/src/manager/addresses.ts': 'finds addresses to listen on',
  'packages/analytics/src/collector/collector-server.ts': 'listens only',
  'packages/analytics/src/facade/facade-server.ts': 'listens only',
  'packages/edge/src/nginx/installed.ts': 'listens only, to see whether an address is free',
  'packages/edge/src/conformance/': 'tests',
  'packages/media/src/delivery/listener.ts': 'listens only',
  'packages/media/src/live/rtmp/server.ts': 'listens only',
  'packages/media/src/live/whip/door.ts': 'listens, and leads to sessions on this machine',
  'packages/app/src/origin/news-site.ts': 'the demonstration website listens',
  'packages/app/src/supervisor/metrics-listener.ts': 'listens only',

  // In a browser.
  'packages/player/src/live-again.ts': 'the playlist that the page of a viewer names',

  // Names through the configured resolver, which connect to nobody else.
  'packages/server/src/features/add-site/old-nameservers.ts': 'asks the configured resolver for name servers',
  'packages/dns/src/builder/flatten.ts':
    'asks the configured resolver for addresses that are answered, not connected to',

  // Hosts that are fixed, or that the operator names in a setting.
  'packages/drivers/src/certificates/acme.ts': 'certificate authorities, by settings',
  'packages/drivers/src/cdns/cloudfront/cloudfront-client.ts': "AWS's fixed addresses",
  'packages/drivers/src/cdns/cloudfront/credentials.ts': "AWS's fixed addresses",
  'packages/drivers/src/cdns/credentials.ts': "vendors' fixed addresses",
  'packages/drivers/src/cdns/vendor/ask-vendor.ts': "vendors' fixed addresses",
  'packages/drivers/src/error-reports/sentry.ts': 'by a setting',
  'packages/drivers/src/marketplaces/aws-marketplace.ts': 'by a setting',
  'packages/drivers/src/tickets/hubspot.ts': 'by a setting',
  'packages/platform/src/storage/s3-storage.ts': "AWS's fixed addresses, or by a setting",
  'packages/drivers/src/forms/hubspot-form.ts': 'by a setting',
}

const MODULES = /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|dns\/promises)$|^undici$|^@aws-sdk\/client-/
/** What of these modules opens nothing. */
const HARMLESS = new Set([
  'isIP',
  'isIPv4',
  'isIPv6',
  'BlockList',
  'createSecureContext',
  'checkServerIdentity',
  'getCACertificates',
  'setDefaultCACertificates',
  'TLSSocket',
])
const STATEMENT = /(?:^|[\n;}])\s*import\s+([^'"`;]*?)\s*from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** By what means a text could open a socket, were it let: modules that it imports for more than types, and `fetch`. */
export function meansOf(code: string): string[] {
  const modules = [...code.matchAll(STATEMENT)].flatMap(([, clause, from, dynamic]) => {
    const name = from ?? dynamic ?? ''
    return MODULES.test(name) && !isHarmless(clause) ? [name] : []
  })
  const calls = /(^|[^.\w'"`])(?:globalThis\.)?fetch\(/m.test(
    code.replaceAll(/\b(?:async )?fetch\([^)]*\)\s*(?::[^{]+)?\{/g, ''),
  )
  return calls ? [...modules, 'fetch'] : modules
}

function isHarmless(clause: string | undefined): boolean {
  if (clause === undefined) return false
  if (clause.startsWith('type ')) return true
  const names = /^\{([^}]*)\}$/.exec(clause)?.[1]?.split(',') ?? ['*']
  return names
    .map((name) => name.trim())
    .filter(Boolean)
    .every((name) => name.startsWith('type ') || HARMLESS.has(name.split(' ')[0] ?? ''))
}
