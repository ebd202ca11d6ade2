import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Publication } from '@fairway/contract'
import { type EdgeWorld, startEdgeWorld } from '../edge/edge-world.ts'
import { securityOf } from '../edge/security-of.ts'
import { HOSTS, type ProxyUnderTest } from '../edge/proxy-under-test.ts'
import { table } from '../figures.ts'
import { attacks } from './attacks.ts'
import type { Sample } from './carriers.ts'
import { harmless } from './harmless.ts'
import { stockModSecurity } from './stock-modsecurity.ts'

const AT_ONCE = 8
const HOST = HOSTS[0] ?? ''

/** Web security of the first site's first domain, switched on and nothing else said. */
const defaults = (): Publication => securityOf({})

export type Tally = Map<string, { stopped: number; of: number; missed: Sample[] }>

/**
 * How many attacks our edge stops and how many harmless requests it touches as a domain begins, by category, beside
 * ModSecurity as its packages set it up with the same rule set.
 */
export async function benchWaf(say: (line: string) => void): Promise<void> {
  const [bad, good] = [attacks(), harmless()]
  await using world = await startWafWorld([stockModSecurity(1), stockModSecurity(2)])
  for (const missing of world.missing) say(`not installed: ${missing}`)
  say(`${bad.length} attacks and ${good.length} harmless requests, at default settings\n`)
  for (const [title, samples] of [
    ['attacks stopped', bad],
    ['harmless requests touched', good],
  ] as const) {
    const tallies: { name: string; tally: Tally }[] = []
    for (const { name, port } of world.proxies) tallies.push({ name, tally: await tallyOf(port, samples) })
    say(tableOf(title, tallies))
  }
}

/** Others, and our edge with a domain's web security as it begins, inspecting. */
export async function startWafWorld(peers: readonly ProxyUnderTest[]): Promise<EdgeWorld> {
  const world = await startEdgeWorld(peers)
  try {
    world.feed.publish([defaults()])
    await world.feed.confirmed('site-0', 1)
    await inspecting(world.ours.port)
    return world
  } catch (error) {
    await world[Symbol.asyncDispose]()
    throw error
  }
}

/** Sends all of them; `missed` are those for whom the title is not true of an attack, or true of a harmless one. */
export async function tallyOf(port: number, samples: readonly Sample[]): Promise<Tally> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const tally: Tally = new Map()
  const waiting = [...samples]
  const isHarmless = samples[0]?.category === 'searches'
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const status = await statusOf(port, one, agent)
      const row = tally.get(one.category) ?? { stopped: 0, of: 0, missed: [] }
      const stopped = status === 403 || status === 400 || status === 413
      row.of += 1
      if (stopped) row.stopped += 1
      if (stopped === isHarmless) row.missed.push(one)
      tally.set(one.category, row)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  agent.destroy()
  return tally
}

async function inspecting(port: number): Promise<void> {
  const [first] = attacks()
  if (!first) return
  for (let tries = 0; tries < 600; tries++, await sleep(100))
    if ((await statusOf(port, { ...first, target: `${first.target}&try=${tries}` }, false)) === 403) return
  throw new Error('the inspection does not run')
}

function statusOf(port: number, { method, target, headers, body }: Sample, agent: http.Agent | false): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': body.length } : {}
    const request = http.request(
      { host: '127.0.0.1', port, method, path: target, headers: { host: HOST, ...headers, ...length }, agent },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

export function totalOf(tally: Tally): { stopped: number; of: number } {
  let [stopped, of] = [0, 0]
  for (const row of tally.values()) [stopped, of] = [stopped + row.stopped, of + row.of]
  return { stopped, of }
}

const share = (stopped: number, of: number): string => `${((100 * stopped) / of).toFixed(1)} %`

function tableOf(title: string, tallies: { name: string; tally: Tally }[]): string {
  const categories = [...new Set(tallies.flatMap(({ tally }) => [...tally.keys()]))].toSorted()
  return table([
    [title, 'of', ...tallies.map(({ name }) => name)],
    ...categories.map((category) => [
      category,
      String(tallies[0]?.tally.get(category)?.of ?? 0),
      ...tallies.map(({ tally }) => {
        const row = tally.get(category)
        return row ? share(row.stopped, row.of) : '–'
      }),
    ]),
    [
      'all',
      String(tallies[0] ? totalOf(tallies[0].tally).of : 0),
      ...tallies.map(({ tally }) => {
        const all = totalOf(tally)
        return share(all.stopped, all.of)
      }),
    ],
  ])
}
