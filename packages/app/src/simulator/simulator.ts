import http from 'node:http'
import { simulatedCdns, type AttackKind } from '@fairway/contract'
import { type Config, type Log, openGeo } from '@fairway/platform'
import { operatorApi } from '../api-client.ts'
import { DnsClient } from '../dns-client.ts'
import { CdnSampler } from './cdn-sampler.ts'
import { gatherCrowd } from './crowd.ts'
import { visitorNetworks } from './visitor-networks.ts'
import { type Stranger, Strangers } from './strangers.ts'
import { type VisitCounts, type World, ask, visit } from './visit.ts'
import { watchFilm } from './watch-film.ts'
import { lookAround, sandboxLook } from './world.ts'

/** Of all visitors; the others visit the demo owner's own site. */
const SANDBOX_SHARE = 0.25
/** Attackers and crawlers, at each site with a domain that is guarded. */
const STRANGERS_PER_SECOND = 0.6
const ATTACKERS_PER_SECOND = 50
/** Of one site's films. */
const VIEWS_PER_SECOND = 0.1
const TICK_MS = 50
const LOOK_EVERY_MS = 10_000
const ATTACK_LOOK_MS = 2_000

export type Simulator = AsyncDisposable & { counts(): VisitCounts; problem(): string | null }

/** Lets visitors from thirty countries use the demo for as long as it lives. */
export async function startSimulator({ config, log }: { config: Config; log: Log }): Promise<Simulator> {
  const random = Math.random
  const crowd = gatherCrowd(await visitorNetworks(config.home, () => openGeo(config)), random)
  const counts: VisitCounts = { queries: 0, queriesFailed: 0, pages: 0, pagesFailed: 0, beacons: 0, beaconsRefused: 0 }
  const dns = new DnsClient(config.dnsListen)
  const sampler = new CdnSampler()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const api = operatorApi(config)
  const sandbox = sandboxLook(config)
  let world: World | null = null
  let open: World | null = null
  let problem: string | null = 'nothing to visit yet'
  const strangers = new Strangers(crowd, random)
  const leaving = new AbortController()
  let attack: { kind: AttackKind; until: number } | null = null

  const look = async () => {
    try {
      const seen = await lookAround(api, config)
      if (!seen) return
      world = seen.world
      problem = null
      open = (await sandbox())?.world ?? open
      sampler.watch(seen.targets)
    } catch (error) {
      // Visitors go on with what they know: an API that is away is nothing they would notice.
      problem = world ? null : error instanceof Error ? error.message : String(error)
      log.debug({ event: 'visitors.api-away', err: error })
    }
  }
  await look()
  const looking = setInterval(() => void look(), LOOK_EVERY_MS)
  // An API that is away ends no attack: its time does.
  const watching = setInterval(
    () =>
      void api(simulatedCdns.routes.attack, {}).then(
        (told) => void (attack = told.attack && { ...told.attack, until: Date.parse(told.attack.until) }),
        () => null,
      ),
    ATTACK_LOOK_MS,
  )
  const visiting = setInterval(() => {
    const now = Date.now()
    const expected = (config.visitorsPerSecond * crowd.activity(now) * TICK_MS) / 1000
    for (let due = poisson(expected, random); due > 0; due--) {
      const visited = open && random() < SANDBOX_SHARE ? open : world
      if (visited) void visit(visited, crowd.pick(now), { dns, sampler, agent, random, counts })
    }
    const come = (to: World | null, perSecond: number, who: () => Stranger) => {
      const name = to?.guarded[0]
      if (!to || name === undefined) return
      for (let due = poisson((perSecond * TICK_MS) / 1000, random); due > 0; due--) {
        const { person, asks } = who()
        void ask({ name, edgePort: to.edgePort }, person, asks, { dns, sampler, agent, random, counts })
      }
    }
    for (const to of [world, open]) {
      for (let due = to ? poisson((VIEWS_PER_SECOND * TICK_MS) / 1000, random) : 0; due > 0; due--) {
        const film = to?.films[Math.floor(random() * to.films.length)]
        // A viewer whose film breaks off is gone, as people are.
        if (film)
          watchFilm(film, crowd.pick(now), config.edgeHttp, { agent, random, signal: leaving.signal }).catch(() => {})
      }
    }
    for (const to of [world, open]) come(to, STRANGERS_PER_SECOND, () => strangers.pick(now))
    const { kind, until } = attack ?? { kind: null, until: 0 }
    if (kind && now < until) come(world, ATTACKERS_PER_SECOND, () => strangers.attacker(kind))
  }, TICK_MS)

  return {
    counts: () => ({ ...counts }),
    problem: () => problem,
    async [Symbol.asyncDispose]() {
      leaving.abort()
      clearInterval(looking)
      clearInterval(watching)
      clearInterval(visiting)
      sampler[Symbol.dispose]()
      agent.destroy()
      dns[Symbol.dispose]()
    },
  }
}

/** How many come in a moment when so many are expected (Knuth); for small numbers. */
function poisson(expected: number, random: () => number): number {
  const limit = Math.exp(-expected)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}
