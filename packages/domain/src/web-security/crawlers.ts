import { lowerAscii } from './bytes.ts'

/**
 * A crawler by its word and its place. `agent` is a part of its user agent, in small letters: anybody can send it.
 * `domains` hold the names of its addresses as its owner publishes them, where the owner keeps both directions of the
 * DNS right; `networks` are autonomous systems whose machines strangers cannot rent.
 */
export type Crawler = { agent: string; name: string; domains: string[]; networks: string[] }

const GOOGLE = { domains: ['googlebot.com', 'google.com'], networks: ['AS15169'] }
const BING = { domains: ['search.msn.com'], networks: [] }
const APPLE = { domains: ['applebot.apple.com'], networks: ['AS714', 'AS6185'] }
const YANDEX = { domains: ['yandex.com', 'yandex.net', 'yandex.ru'], networks: ['AS13238', 'AS208722'] }

/**
 * Those that are known. Names that customers of the same company can have are left out (`googleusercontent.com`), and
 * so are crawlers whose owners publish addresses only (DuckDuckBot): they are judged like everybody.
 */
export const CRAWLERS: Crawler[] = [
  { agent: 'googlebot', name: 'Googlebot', ...GOOGLE },
  { agent: 'google-inspectiontool', name: 'Google-InspectionTool', ...GOOGLE },
  { agent: 'adsbot-google', name: 'AdsBot-Google', ...GOOGLE },
  { agent: 'mediapartners-google', name: 'Mediapartners-Google', ...GOOGLE },
  { agent: 'bingbot', name: 'Bingbot', ...BING },
  { agent: 'adidxbot', name: 'AdIdxBot', ...BING },
  { agent: 'applebot', name: 'Applebot', ...APPLE },
  { agent: 'yandexbot', name: 'YandexBot', ...YANDEX },
  { agent: 'yandeximages', name: 'YandexImages', ...YANDEX },
  { agent: 'baiduspider', name: 'Baiduspider', domains: ['baidu.com', 'baidu.jp'], networks: ['AS55967'] },
  { agent: 'yahoo! slurp', name: 'Yahoo! Slurp', domains: ['crawl.yahoo.net'], networks: [] },
  { agent: 'seznambot', name: 'SeznamBot', domains: ['seznam.cz'], networks: [] },
  { agent: 'petalbot', name: 'PetalBot', domains: ['petalsearch.com'], networks: [] },
  { agent: 'amazonbot', name: 'Amazonbot', domains: ['crawl.amazonbot.amazon'], networks: [] },
  { agent: 'ccbot', name: 'CCBot', domains: ['crawl.commoncrawl.org'], networks: [] },
  { agent: 'facebookexternalhit', name: 'Facebook', domains: [], networks: ['AS32934'] },
  { agent: 'linkedinbot', name: 'LinkedInBot', domains: [], networks: ['AS14413'] },
  { agent: 'twitterbot', name: 'Twitterbot', domains: [], networks: ['AS13414', 'AS63179'] },
]

/** How people call a crawler. */
export function crawlerName(agent: string): string | undefined {
  for (const crawler of CRAWLERS) if (crawler.agent === agent) return crawler.name
  return undefined
}

/** What looking an address up in both directions has said; `unknown` not yet, `off` that nobody looks. */
export type LookedUp = 'verified' | 'false' | 'unknown' | 'off'

/** Whether a host name lies in a domain of the crawler's owner. */
export function isCrawlersName(crawler: Crawler, hostName: string): boolean {
  const name = lowerAscii(hostName.endsWith('.') ? hostName.slice(0, hostName.length - 1) : hostName)
  for (const domain of crawler.domains) if (name === domain || name.endsWith(`.${domain}`)) return true
  return false
}

/** Parts of user agents, in small letters, of programs that look for weak spots. */
export const SCANNERS = [
  'sqlmap',
  'nikto',
  'masscan',
  'nmap scripting',
  'zgrab',
  'dirbuster',
  'gobuster',
  'wpscan',
  'acunetix',
  'nessus',
  'openvas',
  'havij',
  'nuclei',
]
