import fs from 'node:fs'
import { isIP } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { readClickhouseUrl } from './clickhouse-address.ts'
import { readDatabaseUrl } from './database/address.ts'
import { type HostPort, hostPortText, urlOf } from './host-port.ts'
import { readPrivateNetwork } from './outgoing/private-networks.ts'
import { isPublishable } from './publishable-address.ts'

function readHostPort(text: string, ctx: z.RefinementCtx): HostPort {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:]+)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (!match || port > 65535) {
    ctx.addIssue({ code: 'custom', message: 'must be host:port, for example 127.0.0.1:8080' })
    return z.NEVER
  }
  return { host: match[1] ?? match[2] ?? '', port }
}
/** host:port, or an origin of https. */
function refuseCollector(text: string, ctx: z.RefinementCtx): void {
  if (!text.includes('://')) return void readHostPort(text, ctx)
  if (URL.parse(text)?.origin !== text || !text.startsWith('https://'))
    ctx.addIssue({ code: 'custom', message: 'must be host:port or https://collect.example.com' })
}
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  return (
    family !== 0 &&
    !address.includes('%') &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  )
}
const hostPort = z.string().transform(readHostPort)
const hostPortOrNone = z.string().transform((text, ctx) => (text === '' ? null : readHostPort(text, ctx)))
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean),
)
/** Addresses and CIDR blocks. */
const networks = list.pipe(
  z.array(
    z.string().refine(isNetwork, 'must be addresses or networks, for example 192.0.2.10,198.51.100.0/24,2001:db8::/32'),
  ),
)
/** Of one machine, both families. */
const ownAddresses = list.pipe(
  z
    .array(z.string().refine(isPublishable, 'must be addresses of this machine, for example 192.0.2.10,2001:db8::10'))
    .max(8, 'are 8 at most'),
)
const privateNetworks = list.pipe(
  z.array(z.string().refine((text) => readPrivateNetwork(text) !== null, 'must be like 10.0.0.0/8,127.0.0.1:8070')),
)
/** `name=url` each. */
const urls = list.pipe(
  z.array(z.string().regex(/^[a-z]+=https?:\/\/[^\s,/]+$/, 'must be like cloudflare=http://127.0.0.1:9000')),
)
const databaseUrl = z.string().superRefine((text, ctx) => {
  const read = text === '' ? null : readDatabaseUrl(text)
  if (typeof read === 'string') ctx.addIssue({ code: 'custom', message: read })
})
/** Separated by commas, as are the hosts within each. */
const replicaUrls = z
  .string()
  .transform((text) => (text.trim() === '' ? [] : text.trim().split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/)))
  .superRefine((all, ctx) => {
    for (const one of all) {
      const read = readDatabaseUrl(one, { isReplica: true })
      if (typeof read === 'string') ctx.addIssue({ code: 'custom', message: read })
    }
  })
const clickhouseUrl = z.string().superRefine((text, ctx) => {
  const read = text === '' ? null : readClickhouseUrl(text)
  if (typeof read === 'string') ctx.addIssue({ code: 'custom', message: read })
})
const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))

