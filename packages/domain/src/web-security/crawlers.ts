/**
 * Crawlers that are who they say: a part of their user agent, in small letters, and the autonomous systems that they
 * come from. Anybody can send the name, so only networks count whose machines strangers cannot rent: Bing's and Baidu's
 * carriers' are left out, and their crawlers are judged like everybody.
 */
export const CRAWLERS: { agent: string; networks: string[] }[] = [
  { agent: 'googlebot', networks: ['AS15169'] },
  { agent: 'google-inspectiontool', networks: ['AS15169'] },
  { agent: 'applebot', networks: ['AS714', 'AS6185'] },
  { agent: 'yandexbot', networks: ['AS13238', 'AS208722'] },
  { agent: 'baiduspider', networks: ['AS55967'] },
  { agent: 'facebookexternalhit', networks: ['AS32934'] },
  { agent: 'linkedinbot', networks: ['AS14413'] },
  { agent: 'twitterbot', networks: ['AS13414', 'AS63179'] },
]

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
