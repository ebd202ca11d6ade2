import type http from 'node:http'
import type { HostPort } from '@fairway/platform'
import type { DnsClient } from '../dns-client.ts'
import { type Asked, send } from './asked.ts'
import { browserHeaders, memberAsks } from './browsers.ts'
import type { CdnSampler } from './cdn-sampler.ts'
import type { Person } from './crowd.ts'
import { measured } from './measure.ts'
import type { Film } from './watch-film.ts'

export type World = {
  domains: readonly string[]
  /** Those of them whose requests are looked at; strangers come there too. */
  guarded: readonly string[]
  cdnIds: readonly string[]
  beaconKey: string
  edgePort: number
  collector: HostPort
  films: readonly Film[]
}
export type VisitCounts = {
  queries: number
  queriesFailed: number
  pages: number
  pagesFailed: number
  beacons: number
  beaconsRefused: number
}
export type VisitTools = {
  dns: DnsClient
  sampler: CdnSampler
  agent: http.Agent
  random: () => number
  counts: VisitCounts
}

const PATHS = [
  '/',
  '/',
  '/world/',
  '/science/',
  '/culture/',
  '/stories/night-train/',
  '/stories/deep-ice/',
  '/style.css',
  '/img/1.svg',
  '/img/3.svg',
  '/v1/headlines',
]

/** One visit: asks the name server, fetches a page from the CDN it names, and reports how the CDNs were. */
export async function visit(world: World, person: Person, tools: VisitTools): Promise<void> {
  await Promise.all([browse(world, person, tools), report(world, person, tools)])
}

async function browse({ domains, guarded, edgePort }: World, person: Person, tools: VisitTools): Promise<void> {
  const { random } = tools
  const name = domains[Math.floor(random() ** 1.6 * domains.length)]
  if (name === undefined) return
  const asks: Asked = guarded.includes(name)
    ? memberAsks(random)
    : {
        method: 'GET',
        path: PATHS[Math.floor(random() * PATHS.length)] ?? '/',
        headers: browserHeaders(random),
      }
  await ask({ name, edgePort }, person, asks, tools)
}

/** Asks the name server where a name is, and a page there. */
export async function ask(
  { name, edgePort }: { name: string; edgePort: number },
  person: Person,
  { method, path, headers, body }: Asked,
  { dns, agent, random, counts }: VisitTools,
): Promise<void> {
  const subnet = `${person.subnet}/24`
  const question = (type: 'A' | 'AAAA') => (counts.queries++, dns.ask({ name, type, subnet }))
  // A third of the devices asks for IPv6 as well, at the same moment.
  const [reply] = await Promise.all([question('A'), random() < 0.35 ? question('AAAA') : null])
  const address = reply?.answers.find((answer) => answer.type === 'A')?.data
  if (reply?.rcode !== 'NOERROR' || typeof address !== 'string') return void counts.queriesFailed++
  counts.pages++
  const status = await send(
    agent,
    {
      host: address,
      port: edgePort,
      method,
      path,
      headers: { ...headers, host: name, 'x-forwarded-for': person.address },
    },
    body,
  )
  if (status === null || status >= 500) counts.pagesFailed++
}

async function report(
  { cdnIds, domains, beaconKey, collector }: World,
  person: Person,
  { sampler, agent, random, counts }: VisitTools,
): Promise<void> {
  const samples = cdnIds.flatMap((cdnId) => {
    const outcome = sampler.draw(cdnId, random)
    return outcome ? [measured(person, cdnId, outcome, random)] : []
  })
  if (!samples.length) return
  counts.beacons++
  const load = [2 + 2 * samples.length, 3_100 + 41_500 * samples.length, Math.round(10 + random() * 30) / 10]
  const body = JSON.stringify({ v: 1, k: beaconKey, p: load, s: samples })
  const status = await send(
    agent,
    {
      ...collector,
      method: 'POST',
      path: '/b/',
      headers: {
        'content-type': 'text/plain',
        'content-length': Buffer.byteLength(body),
        ...(domains[0] === undefined ? {} : { origin: `https://${domains[0]}` }),
        'x-forwarded-for': person.address,
      },
    },
    body,
  )
  if (status !== 204) counts.beaconsRefused++
}