/** Every setting: environment name, form, default, meaning. The example file is printed from this table. */
const KEYS = {
  home: {
    env: 'FAIRWAY_HOME',
    form: z.string().min(1),
    fallback: '.fairway',
    meaning: 'Folder that everything is written to',
  },
  listen: { env: 'FAIRWAY_LISTEN', form: hostPort, fallback: '127.0.0.1:8080', meaning: 'Console and API' },
  tlsListen: {
    env: 'FAIRWAY_TLS_LISTEN',
    form: hostPortOrNone,
    fallback: '',
    meaning:
      'Console and API over TLS. Plain HTTP then answers this machine and trusted proxies only, and leads everybody else here. Empty does not offer it',
  },
  tlsCert: {
    env: 'FAIRWAY_TLS_CERT',
    form: z.string(),
    fallback: '',
    meaning: 'PEM file of its certificate and chain; taken anew when it changes',
  },
  tlsKey: { env: 'FAIRWAY_TLS_KEY', form: z.string(), fallback: '', meaning: 'PEM file of its key' },
  tlsAcme: {
    env: 'FAIRWAY_TLS_ACME',
    form: z.enum(['', 'lets-encrypt', 'zero-ssl']),
    fallback: '',
    meaning:
      'Authority that its certificate is ordered from by ACME instead of files, for the name in FAIRWAY_PUBLIC_URL: lets-encrypt or zero-ssl, at the directory in FAIRWAY_ACME_…; renewed by itself',
  },
  dnsListen: {
    env: 'FAIRWAY_DNS_LISTEN',
    form: hostPort,
    fallback: '127.0.0.1:5300',
    meaning: 'Authoritative DNS, UDP and TCP',
  },
  dnsAddresses: {
    env: 'FAIRWAY_DNS_ADDRESSES',
    form: ownAddresses,
    fallback: '',
    meaning:
      "Addresses, IPv4 and IPv6, at which the world reaches this machine's name server, such as 192.0.2.10,2001:db8::10: the names of name servers lead there. Empty is where it listens, or, where that is all addresses, the public ones of the machine",
  },
  dnsTlsListen: {
    env: 'FAIRWAY_DNS_TLS_LISTEN',
    form: hostPortOrNone,
    fallback: '',
    meaning: 'Authoritative DNS over TLS (RFC 7858), usually port 853; empty does not offer it',
  },
  dnsHttpsListen: {
    env: 'FAIRWAY_DNS_HTTPS_LISTEN',
    form: hostPortOrNone,
    fallback: '',
    meaning: 'Authoritative DNS over HTTPS (RFC 8484) at /dns-query; empty does not offer it',
  },
  dnsCertificateFile: {
    env: 'FAIRWAY_DNS_CERTIFICATE_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      'PEM file of the certificate and its chain for both; taken anew when it changes. Empty makes a self-signed one, which is what resolvers that probe expect (RFC 9539 3.1)',
  },
  dnsCertificateKeyFile: {
    env: 'FAIRWAY_DNS_CERTIFICATE_KEY_FILE',
    form: z.string(),
    fallback: '',
    meaning: 'PEM file of its key',
  },
  edgeHttp: {
    env: 'FAIRWAY_EDGE_HTTP',
    form: hostPort,
    fallback: '127.0.0.1:8000',
    meaning:
      'Edge, plain HTTP. Certificates that are proven over HTTP need port 80 of the address that visitors reach to lead here',
  },
  edgeAddresses: {
    env: 'FAIRWAY_EDGE_ADDRESSES',
    form: ownAddresses,
    fallback: '',
    meaning:
      "Addresses, IPv4 and IPv6, at which visitors reach this machine's edge: the names of domains on the edge lead there. Empty is where it listens, or, where that is all addresses, the public ones of the machine",
  },
  edgeHttps: { env: 'FAIRWAY_EDGE_HTTPS', form: hostPort, fallback: '127.0.0.1:8443', meaning: 'Edge, TLS' },
  edgeHttp3: {
    env: 'FAIRWAY_EDGE_HTTP3',
    form: hostPortOrNone,
    fallback: '',
    meaning:
      'Edge, HTTP/3 over UDP, where Caddy is installed: an address whose TCP port nobody else has, so another port than the one of TLS. Empty does not offer it',
  },
  edgeHttp3Announced: {
    env: 'FAIRWAY_EDGE_HTTP3_ANNOUNCED',
    form: wholeNumber(0, 65_535),
    fallback: '0',
    meaning:
      'Port that browsers are told for HTTP/3, when a firewall leads it to FAIRWAY_EDGE_HTTP3; 0 is the same port',
  },
  edgeCacheMb: {
    env: 'FAIRWAY_EDGE_CACHE_MB',
    form: wholeNumber(16, 1_000_000),
    fallback: '2048',
    meaning: 'Room on disk for what the edge caches, in MB; about a million objects are known at once',
  },
  edgeLargestMb: {
    env: 'FAIRWAY_EDGE_LARGEST_MB',
    form: wholeNumber(1, 1_000_000),
    fallback: '10240',
    meaning:
      'Largest object that the edge stores whole, in MB, and never more than a tenth of its room; larger ones are passed on, and stored by the ranges that visitors ask for',
  },
  edgeLargestRequestMb: {
    env: 'FAIRWAY_EDGE_LARGEST_REQUEST_MB',
    form: wholeNumber(1, 100_000),
    fallback: '100',
    meaning:
      'Largest content of a request that the edge takes, in MB: what visitors upload to websites. Larger ones get 413',
  },
  edgeRequestsPerAddress: {
    env: 'FAIRWAY_EDGE_REQUESTS_PER_ADDRESS',
    form: wholeNumber(0, 1_000_000),
    fallback: '1000',
    meaning:
      'Requests that one address (of IPv6: its /64) may have under way at the edge of a machine; further ones get 429. A CDN in front that is not among FAIRWAY_TRUSTED_PROXIES is one of few addresses. 0 is any number',
  },
  edgeCustomerShare: {
    env: 'FAIRWAY_EDGE_CUSTOMER_SHARE',
    form: wholeNumber(1, 100),
    fallback: '25',
    meaning:
      'Percent of the edge that one customer may have: of the connections that go to origins (further requests get 503, what is stored is served on), of the memory for what customers set (more is refused), and of that for what their rules count. 100 is all',
  },
  edgePoliciesMb: {
    env: 'FAIRWAY_EDGE_POLICIES_MB',
    form: wholeNumber(0, 1_000_000),
    fallback: '0',
    meaning:
      "Memory of the edge for what customers set (domains, rules, lists, certificates), in MB; only what is used of it is taken. 0 is a sixteenth of the machine's, at least 128",
  },
  shieldRegion: {
    env: 'FAIRWAY_SHIELD_REGION',
    form: z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)?$/, 'must be like eu-west'),
    fallback: '',
    meaning:
      'Shield region that the edge of this machine is one of, like eu-west; the operator area may say another. Empty is none',
  },
  shieldListen: {
    env: 'FAIRWAY_SHIELD_LISTEN',
    form: hostPortOrNone.refine(
      (at) => at === null || !['0.0.0.0', '::'].includes(at.host),
      'must be an address that the other machines reach, for example 192.0.2.10:8444',
    ),
    fallback: '',
    meaning:
      'Where the edges of other machines fetch from origins through this one, over TLS, when it is of a shield region: an address that they reach. Empty does not offer it',
  },
  threatDays: {
    env: 'FAIRWAY_THREAT_DAYS',
    form: wholeNumber(1, 365),
    fallback: '30',
    meaning: 'Days that the threat log is kept, with the whole addresses of visitors',
  },
  recordedRequestDays: {
    env: 'FAIRWAY_RECORDED_REQUEST_DAYS',
    form: wholeNumber(0, 90),
    fallback: '3',
    meaning:
      'Days that a sample of requests to domains with web security is kept, without secrets, for rules to be tried on before they are saved; 0 records none',
  },
  collectorListen: {
    env: 'FAIRWAY_COLLECTOR_LISTEN',
    form: hostPort,
    fallback: '127.0.0.1:8090',
    meaning: 'Beacon collector',
  },
  collectors: {
    env: 'FAIRWAY_COLLECTORS',
    form: list.pipe(z.array(z.string().superRefine(refuseCollector)).max(32, 'are 32 at most')),
    fallback: '',
    meaning:
      'All collectors of the installation where there are several, as nodes and the API reach them, such as 10.0.0.11:8090,10.0.0.12:8090, or with TLS https://collect.example.com; the same on every machine. Empty is the one at FAIRWAY_COLLECTOR_LISTEN',
  },
  collectorUrl: {
    env: 'FAIRWAY_COLLECTOR_URL',
    form: z.string().regex(/^(?:https?:\/\/[^/\s]+)?$/, 'must be like https://beacon.example.com'),
    fallback: '',
    meaning:
      'Origin under which visitors’ browsers reach the beacon collector, such as a proxy with TLS in front of it; empty is its own address',
  },
  stunServers: {
    env: 'FAIRWAY_STUN_SERVERS',
    form: list.pipe(z.array(z.string().regex(/^stun:[\w.:[\]-]{1,255}$/, 'must be like stun:stun.example.com:3478'))),
    fallback: '',
    meaning:
      'STUN servers (RFC 8489) that viewers with peers learn their own address from; without one only those meet who share a network or have public addresses',
  },
  originListen: {
    env: 'FAIRWAY_ORIGIN_LISTEN',
    form: hostPort,
    fallback: '127.0.0.1:8070',
    meaning: 'The demonstration website that serves as origin',
  },
  visitorsPerSecond: {
    env: 'FAIRWAY_VISITORS_PER_SECOND',
    form: wholeNumber(0, 1_000),
    fallback: '20',
    meaning: 'Visitors that the demo has a second, on average over a day; each costs this machine work',
  },
  demoLive: {
    env: 'FAIRWAY_DEMO_LIVE',
    form: z.enum(['on', 'off']),
    fallback: 'on',
    meaning:
      'Whether the live stream of a new demo is on air, with a small test picture; off takes that off the air at the next start',
  },
  mediaListen: {
    env: 'FAIRWAY_MEDIA_LISTEN',
    form: hostPort,
    fallback: '127.0.0.1:8060',
    meaning: 'Where the role `media` answers edges, which fetch videos from it',
  },
  mediaAddress: {
    env: 'FAIRWAY_MEDIA_ADDRESS',
    form: hostPortOrNone,
    fallback: '',
    meaning:
      'Host and port at which edges of all machines reach FAIRWAY_MEDIA_LISTEN, over a network of your own; empty is that itself, which edges of other machines cannot reach where it is a loopback address or all addresses',
  },
  mediaStorage: {
    env: 'FAIRWAY_MEDIA_STORAGE',
    form: z.string().regex(/^(?!s3:)|^s3:\/\/[a-z0-9]/, 'must be a folder or like s3://bucket/prefix'),
    fallback: '',
    meaning:
      'Where uploaded files and finished videos are kept: a folder on another disk, or s3://bucket/prefix (FAIRWAY_S3_…); empty is the home. What is encoded or live just now is in the home of the role `media` at all times',
  },
  rtmpListen: {
    env: 'FAIRWAY_RTMP_LISTEN',
    form: hostPort,
    fallback: '127.0.0.1:1935',
    meaning: 'Where encoders send live streams to, by RTMP; encoders elsewhere need an address that they can reach',
  },
  liveMost: {
    env: 'FAIRWAY_LIVE_MOST',
    form: wholeNumber(1, 10_000),
    fallback: '4',
    meaning:
      'Live streams that this machine encodes at a time; one organisation may have all but one of them, so that nobody takes every place',
  },
  rtmpUrl: {
    env: 'FAIRWAY_RTMP_URL',
    form: z.string().regex(/^(?:rtmps?:\/\/[^/\s]+)?$/, 'must be like rtmps://live.example.com'),
    fallback: '',
    meaning:
      'Address under which encoders reach that, such as a proxy with TLS in front of it; empty is its own address',
  },
  webrtcListen: {
    env: 'FAIRWAY_WEBRTC_LISTEN',
    form: hostPortOrNone,
    fallback: '',
    meaning:
      'Where browsers and encoders send sound and picture of live streams to by WebRTC, UDP, such as 0.0.0.0:8189; they begin at /whip of console and API. Empty does not offer it, nor does a loopback address while FAIRWAY_PUBLIC_URL leads elsewhere',
  },
  webrtcAddresses: {
    env: 'FAIRWAY_WEBRTC_ADDRESSES',
    form: ownAddresses,
    fallback: '',
    meaning:
      'Addresses, IPv4 and IPv6, at which they reach that. Empty is where it listens, or, where that is all addresses, the public ones of the machine',
  },
  databaseUrl: {
    env: 'FAIRWAY_DATABASE_URL',
    form: databaseUrl,
    fallback: '',
    meaning:
      'PostgreSQL by URL, of several hosts the one that takes writes, or PgBouncer before it; ./fairway help database says what it needs. Empty starts the embedded one',
    isSecret: true,
  },
  databaseDirectUrl: {
    env: 'FAIRWAY_DATABASE_DIRECT_URL',
    form: databaseUrl,
    fallback: '',
    meaning:
      'PostgreSQL itself where FAIRWAY_DATABASE_URL leads to a pooler: notifications, migrations and backups take it. Empty is the same',
    isSecret: true,
  },
  databaseReplicaUrls: {
    env: 'FAIRWAY_DATABASE_REPLICA_URLS',
    form: replicaUrls,
    fallback: '',
    meaning:
      'Streaming replicas of that PostgreSQL, by URL, several separated by commas: lists, charts and exports are read from those that show all that was committed before. Empty reads everything from the one that takes writes',
    isSecret: true,
  },
  clickhouseUrl: {
    env: 'FAIRWAY_CLICKHOUSE_URL',
    form: clickhouseUrl,
    fallback: '',
    meaning:
      'ClickHouse by URL, such as https://ch1:8443/fairway; of one cluster also several, separated by commas: the first that answers is used. Empty starts the embedded engine',
    isSecret: true,
  },
  clickhouseCluster: {
    env: 'FAIRWAY_CLICKHOUSE_CLUSTER',
    form: z.string().regex(/^[A-Za-z0-9_.-]{0,64}$/, 'must be a name in system.clusters'),
    fallback: '',
    meaning:
      'Cluster, as the servers of FAIRWAY_CLICKHOUSE_URL know it, whose shards and replicas hold the tables; it cannot be changed later. Empty is one server',
  },
  clickhouseUser: {
    env: 'FAIRWAY_CLICKHOUSE_USER',
    form: z.string().regex(/^[^\s:]{0,128}$/, 'must be a name without spaces and colons'),
    fallback: '',
    meaning: 'User of that ClickHouse; empty is the one in the URL, else default',
  },
  clickhousePasswordFile: {
    env: 'FAIRWAY_CLICKHOUSE_PASSWORD_FILE',
    form: z.string(),
    fallback: '',
    meaning: 'File whose first line is the password of that user; read anew by ./fairway reload',
  },
  clickhousePassword: {
    env: 'FAIRWAY_CLICKHOUSE_PASSWORD',
    form: z.string(),
    fallback: '',
    meaning: 'The password itself, when no file is named',
    isSecret: true,
  },
  clickhouseCaFile: {
    env: 'FAIRWAY_CLICKHOUSE_CA_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      "PEM file of further authorities that the servers' certificates are checked by, beside the system's; they are always checked",
  },
  clickhouseStoragePolicy: {
    env: 'FAIRWAY_CLICKHOUSE_STORAGE_POLICY',
    form: z.string().regex(/^[A-Za-z0-9_-]{0,64}$/, 'must be a name in system.storage_policies'),
    fallback: '',
    meaning: "Storage policy of all tables there; empty is the server's own",
  },
  clickhouseColdDays: {
    env: 'FAIRWAY_CLICKHOUSE_COLD_DAYS',
    form: wholeNumber(0, 36_500),
    fallback: '0',
    meaning: 'Days after which rows move to the cold volume of the storage policy; 0 moves none',
  },
  clickhouseColdVolume: {
    env: 'FAIRWAY_CLICKHOUSE_COLD_VOLUME',
    form: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a volume in system.storage_policies'),
    fallback: 'cold',
    meaning: 'That volume, as the storage policy calls it',
  },
  eventDays: {
    env: 'FAIRWAY_EVENT_DAYS',
    form: wholeNumber(7, 400),
    fallback: '30',
    meaning:
      'Days that single measurements, queries, requests and events of players are kept, with addresses of visitors where they have them; video analytics and lists of requests look back as far',
  },
  minuteRollupDays: {
    env: 'FAIRWAY_MINUTE_ROLLUP_DAYS',
    form: wholeNumber(8, 400),
    fallback: '8',
    meaning: 'Days that sums by the minute are kept; charts use eight of them',
  },
  hourRollupDays: {
    env: 'FAIRWAY_HOUR_ROLLUP_DAYS',
    form: wholeNumber(32, 36_500),
    fallback: '400',
    meaning: 'Days that sums by the hour are kept',
  },
  dayRollupDays: {
    env: 'FAIRWAY_DAY_ROLLUP_DAYS',
    form: wholeNumber(0, 36_500).refine((days) => days === 0 || days >= 400, 'must be 0 or at least 400'),
    fallback: '0',
    meaning: 'Days that sums by the day are kept; 0 is for ever',
  },
  apiUrl: {
    env: 'FAIRWAY_API_URL',
    form: z.string(),
    fallback: '',
    meaning: 'Where nodes find the API; empty means the listen address',
  },
  apiCaFile: {
    env: 'FAIRWAY_API_CA_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      'PEM file of further authorities that this machine trusts, for an API or a collector whose certificate is of an authority of your own',
  },
  publicUrl: {
    env: 'FAIRWAY_PUBLIC_URL',
    form: z.string().regex(/^$|^https?:\/\/[^/]+$/, 'must be like https://console.example.com'),
    fallback: '',
    meaning:
      'Address under which people reach the console, for links in letters; empty means the address over TLS, else the listen address',
  },
  nodeName: {
    env: 'FAIRWAY_NODE_NAME',
    form: z.string().regex(/^[A-Za-z0-9.-]{0,60}$/),
    fallback: '',
    meaning: 'Name of this machine among the nodes; empty means the host name',
  },
  nodeToken: {
    env: 'FAIRWAY_NODE_TOKEN',
    form: z.string(),
    fallback: '',
    meaning: 'Secret that nodes show to the API; empty makes one in the home',
  },
  serviceDomain: {
    env: 'FAIRWAY_SERVICE_DOMAIN',
    form: z.string().regex(/^[a-z0-9.-]+$/),
    fallback: 'fairway.test',
    meaning: "Zone of the installation's own names: nameservers and CDN targets",
  },
  nameserverNames: {
    env: 'FAIRWAY_NAMESERVER_NAMES',
    form: wholeNumber(2, 64),
    fallback: '16',
    meaning:
      'How many nameserver names there are (ns1, ns2, … under the service domain). Each organisation gets two of them by lot; the number may grow, not shrink',
  },
  domainProof: {
    env: 'FAIRWAY_DOMAIN_PROOF',
    form: z.enum(['on', 'tolerant', 'off']),
    fallback: 'on',
    meaning:
      'Whether a name has to be proven by its delegation or a TXT record. tolerant serves a name also while its parent zone cannot be asked; off is for installations of one house: first come, first served',
  },
  setupCode: {
    env: 'FAIRWAY_SETUP_CODE',
    form: z.enum(['on', 'off']),
    fallback: 'on',
    meaning:
      'Whether the first account of an empty installation, its operator, needs the code that the start prints. off is for installations that nobody else can reach: who comes first has it',
  },
  metricsAddress: {
    env: 'FAIRWAY_METRICS_ADDRESS',
    form: hostPortOrNone,
    fallback: '127.0.0.1:9464',
    meaning:
      'Where /metrics, /livez and /readyz of all roles of this machine are, for Prometheus and whoever watches. They need no password: keep it to loopback or a network of your own. Empty does not offer it',
  },
  simulatedAddresses: {
    env: 'FAIRWAY_SIMULATED_ADDRESSES',
    form: list,
    fallback: '127.0.0.11,127.0.0.12,127.0.0.13',
    meaning: 'Loopback addresses of the simulated CDNs',
  },
  dnsRateLimit: {
    env: 'FAIRWAY_DNS_RATE_LIMIT',
    form: wholeNumber(0, 1_000_000),
    fallback: '100',
    meaning:
      'Equal answers a second over UDP to one network (/24, /56) before some are left out, so that the name server cannot be used against others; 0 is no limit',
  },
  dnsProcesses: {
    env: 'FAIRWAY_DNS_PROCESSES',
    form: z.union([
      z.literal('auto').transform(() => Math.min(8, Math.max(2, Math.floor(os.availableParallelism() / 2)))),
      wholeNumber(1, 64),
    ]),
    fallback: 'auto',
    meaning:
      'Processes that answer DNS queries side by side on one address; auto is half the cores, at least 2 and at most 8. Only on Linux; elsewhere one answers',
  },
  dnsIdentity: {
    env: 'FAIRWAY_DNS_IDENTITY',
    form: z.enum(['name', 'full', 'none']),
    fallback: 'name',
    meaning:
      'What the name server tells of itself to who asks (NSID, id.server, version.server): name is the node, full is the version too, none is nothing',
  },
  dnsTransport: {
    env: 'FAIRWAY_DNS_TRANSPORT',
    form: z.enum(['auto', 'mmsg', 'dgram']),
    fallback: 'auto',
    meaning:
      'How datagrams are taken: mmsg in batches (Linux on x64 and arm64), dgram one by one (everywhere); auto takes batches where they work',
  },
  resolver: {
    env: 'FAIRWAY_RESOLVER',
    form: z.string(),
    fallback: '',
    meaning: "Resolver for origins and custom CDNs (host:port); empty means the system's",
  },
  nameserverPort: {
    env: 'FAIRWAY_NAMESERVER_PORT',
    form: wholeNumber(1, 65_535),
    fallback: '53',
    meaning:
      'Port at which the old nameservers of a site and its parent are asked; another than 53 is for laboratories',
  },
  privateNetworks: {
    env: 'FAIRWAY_PRIVATE_NETWORKS',
    form: privateNetworks,
    fallback: '',
    meaning:
      'Networks that are not of the internet and that users may lead us into all the same (origins, CDNs, webhooks, name servers), like 10.0.0.0/8,fd00::/8; one port of one address is 127.0.0.1:8070. Empty is none',
  },
  outgoingRate: {
    env: 'FAIRWAY_OUTGOING_RATE',
    form: wholeNumber(0, 1_000_000),
    fallback: '50',
    meaning:
      'Connections a second that one organisation may have each role open to what it has named (probes, webhooks, name servers), on average over ten seconds; 0 is no limit',
  },
  smtpUrl: {
    env: 'FAIRWAY_SMTP_URL',
    form: z.string().regex(/^$|^smtps?:\/\/\S+$/, 'must be like smtp://user:password@mail.example.com:587'),
    fallback: '',
    meaning: "Mail server; empty keeps letters in the operator's outbox",
  },
  mailSender: {
    env: 'FAIRWAY_MAIL_SENDER',
    form: z.string().regex(/^$|^[^\s@<>]+@[^\s@<>]+$/, 'must be an e-mail address'),
    fallback: '',
    meaning: 'Sender of letters whose partner has none of its own; empty means no-reply@<service domain>',
  },
  mailSpf: {
    env: 'FAIRWAY_MAIL_SPF',
    form: z
      .string()
      .regex(/^$|^(?:include|a|mx|ip4|ip6):[\w.:/-]+$/, 'must be like include:_spf.relay.example or ip4:192.0.2.7'),
    fallback: '',
    meaning:
      "What the SPF record of a partner's sender has to hold so that letters of the mail server are accepted; empty means a:<host of the mail server>",
  },
  googleIssuer: {
    env: 'FAIRWAY_GOOGLE_ISSUER',
    form: z.string().regex(/^https?:\/\/\S+$/, 'must be a URL'),
    fallback: 'https://accounts.google.com',
    meaning: 'OpenID provider behind "Continue with Google"; any certified one will do',
  },
  googleClientId: {
    env: 'FAIRWAY_GOOGLE_CLIENT_ID',
    form: z.string(),
    fallback: '',
    meaning:
      'Client id at the OpenID provider; empty leaves the button out. The redirect address there is <console>/oauth/google-callback',
  },
  googleClientSecret: {
    env: 'FAIRWAY_GOOGLE_CLIENT_SECRET',
    form: z.string(),
    fallback: '',
    meaning: 'Client secret at the OpenID provider',
  },
  hubspotToken: {
    env: 'FAIRWAY_HUBSPOT_TOKEN',
    form: z.string(),
    fallback: '',
    meaning:
      'Access token of a HubSpot private app, which support tickets then go to; empty keeps them in the operator area',
  },
  hubspotUrl: {
    env: 'FAIRWAY_HUBSPOT_URL',
    form: z.string().regex(/^https?:\/\/[^/]+$/, 'must be like https://api.hubapi.com'),
    fallback: 'https://api.hubapi.com',
    meaning: "Address of HubSpot's API",
  },
  hubspotPipeline: {
    env: 'FAIRWAY_HUBSPOT_PIPELINE',
    form: list,
    fallback: '0,1,4',
    meaning: 'Ticket pipeline in HubSpot, its stage for new tickets, its stage for closed ones',
  },
  marketingFormUrl: {
    env: 'FAIRWAY_MARKETING_FORM_URL',
    form: z.string().regex(/^$|^https?:\/\/\S+$/, 'must be a URL'),
    fallback: '',
    meaning:
      "Submit address of a form of HubSpot's Forms API, which questions of people who are no customers yet go to; empty writes them to the partner's address, or the operator's",
  },
  errorReportsDsn: {
    env: 'FAIRWAY_ERROR_REPORTS',
    form: z
      .string()
      .regex(/^$|^https?:\/\/[^@/\s]+@[^/\s]+\/(?:\S*\/)?\d+$/, 'must be like https://key@errors.example.com/1'),
    fallback: '',
    meaning:
      "Address (DSN) of an error-reporting service that takes Sentry's envelopes; errors of all roles and of the console are told to it, without secrets. Empty tells nobody",
  },
  deskUrl: {
    env: 'FAIRWAY_DESK_URL',
    form: z
      .string()
      .regex(/^$|^https?:\/\/\S+\{token\}\S*$/, 'must be like https://help.example.com/sign-in?jwt={token}'),
    fallback: '',
    meaning:
      "Sign-in address of an outside help desk, with {token} for a signed token (JWT, HS256) of the user; 'My tickets' leads there. Empty shows tickets here",
  },
  deskSecret: {
    env: 'FAIRWAY_DESK_SECRET',
    form: z.string().regex(/^$|^.{32,}$/, 'must have at least 32 characters'),
    fallback: '',
    meaning: 'Secret shared with that help desk, which its tokens are signed with',
  },
  cdnKeysFile: {
    env: 'FAIRWAY_CDN_KEYS_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      'JSON file with the operator\'s own keys at CDN vendors, like {"fastly": {"token": "…"}}; each vendor in it is offered to every organisation, as those are whose keys are stored in the operator area, which go before these. Empty names none',
  },
  cdnApiUrls: {
    env: 'FAIRWAY_CDN_API_URLS',
    form: urls,
    fallback: '',
    meaning: "Other addresses of CDN vendors' APIs, like cloudflare=http://127.0.0.1:9000,fastly=…; for tests",
  },
  stripeSecretKey: {
    env: 'FAIRWAY_STRIPE_SECRET_KEY',
    form: z.string(),
    fallback: '',
    meaning: "Stripe's secret key; empty takes payments through the embedded sandbox provider, which moves no money",
  },
  stripePublishableKey: {
    env: 'FAIRWAY_STRIPE_PUBLISHABLE_KEY',
    form: z.string(),
    fallback: '',
    meaning: "Stripe's publishable key, for its card element in the browser",
  },
  stripeWebhookSecret: {
    env: 'FAIRWAY_STRIPE_WEBHOOK_SECRET',
    form: z.string(),
    fallback: '',
    meaning: 'Signing secret of the Stripe webhook /billing/v2/webhook/stripe/',
  },
  stripeUrl: {
    env: 'FAIRWAY_STRIPE_URL',
    form: z.string(),
    fallback: '',
    meaning: "Where Stripe's API is; empty means api.stripe.com",
  },
  awsMarketplaceKey: {
    env: 'FAIRWAY_AWS_MARKETPLACE_KEY',
    form: z.string().regex(/^$|^[^\s:]+:\S+$/, 'must be like <access key id>:<secret access key>'),
    fallback: '',
    meaning:
      "Key of the AWS Marketplace seller, which buyers' registration tokens are resolved with; empty takes purchases that the operator makes by hand only",
  },
  awsMarketplaceUrl: {
    env: 'FAIRWAY_AWS_MARKETPLACE_URL',
    form: z.string().regex(/^https?:\/\/[^/]+$/, 'must be like https://metering.marketplace.us-east-1.amazonaws.com'),
    fallback: 'https://metering.marketplace.us-east-1.amazonaws.com',
    meaning: "Address of AWS Marketplace's metering service",
  },
  cjkFont: {
    env: 'FAIRWAY_CJK_FONT',
    form: z.string(),
    fallback: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
    meaning: 'Noto Sans CJK (font collection), for invoices as PDF',
  },
  ruleSetDir: {
    env: 'FAIRWAY_RULE_SET_DIR',
    form: z.string(),
    fallback: '/usr/share/modsecurity-crs',
    meaning:
      'Folder of the OWASP Core Rule Set that requests are held against, 3.3 or 4.x; taken anew when its files change. Files that do not load leave the last ones that did in force',
  },
  originCaFile: {
    env: 'FAIRWAY_ORIGIN_CA_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      'PEM file of further authorities whose certificates the edge accepts of origins that are to be checked, beside those of the system and of Mozilla',
  },
  diskScarceMb: {
    env: 'FAIRWAY_DISK_SCARCE_MB',
    form: wholeNumber(0, 1_000_000),
    fallback: '1024',
    meaning:
      'Free MB on the disk of the home below which what can wait stops: uploads, encoding, new live streams, samples and logs of requests, and at the edge requests with more than 16 kB of content (503). Never more than where the disk is told to be filling up (15 % or 2 GB); 0 stops nothing',
  },
  diskFullMb: {
    env: 'FAIRWAY_DISK_FULL_MB',
    form: wholeNumber(0, 1_000_000),
    fallback: '256',
    meaning:
      'Free MB below which the API refuses changes too, so that what was accepted still gets to where it is served; reading, name servers and edge go on. At most the mark before it; 0 refuses nothing',
  },
  diskReserveMb: {
    env: 'FAIRWAY_DISK_RESERVE_MB',
    form: wholeNumber(0, 100_000),
    fallback: '128',
    meaning:
      'MB that are taken while there is room, and given up piece by piece when nothing is free, so that the database goes on and somebody can make room; 0 takes none',
  },
  backupFolder: {
    env: 'FAIRWAY_BACKUP_FOLDER',
    form: z.string().regex(/^(?!s3:)|^s3:\/\/[a-z0-9]/, 'must be a folder or like s3://bucket/prefix'),
    fallback: '',
    meaning:
      'Folder that backups are written to, best on another disk, or s3://bucket/prefix; empty is backups in the home',
  },
  s3Endpoint: {
    env: 'FAIRWAY_S3_ENDPOINT',
    form: z.string().regex(/^(?:https?:\/\/[^/\s@]+)?$/, 'must be like https://s3.example.com'),
    fallback: '',
    meaning: 'Address of what speaks like S3; empty is Amazon itself, in the region',
  },
  s3Region: {
    env: 'FAIRWAY_S3_REGION',
    form: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be like eu-central-1'),
    fallback: 'us-east-1',
    meaning: 'Region of the buckets',
  },
  s3KeyFile: {
    env: 'FAIRWAY_S3_KEY_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      'File whose first line is the key of S3, like <access key id>:<secret access key>. With neither of both the environment (AWS_…), a profile or the role of the machine is taken',
  },
  s3Key: {
    env: 'FAIRWAY_S3_KEY',
    form: z.string().regex(/^$|^[^\s:]+:\S+$/, 'must be like <access key id>:<secret access key>'),
    fallback: '',
    meaning: 'The key itself, when no file is named',
  },
  s3Encryption: {
    env: 'FAIRWAY_S3_ENCRYPTION',
    form: z.string().regex(/^$|^AES256$|^aws:kms(?::\S+)?$/, 'must be AES256, aws:kms or aws:kms:<key>'),
    fallback: '',
    meaning: 'How the service itself encrypts what is stored; empty leaves it to the bucket',
  },
  backupEveryHours: {
    env: 'FAIRWAY_BACKUP_EVERY_HOURS',
    form: wholeNumber(0, 8_760),
    fallback: '0',
    meaning:
      'Hours between two backups that the machine of the worker takes by itself, each proven at once by restoring it elsewhere; 0 takes none',
  },
  backupLogSeconds: {
    env: 'FAIRWAY_BACKUP_LOG_SECONDS',
    form: wholeNumber(0, 3_600),
    fallback: '10',
    meaning:
      'Seconds after which what was written to the embedded database is in the backups too, where a schedule takes them: so much of the newest is at risk. The schedule adds what has changed then, and restore goes back to any second; 0 takes a whole file each time',
  },
  backupKeep: {
    env: 'FAIRWAY_BACKUP_KEEP',
    form: wholeNumber(1, 10_000),
    fallback: '14',
    meaning: 'Backups of its own that the schedule leaves in the folder; older ones go',
  },
  backupPassphraseFile: {
    env: 'FAIRWAY_BACKUP_PASSPHRASE_FILE',
    form: z.string(),
    fallback: '',
    meaning:
      'File whose first line is the passphrase that backups are sealed by, at least 12 characters; keep it apart from them',
  },
  backupPassphrase: {
    env: 'FAIRWAY_BACKUP_PASSPHRASE',
    form: z.string(),
    fallback: '',
    meaning: 'The passphrase itself, when no file is named',
  },
  logLevel: {
    env: 'FAIRWAY_LOG_LEVEL',
    form: z.enum(['trace', 'debug', 'info', 'warn', 'error']),
    fallback: 'info',
    meaning: 'How much is logged',
  },
  probeIntervalMs: {
    env: 'FAIRWAY_PROBE_INTERVAL_MS',
    form: wholeNumber(100, 60_000),
    fallback: '1000',
    meaning: 'Time between two probes of one CDN by one node',
  },
  scoreIntervalMs: {
    env: 'FAIRWAY_SCORE_INTERVAL_MS',
    form: wholeNumber(200, 60_000),
    fallback: '2000',
    meaning: 'Time between two builds of scores',
  },
  scoreWindowSeconds: {
    env: 'FAIRWAY_SCORE_WINDOW_SECONDS',
    form: wholeNumber(30, 3600),
    fallback: '300',
    meaning: 'Window of measurements that decisions use',
  },
  scoreShortWindowSeconds: {
    env: 'FAIRWAY_SCORE_SHORT_WINDOW_SECONDS',
    form: wholeNumber(10, 300),
    fallback: '30',
    meaning: 'Shorter window that decides when a CDN is suddenly far less available than over the whole window',
  },
  acmeLetsEncryptUrl: {
    env: 'FAIRWAY_ACME_LETS_ENCRYPT_URL',
    form: z.union([z.url(), z.literal('')]),
    fallback: '',
    meaning: "Directory of Let's Encrypt (or another authority without external accounts); empty offers it to nobody",
  },
  acmeZeroSslUrl: {
    env: 'FAIRWAY_ACME_ZERO_SSL_URL',
    form: z.union([z.url(), z.literal('')]),
    fallback: '',
    meaning: 'Directory of ZeroSSL (or another authority with external accounts); empty offers it to nobody',
  },
  acmeZeroSslKeyId: {
    env: 'FAIRWAY_ACME_ZERO_SSL_KEY_ID',
    form: z.string(),
    fallback: '',
    meaning: 'Key identifier of the external account at ZeroSSL',
  },
  acmeZeroSslHmacKey: {
    env: 'FAIRWAY_ACME_ZERO_SSL_HMAC_KEY',
    form: z.string(),
    fallback: '',
    meaning: 'HMAC key of the external account at ZeroSSL, base64url',
  },
  streamAcme: {
    env: 'FAIRWAY_STREAM_ACME',
    form: z.enum(['', 'lets-encrypt', 'zero-ssl', 'off']),
    fallback: '',
    meaning:
      "Authority that the certificate of videos' names below the service domain is ordered from, by DNS: lets-encrypt or zero-ssl, at its directory. Empty takes the one that has a directory, unless the edge is on loopback; off orders none, and videos are served over plain HTTP",
  },
  acmeContact: {
    env: 'FAIRWAY_ACME_CONTACT',
    form: z.union([z.email(), z.literal('')]),
    fallback: '',
    meaning: 'E-mail address that certificate authorities may write to',
  },
  acmeRootsFile: {
    env: 'FAIRWAY_ACME_ROOTS_FILE',
    form: z.string(),
    fallback: '',
    meaning: 'PEM file of roots to trust for the connection to an authority of your own',
  },
  revocationHosts: {
    env: 'FAIRWAY_REVOCATION_HOSTS',
    form: list,
    fallback: '',
    meaning:
      'Hosts of OCSP responders and revocation lists that may be asked about certificates; * is any outside our own networks, empty asks nobody',
  },
  trustedProxies: {
    env: 'FAIRWAY_TRUSTED_PROXIES',
    form: networks,
    fallback: '',
    meaning:
      'Addresses and networks (CIDR) of the proxies in front of console, collector and edge, whose X-Forwarded-For is believed; empty believes nobody',
  },
} as const

