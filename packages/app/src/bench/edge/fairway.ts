import fs from 'node:fs'
import path from 'node:path'
import { EdgeDomain, type Publication } from '@fairway/contract'
import { configEnvironment, loadConfig, systemEnvironment, freePorts } from '@fairway/platform'
import { type NodeFeed, startNodeFeed } from '../node-feed.ts'
import { HOSTS, type OriginAt, type ProxyUnderTest } from './proxy-under-test.ts'

const ORGANIZATION = '00000000-0000-4000-8000-000000000001'
export const DOMAINS_PER_SITE = 10

/**
 * Our own `edge` role as it ships: request log, policies, purges in force, agent; only the API is replaced by a feed of
 * the benchmark's sites.
 */
export function fairwayEdge(
  feeds: { of: NodeFeed | null },
  settings: Readonly<Record<string, string>> = {},
): ProxyUnderTest {
  return {
    name: 'Fairway',
    program: process.execPath,
    async prepare(setting) {
      const feed = await startNodeFeed([...sites(0, HOSTS.length / DOMAINS_PER_SITE, setting.origin, 1), ...purges()])
      feeds.of = feed
      const [tls] = await freePorts(1, ['127.0.0.1'])
      const config = loadConfig({
        FAIRWAY_HOME: path.join(setting.folder, 'home'),
        FAIRWAY_EDGE_HTTP: `127.0.0.1:${setting.port}`,
        FAIRWAY_EDGE_HTTPS: `127.0.0.1:${tls}`,
        FAIRWAY_API_URL: feed.url,
        FAIRWAY_COLLECTOR_LISTEN: '127.0.0.1:9',
        FAIRWAY_SIMULATED_ADDRESSES: '',
        FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
        FAIRWAY_LOG_LEVEL: 'warn',
        FAIRWAY_NODE_NAME: 'bench',
        FAIRWAY_EDGE_CACHE_MB: '8192',
        ...settings,
      })
      return {
        command: process.execPath,
        words: [
          '--disable-warning=ExperimentalWarning',
          path.join(import.meta.dirname, '../../main.ts'),
          'role',
          'edge',
        ],
        env: { ...systemEnvironment(), ...configEnvironment(config) },
        dispose: async () => feed[Symbol.asyncDispose](),
        proxyPid: () => newestNginx(path.join(config.home, 'edge')),
      }
    },
  }
}

/** Each nginx has its number in the name of its pid file. */
function newestNginx(folder: string): number {
  const numbers = fs.readdirSync(folder).flatMap((name) => /^nginx\.(\d+)\.pid$/.exec(name)?.[1] ?? [])
  const newest = numbers.toSorted((a, b) => Number(b) - Number(a))[0] ?? ''
  return Number(fs.readFileSync(path.join(folder, `nginx.${newest}.pid`), 'utf8'))
}

/** Publications of so many sites from the first on, each with its domains; `change` makes another version of them. */
export function sites(
  first: number,
  count: number,
  origin: OriginAt,
  version: number,
  change: Partial<EdgeDomain> = {},
): Publication[] {
  return Array.from({ length: count }, (_, i) => site(first + i, origin, version, change))
}

function site(index: number, origin: OriginAt, version: number, change: Partial<EdgeDomain>): Publication {
  const siteId = `site-${index}`
  const domains = Array.from({ length: DOMAINS_PER_SITE }, (_, i) => {
    const at = index * DOMAINS_PER_SITE + i
    return { ...domain(HOSTS[at] ?? `www.d${at}.bench.test`, at, siteId, origin, version), ...change }
  })
  return {
    revision: version * 10_000 + index,
    kind: 'edge-site',
    key: siteId,
    version,
    body: { siteId, organizationId: ORGANIZATION, version, domains },
  }
}

/** With what a customer would set: rules by directory, extension and pattern, pages that are not kept, compression. */
function domain(
  host: string,
  index: number,
  siteId: string,
  { port, protocol }: OriginAt,
  version: number,
): EdgeDomain {
  const keep = { ttlSeconds: 86_400, honorOrigin: true }
  return EdgeDomain.parse({
    host,
    domainId: `domain-${index}`,
    organizationId: ORGANIZATION,
    siteId,
    version,
    compression: 'brotli',
    origin: { addresses: ['127.0.0.1'], balance: 'round-robin', port, protocol, hostHeader: host },
    cache: {
      enabled: true,
      defaultTtlSeconds: 600,
      rules: [
        { type: 'directory', path: '/assets/', ...keep },
        { type: 'extension', path: '.css', ...keep },
        { type: 'extension', path: '.js', ...keep },
        { type: 'pattern', path: '/img/*/thumb', ...keep },
      ],
      bypass: [
        { type: 'directory', path: '/account/' },
        { type: 'pattern', path: '/api/*' },
      ],
    },
  })
}

/** The first domain's purges: those it begins with, and these tags. */
export function tagPurges(tags: ReadonlyMap<string, number>, version: number): Publication {
  const [begun] = purges()
  const marks = [...tags].map(([value, at]) => ({ kind: 'tag' as const, value, at, soft: false }))
  return {
    revision: 100_000_000 + version,
    kind: 'edge-purges',
    key: 'domain-0',
    version,
    body: {
      domainId: 'domain-0',
      organizationId: ORGANIZATION,
      siteId: 'site-0',
      host: HOSTS[0] ?? '',
      version,
      marks: [...((begun?.kind === 'edge-purges' && begun.body?.marks) || []), ...marks],
    },
  }
}

/** Some purges of the domains that are asked for. */
function purges(): Publication[] {
  const at = Date.now() - 3_600_000
  return HOSTS.map((host, index) => ({
    revision: 90_000_000 + index,
    kind: 'edge-purges',
    key: `domain-${index}`,
    version: 1,
    body: {
      domainId: `domain-${index}`,
      organizationId: ORGANIZATION,
      siteId: `site-${Math.floor(index / DOMAINS_PER_SITE)}`,
      host,
      version: 1,
      marks: [
        { kind: 'directory', value: '/news/', at, soft: false },
        { kind: 'url', value: '/old', at, soft: false },
        { kind: 'tag', value: 'sale', at, soft: false },
      ],
    },
  }))
}
