import http from 'node:http'
import type { HostPort } from '@fairway/platform'
import type { DnsClient } from '../dns-client.ts'
import type { CdnSampler } from './cdn-sampler.ts'
import type { Person } from './crowd.ts'
import { measured } from './measure.ts'
import { VISITORS_ADDRESS } from './visitors-address.ts'

export type World = {
  domains: readonly string[]
  cdnIds: readonly string[]
  beaconKey: string
  edgePort: number
  collector: HostPort
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

async function browse(
  { domains, edgePort }: World,
  person: Person,
  { dns, agent, random, counts }: VisitTools,
): Promise<void> {
  const name = domains[Math.floor(random() ** 1.6 * domains.length)]
  if (name === undefined) return
  const subnet = `${person.subnet}/24`
  const ask = (type: 'A' | 'AAAA') => (counts.queries++, dns.ask({ name, type, subnet }))
  // A third of the devices asks for IPv6 as well, at the same moment.
  const [reply] = await Promise.all([ask('A'), random() < 0.35 ? ask('AAAA') : null])
  const address = reply?.answers.find((answer) => answer.type === 'A')?.data
  if (reply?.rcode !== 'NOERROR' || typeof address !== 'string') return void counts.queriesFailed++
  counts.pages++
  const path = PATHS[Math.floor(random() * PATHS.length)] ?? '/'
  const status = await send(agent, {
    host: address,
    port: edgePort,
    path,
    headers: { host: name, 'x-forwarded-for': person.address },
  })
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

/** Status of the answer, or null when none came. */
function send(agent: http.Agent, options: http.RequestOptions, body?: string): Promise<number | null> {
  return new Promise((resolve) => {
    const request = http.request({ agent, timeout: 10_000, localAddress: VISITORS_ADDRESS, ...options }, (response) => {
      response
        .on('end', () => resolve(response.statusCode ?? null))
        .on('error', () => resolve(null))
        .resume()
    })
    request
      .on('timeout', () => request.destroy())
      .on('error', () => resolve(null))
      .end(body)
  })
}