type Keys = typeof KEYS
export type Config = { [K in keyof Keys]: z.output<Keys[K]['form']> }

/** A setting is wrong; the message is a sentence for the person who started the product. */
export class ConfigError extends Error {}

/**
 * Reads the settings: environment first, then `fairway.conf` (KEY=value lines) in the home, then defaults.
 * @throws ConfigError on an unknown `FAIRWAY_*` key or a value of the wrong form.
 */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const home = path.resolve(env['FAIRWAY_HOME'] || KEYS.home.fallback)
  const file = readFile(path.join(home, 'fairway.conf'))
  for (const name of [...Object.keys(env), ...Object.keys(file)]) refuseUnknown(name)
  const values = Object.entries(KEYS).map(([name, key]) => {
    const text = env[key.env] ?? file[key.env] ?? key.fallback
    const parsed = key.form.safeParse(text)
    if (!parsed.success)
      throw new ConfigError(
        `${key.env}${'isSecret' in key ? '' : `=${JSON.stringify(text)}`}: ${parsed.error.issues[0]?.message ?? 'wrong form'}. ${key.meaning}.`,
      )
    return [name, parsed.data]
  })
  const config = Object.fromEntries(values) as Config
  const { tlsListen } = config
  const problem = tlsProblem(config) ?? streamTlsProblem(config)
  if (problem !== null) throw new ConfigError(problem)
  refuseHalfClickhouse(config)
  if (config.databaseReplicaUrls.length > 0 && config.databaseUrl === '')
    throw new ConfigError(
      'FAIRWAY_DATABASE_REPLICA_URLS: of a PostgreSQL of your own, which FAIRWAY_DATABASE_URL has to name.',
    )
  return {
    ...config,
    home,
    apiUrl: config.apiUrl || urlOf(config.listen),
    collectorUrl: config.collectorUrl || urlOf(config.collectorListen),
    publicUrl: config.publicUrl || (tlsListen ? `https://${hostPortText(tlsListen)}` : urlOf(config.listen)),
    nodeName:
      config.nodeName ||
      os
        .hostname()
        .replace(/[^A-Za-z0-9.-]/g, '-')
        .slice(0, 60),
  }
}

