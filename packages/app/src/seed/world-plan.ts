import type { z } from 'zod'
import type {
  AccessEntryInput,
  BotManagement,
  CrsSettings,
  FailedLoginInput,
  FirewallRuleInput,
  RecordInput,
  StrategyInput,
  VsrInput,
} from '@fairway/contract'

export const ORGANIZATION = 'Aurora News'
export const EMAIL = 'demo@aurora-news.test'
export const SITE = 'aurora-news.test'
/** Read-only, for anybody who looks around without an account. */
export const SANDBOX = { organization: 'Harbour Times', site: 'harbour-times.test' } as const
/** The name that the demo speaks of first. */
export const MAIN_DOMAIN = `www.${SITE}`

type Entry = z.input<typeof RecordInput>
const record = (type: Entry['type'], name: string, value: string, more: Partial<Entry> = {}): Entry => ({
  type,
  name,
  value,
  ...more,
})
const mx = (name: string, preference: number, value: string): Entry => record('MX', name, value, { preference })

/** An address that has long stood for "some web server". */
const ORIGIN = '93.184.215.14'

/** What a newspaper of middling size keeps in its zone. */
const recordsOf = (site: string): readonly Entry[] => [
  record('A', '@', ORIGIN),
  record('CNAME', 'www', `origin.${site}`),
  record('CNAME', 'img', `origin.${site}`),
  record('CNAME', 'api', `origin.${site}`),
  record('CNAME', 'live', `origin.${site}`),
  record('CNAME', 'members', `origin.${site}`),
  record('A', 'origin', ORIGIN),
  record('A', 'origin', '93.184.216.34'),
  record('AAAA', 'origin', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'),
  mx('@', 10, `mx1.${site}`),
  mx('@', 20, `mx2.${site}`),
  record('A', 'mx1', '192.0.2.25'),
  record('A', 'mx2', '198.51.100.25'),
  record('TXT', '@', 'v=spf1 mx include:_spf.mailer.example -all'),
  record('TXT', '@', 'site-verification=Yh2kq9vT0pXn4sLd8wRz'),
  record('TXT', '_dmarc', `v=DMARC1; p=quarantine; rua=mailto:dmarc@${site}`),
  record('TXT', 'news2024._domainkey', 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='),
  record('CNAME', 'mail', 'mail.mailer.example'),
  record('CNAME', 'autodiscover', 'autodiscover.mailer.example'),
  record('A', 'vpn', '192.0.2.40'),
  record('AAAA', 'vpn', '2001:db8:40::1'),
  record('A', 'git', '192.0.2.41', { ttlSeconds: 3600 }),
  record('A', 'ci', '192.0.2.42', { ttlSeconds: 3600 }),
  record('A', 'cms', '192.0.2.50'),
  record('A', 'cms-staging', '192.0.2.51'),
  record('CNAME', 'preview', `cms-staging.${site}`),
  record('A', 'staging', '192.0.2.60'),
  record('A', '*.staging', '192.0.2.60'),
  record('CNAME', 'm', `www.${site}`),
  record('CNAME', 'amp', `www.${site}`),
  record('CNAME', 'shop', 'stores.shopkeeper.example'),
  record('CNAME', 'status', 'pages.statuskeeper.example'),
  record('CNAME', 'help', 'desk.helpdesk.example'),
  record('CNAME', 'jobs', 'boards.hiring.example'),
  record('A', 'archive', '198.51.100.70', { ttlSeconds: 86_400 }),
  record('A', 'archive', '198.51.100.71', { ttlSeconds: 86_400 }),
  record('A', 'search', '198.51.100.80', { ttlSeconds: 60 }),
  record('A', 'ads', '198.51.100.90', { ttlSeconds: 60 }),
  record('A', 'metrics', '192.0.2.95'),
  record('NS', 'labs', 'ns1.labs-dns.example'),
  record('NS', 'labs', 'ns2.labs-dns.example'),
]

type Strategy = z.input<typeof StrategyInput>
type Vsr = z.input<typeof VsrInput>
/** What looks at the requests of a domain. */
export type GuardPlan = {
  access: readonly z.input<typeof AccessEntryInput>[]
  firewall: readonly z.input<typeof FirewallRuleInput>[]
  logins: readonly z.input<typeof FailedLoginInput>[]
  ruleSets: Partial<CrsSettings>
  bots: Partial<BotManagement>
}
export type DomainPlan = {
  name: string
  /** Its origin shield is in use, with these rules. */
  guard?: GuardPlan
  cdns: readonly string[]
  strategies: readonly Strategy[]
  vsrRules?: readonly Vsr[]
}

const to = (...cdnIds: string[]) => cdnIds.map((cdnId) => ({ cdnId }))
const places = (...keys: string[]) => ({ places: keys })
const everyoneFastest: Strategy = {
  name: 'Everyone: best latency',
  method: 'best-latency',
  targets: to('swiftlane', 'polaris', 'tidewater'),
}

/** A login and a search field: what is attacked first of a newspaper. */
const MEMBERS: GuardPlan = {
  access: [
    { list: 'whitelist', kind: 'address', value: '203.0.113.0/24', note: 'The newsroom' },
    { list: 'blacklist', kind: 'address', value: '198.51.100.0/24', note: 'Copied the whole archive in May' },
  ],
  firewall: [
    {
      name: 'The old API is closed',
      expression: { field: 'path', operator: 'starts-with', values: ['/v0/'] },
      action: { type: 'block' },
    },
    {
      name: 'Login: 30 a minute',
      expression: { field: 'path', operator: 'equals', values: ['/login'] },
      action: {
        type: 'rate-limit',
        limit: { requests: 30, seconds: 60, blockSeconds: 120, keys: [{ by: 'address' }] },
      },
    },
    {
      name: 'Everybody: 40 in ten seconds',
      action: {
        type: 'rate-limit',
        limit: { requests: 40, seconds: 10, blockSeconds: 60, keys: [{ by: 'address' }] },
      },
    },
    {
      name: 'Tools that say so: how many are there?',
      expression: { field: 'user-agent', operator: 'contains', ignoreCase: true, values: ['python-requests'] },
      action: { type: 'simulate' },
    },
  ],
  logins: [
    {
      name: 'Members sign in',
      path: '/login',
      maxAttempts: 20,
      maxFailed: 5,
      failure: { by: 'status', status: 401 },
      account: { payload: 'form', field: 'email' },
    },
  ],
  ruleSets: { enabled: true, mode: 'block', full: true },
  bots: { securityLevel: 'medium' },
}

/** The domains that multi-CDN serves, with at least one strategy of every method among them. */
const domainsOf = (site: string): readonly DomainPlan[] => [
  {
    name: `www.${site}`,
    cdns: ['swiftlane', 'polaris', 'tidewater'],
    strategies: [
      {
        name: 'Mainland China: Tidewater first',
        method: 'static-route',
        filter: places('country:CN'),
        targets: to('tidewater', 'polaris'),
      },
      {
        name: 'Europe: best latency',
        method: 'best-latency',
        filter: places('continent:EU'),
        targets: to('swiftlane', 'polaris'),
      },
      {
        name: 'Americas: split by contract',
        method: 'weighted-distribution',
        filter: places('continent:NA', 'continent:SA'),
        targets: [
          { cdnId: 'swiftlane', weight: 70 },
          { cdnId: 'polaris', weight: 30 },
          { cdnId: 'tidewater', weight: 0 },
        ],
      },
      everyoneFastest,
    ],
    // New Zealand's own visitors are few; they reach the CDNs over the same cables as Sydney.
    vsrRules: [{ name: 'New Zealand counts as Sydney', filter: places('country:NZ'), mimickedAddress: '1.128.0.1' }],
  },
  {
    name: site,
    cdns: ['swiftlane', 'polaris', 'tidewater'],
    strategies: [everyoneFastest],
  },
  {
    name: `img.${site}`,
    cdns: ['swiftlane', 'polaris', 'tidewater', 'edge'],
    strategies: [
      { name: 'Germany: our own edge', method: 'always-use', filter: places('country:DE'), targets: to('edge') },
      {
        name: 'Asia: by region',
        method: 'regional-latency',
        filter: places('continent:AS', 'continent:OC'),
        targets: to('tidewater', 'polaris'),
      },
      everyoneFastest,
    ],
  },
  {
    name: `api.${site}`,
    cdns: ['swiftlane', 'polaris', 'tidewater'],
    strategies: [
      {
        name: 'Whatever answers most reliably',
        method: 'best-availability',
        targets: to('polaris', 'swiftlane', 'tidewater'),
        availabilityThreshold: 95,
      },
    ],
  },
  {
    name: `live.${site}`,
    cdns: ['swiftlane', 'tidewater'],
    strategies: [
      {
        name: 'The studio network',
        method: 'always-use',
        filter: { cidrs: ['203.0.113.0/24'] },
        targets: to('swiftlane'),
      },
      {
        name: 'Live streams: half and half',
        method: 'weighted-distribution',
        targets: [
          { cdnId: 'swiftlane', weight: 50 },
          { cdnId: 'tidewater', weight: 50 },
        ],
      },
    ],
  },
  {
    name: `members.${site}`,
    cdns: ['edge'],
    strategies: [{ name: 'Our own edge looks at every request', method: 'always-use', targets: to('edge') }],
    guard: MEMBERS,
  },
]

export type WorldPlan = { site: string; records: readonly Entry[]; domains: readonly DomainPlan[] }

/** What a site of the demo world holds. */
export const worldPlan = (site: string): WorldPlan => ({ site, records: recordsOf(site), domains: domainsOf(site) })

/** Served by the demo's own edge, under the rules of a CDN in China: a licence, and a look by people. */
export const OFFER = {
  id: 'lantern',
  data: {
    name: 'Lantern',
    driver: 'fairway-edge',
    category: 'china-cdn',
    review: true,
    introduction: {
      en: 'For visitors in mainland China. In this demo the edge nodes stand in for it, so that the review can be tried out from both sides.',
      zhHant: '服務中國大陸的訪客。在此示範中由邊緣節點代替，方便從兩方試用審查流程。',
      zhHans: '服务中国大陆的访客。在此演示中由边缘节点代替，方便从两方试用审核流程。',
    },
  },
} as const
