/**
 * Words that need no schema, an entry of their own: whoever must start fast and stay small takes these and leaves the
 * schemas out. That is processes of the name server, and
 * the console's addresses, which every page has of every screen.
 */

/** Of the application, as `/config` tells it. */
export const VERSION = '2.40.5'

/** Types that have a name here; the number is the one on the wire. */
export const DNS_TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DS: 43,
  SSHFP: 44,
  DNSKEY: 48,
  TLSA: 52,
  CDS: 59,
  CDNSKEY: 60,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
} as const

/**
 * How queries reach the name server: datagrams, a stream, a stream under TLS (RFC 7858), requests of HTTPS (RFC 8484).
 */
export const DNS_TRANSPORTS = ['udp', 'tcp', 'tls', 'https'] as const

/** China's network groups: China Telecom, China Unicom, China Mobile, China Rail Telecom, CERNET. */
export const CHINA_NETWORKS = ['CT', 'CU', 'CM', 'CRT', 'CER'] as const

/**
 * Types of records with a form of their own. `ALIAS` answers the addresses of its target as its own, also at the apex.
 */
export const RECORD_TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'ALIAS',
  'MX',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  'HTTPS',
  'SVCB',
  'TLSA',
  'SSHFP',
  'NAPTR',
  'DS',
  'PTR',
] as const

/** What traffic and queries are told apart by. */
export const TRAFFIC_DIMENSIONS = ['cdn', 'site', 'domain', 'status', 'cache', 'country'] as const
export const DNS_REQUEST_DIMENSIONS = ['name', 'type', 'rcode', 'country', 'network', 'node', 'cdn'] as const
export const CACHE_STATUSES = ['HIT', 'MISS', 'EXPIRED', 'STALE', 'UPDATING', 'REVALIDATED', 'BYPASS'] as const

/** Parts of web security, in the order in which a request meets them. */
export const SECURITY_PARTS = [
  'access-control',
  'bot-management',
  'firewall-rules',
  'api-protection',
  'account-takeover-prevention',
  'crs-rules',
  'http-header-rewrite',
  'origin-rules',
] as const
/** What became of a request, as the threat log tells it. */
export const SECURITY_ACTIONS = ['pass', 'block', 'rate-limit', 'redirect', 'challenge', 'simulate'] as const

/** What events of web security are told apart by. */
export const SHIELD_DIMENSIONS = ['action', 'part', 'rule', 'reason', 'country', 'domain'] as const

export const AUDIT_SOURCES = ['console', 'api', 'import', 'system'] as const
export const BULK_TABS = ['general', 'multi-cdn', 'security', 'cache'] as const
/** CDNs that people may have an account with of their own. */
export const BYO_PLATFORMS = ['cloudfront', 'cloudflare', 'fastly', 'bunny', 'akamai', 'tencent'] as const

export const NOTIFICATION_TYPES = [
  'account',
  'analytics',
  'cdn',
  'dns',
  'origin',
  'ssl',
  'origin-shield',
  'stream',
] as const
/** From the most to the least urgent. */
export const NOTIFICATION_LEVELS = ['critical', 'warning', 'notice', 'info'] as const

export const POWER_UP_STATUSES = [
  'action-required',
  'installed',
  'installing',
  'delete-unsuccessful',
  'under-review',
  'review-failed',
  'delete-in-progress',
] as const
export const REVIEW_STATES = ['waiting', 'approved', 'refused'] as const
export const TEAMMATE_STATUSES = ['invited', 'expired', 'declined', 'active', 'suspended'] as const
export const TICKET_STATES = ['open', 'answered', 'closed'] as const

/** The situation that an error code stands for, where people turn to support with it. */
export const SITUATION_OF_CODE: Readonly<Record<number, 'powerUpFailed' | 'siteLocked'>> = {
  7488: 'powerUpFailed',
  909996: 'siteLocked',
}

/**
 * Work that the worker has: documents to publish, tasks of sites, CDNs that a driver brings up or down, their figures.
 */
export const JOB_KINDS = ['publish', 'site-task', 'cdn', 'vendor-traffic', 'upload', 'encode', 'live'] as const
export const JOB_STATES = ['waiting', 'running', 'failed'] as const
export const LETTER_STATES = ['waiting', 'sent', 'kept', 'failed'] as const
export { TOKEN_FORMS, type TokenKind } from './token-forms.ts'

/** In the place of a target's id: every installed CDN that is not named beside it, in the domain's order. */
export const EVERY_CDN = '*'