function streamTlsProblem({ streamAcme, acmeLetsEncryptUrl, acmeZeroSslUrl }: Config): string | null {
  const directories = { 'lets-encrypt': acmeLetsEncryptUrl, 'zero-ssl': acmeZeroSslUrl }
  return streamAcme === '' || streamAcme === 'off' || directories[streamAcme] !== ''
    ? null
    : `FAIRWAY_STREAM_ACME=${streamAcme} needs the directory of that authority in FAIRWAY_ACME_${streamAcme === 'zero-ssl' ? 'ZERO_SSL' : 'LETS_ENCRYPT'}_URL.`
}

/** What does not fit together about TLS of the console; null when all does. */
function tlsProblem(config: Config): string | null {
  const { tlsListen, tlsCert, tlsKey, tlsAcme, publicUrl } = config
  const given = [tlsListen !== null, tlsCert !== '', tlsKey !== '']
  if (tlsAcme === '')
    return new Set(given).size > 1
      ? 'FAIRWAY_TLS_LISTEN, FAIRWAY_TLS_CERT and FAIRWAY_TLS_KEY belong together: set all three, or none; or FAIRWAY_TLS_LISTEN with FAIRWAY_TLS_ACME.'
      : null
  if (given.join() !== 'true,false,false')
    return 'FAIRWAY_TLS_ACME needs FAIRWAY_TLS_LISTEN, and neither FAIRWAY_TLS_CERT nor FAIRWAY_TLS_KEY.'
  const directory = tlsAcme === 'zero-ssl' ? 'FAIRWAY_ACME_ZERO_SSL_URL' : 'FAIRWAY_ACME_LETS_ENCRYPT_URL'
  if ((tlsAcme === 'zero-ssl' ? config.acmeZeroSslUrl : config.acmeLetsEncryptUrl) === '')
    return `FAIRWAY_TLS_ACME=${tlsAcme} needs the directory of that authority in ${directory}.`
  const { protocol, hostname } = URL.parse(publicUrl) ?? { protocol: '', hostname: '' }
  return protocol === 'https:' &&
    /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(hostname)
    ? null
    : 'FAIRWAY_TLS_ACME needs FAIRWAY_PUBLIC_URL with the name that the certificate is for, like https://console.example.com.'
}

function refuseHalfClickhouse(config: Config): void {
  const { clickhouseUrl: url, clickhouseCluster: cluster, clickhouseStoragePolicy: policy, clickhouseColdDays } = config
  const named = [
    ...(cluster === '' ? [] : ['FAIRWAY_CLICKHOUSE_CLUSTER']),
    ...(policy === '' ? [] : ['FAIRWAY_CLICKHOUSE_STORAGE_POLICY']),
    ...(clickhouseColdDays === 0 ? [] : ['FAIRWAY_CLICKHOUSE_COLD_DAYS']),
  ]
  if (url === '' && named.length > 0)
    throw new ConfigError(
      `${named.join(', ')}: for a ClickHouse of your own, which FAIRWAY_CLICKHOUSE_URL has to name.`,
    )
  const address = url === '' ? null : readClickhouseUrl(url)
  if (address !== null && typeof address !== 'string' && address.servers.length > 1 && cluster === '')
    throw new ConfigError(
      'FAIRWAY_CLICKHOUSE_URL names several servers, which have to be of one cluster: name it by FAIRWAY_CLICKHOUSE_CLUSTER.',
    )
}

/** The settings as environment, to hand to a child process. */
export function configEnvironment(config: Config): Record<string, string> {
  return Object.fromEntries(Object.entries(KEYS).map(([name, key]) => [key.env, textOf(config[name as keyof Keys])]))
}

/** An example settings file with every key, its meaning and default. */
export function configExample(): string {
  return Object.values(KEYS)
    .map((key) => `# ${key.meaning}\n# ${key.env}=${key.fallback}\n`)
    .join('\n')
}

/** The operating system's environment for a child process, with where compiled code is kept for those that are Node. */
export function systemEnvironment(): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LANG: 'C.UTF-8',
    TMPDIR: process.env['TMPDIR'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  }
}

/** What systemd tells the process that it has started: where to tell it things, and how often it wants to hear. */
export function serviceManager(): { socket: string; watchdogMs: number | null } | null {
  const socket = process.env['NOTIFY_SOCKET']
  if (!socket) return null
  const [watchdog, whose] = [Number(process.env['WATCHDOG_USEC']), process.env['WATCHDOG_PID']]
  const isOurs = whose === undefined || Number(whose) === process.pid
  return { socket, watchdogMs: watchdog > 0 && isOurs ? watchdog / 1000 : null }
}

function textOf(value: string | number | string[] | HostPort | null): string {
  if (value === null) return ''
  if (typeof value === 'object' && !Array.isArray(value)) return hostPortText(value)
  return Array.isArray(value) ? value.join(',') : String(value)
}

function refuseUnknown(name: string): void {
  if (!name.startsWith('FAIRWAY_') || Object.values(KEYS).some((key) => key.env === name)) return
  throw new ConfigError(
    `${name} is not a setting. The settings are: ${Object.values(KEYS)
      .map((key) => key.env)
      .join(', ')}.`,
  )
}

function readFile(file: string): Record<string, string> {
  if (!fs.existsSync(file)) return {}
  const lines = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  return Object.fromEntries(
    lines
      .filter((line) => line && !line.startsWith('#'))
      .map((line, index) => {
        const at = line.indexOf('=')
        if (at < 1)
          throw new ConfigError(`${file}, entry ${index + 1}: expected KEY=value, found ${JSON.stringify(line)}.`)
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )
}
