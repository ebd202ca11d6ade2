import http from 'node:http'
import { median, quantile, table } from '../figures.ts'
import { memoryBytes, preciseCpuSeconds } from '../process-cpu.ts'
import { type EdgeWorld, startEdgeWorld } from './edge-world.ts'
import { DOMAINS_PER_SITE, sites } from './fairway.ts'
import { plainNginx, varnish } from './peers.ts'
import { HOSTS, type RunningProxy, answerOf } from './proxy-under-test.ts'
import { securityCosts } from './security-costs.ts'
import { wrk } from './wrk.ts'

const ROUNDS = 3
const SECONDS = 3
const DOMAINS = 5_000
const TOGGLES = 200
/** Ten pages of each host again and again; every page once; pages that the origin forbids to keep. */
const WORKLOADS = {
  'hit, 1 KB': '"/page-" .. n % 10',
  'miss, stored': '"/miss/" .. run .. "-" .. n',
  'miss, not to be stored': '"/pass/" .. n',
}
type Workload = keyof typeof WORKLOADS
const HIT: Workload = 'hit, 1 KB'

type Say = (line: string) => void
/** `agentMicroseconds` is what a process beside the proxy uses for it. */
type Sample = { microseconds: number; agentMicroseconds: number; p99Ms: number; failed: number }

/**
 * CPU per request of our edge beside plain nginx and Varnish, interleaved: every round visits every proxy, medians are
 * compared. Then 5,000 domains, and toggles among them; the same comparison with the website behind TLS; last what web
 * security costs.
 */
export async function benchEdge(say: Say): Promise<void> {
  await overHttp(say)
  // Varnish speaks no TLS with origins.
  {
    await using world = await startEdgeWorld([plainNginx], 'https')
    await compare(world, say)
  }
  await securityCosts(say)
}

async function overHttp(say: Say): Promise<void> {
  await using world = await startEdgeWorld([plainNginx, varnish])
  for (const name of world.missing) say(`${name} is not installed and is left out`)
  await compare(world, say)
  await pushAndToggle(world, say)
}

async function compare({ folder, proxies, origin }: EdgeWorld, say: Say): Promise<void> {
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const workload of Object.keys(WORKLOADS) as Workload[]) {
      for (const proxy of proxies) {
        const id = `${workload} ${proxy.name}`
        samples.set(id, [...(samples.get(id) ?? []), await measure(folder, proxy, workload)])
      }
    }
  }
  const figure = (workload: Workload, name: string, of: (sample: Sample) => number) =>
    median((samples.get(`${workload} ${name}`) ?? []).map(of))
  const plain = proxies[0]?.name ?? ''
  say(
    `\nPlain HTTP/1.1 over 16 connections, ${HOSTS.length} hosts, origin over ${origin.protocol}; proxy on one core, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians; ours with request log, ${DOMAINS_PER_SITE}-domain sites, cache rules, compression and purges in force`,
  )
  for (const workload of Object.keys(WORKLOADS) as Workload[]) {
    const rows = proxies.map(({ name }) => {
      const cpu = figure(workload, name, (one) => one.microseconds)
      const agent = figure(workload, name, (one) => one.agentMicroseconds)
      return [
        name,
        cpu.toFixed(1),
        `${(cpu / figure(workload, plain, (one) => one.microseconds)).toFixed(2)}x`,
        `${(cpu / figure(HIT, plain, (one) => one.microseconds)).toFixed(2)}x`,
        agent.toFixed(1),
        figure(workload, name, (one) => one.p99Ms).toFixed(2),
        String((samples.get(`${workload} ${name}`) ?? []).reduce((sum, one) => sum + one.failed, 0)),
      ]
    })
    say(
      `\n${table([[workload, 'CPU µs/request', 'of plain nginx', 'of its hit', 'agent µs', 'p99 ms', 'failed'], ...rows])}`,
    )
  }
}

async function measure(folder: string, proxy: RunningProxy, workload: Workload): Promise<Sample> {
  await wrk({ folder, port: proxy.port, path: WORKLOADS[workload], seconds: 1 })
  const [before, allBefore] = [preciseCpuSeconds(proxy.proxyPid), preciseCpuSeconds(proxy.pid)]
  const { requests, failed, p99Ms } = await wrk({
    folder,
    port: proxy.port,
    path: WORKLOADS[workload],
    seconds: SECONDS,
  })
  const used = preciseCpuSeconds(proxy.proxyPid) - before
  return {
    microseconds: (used / requests) * 1e6,
    agentMicroseconds: ((preciseCpuSeconds(proxy.pid) - allBefore - used) / requests) * 1e6,
    p99Ms,
    failed,
  }
}

async function pushAndToggle({ feed, proxies: [plain], ours, origin }: EdgeWorld, say: Say): Promise<void> {
  const count = DOMAINS / DOMAINS_PER_SITE
  const began = performance.now()
  feed.publish(sites(0, count, origin, 2))
  await feed.confirmed(`site-${count - 1}`, 2)
  const pushedMs = performance.now() - began
  const last = await answerOf(ours.port, `www.d${DOMAINS - 1}.bench.test`, '/probe')
  say(
    `\n${DOMAINS} domains of ${count} sites, one publication each, verified and on disk: ${(pushedMs / 1000).toFixed(2)} s; the last of them answers ${last.status}`,
  )
  const delays: number[] = []
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; i < TOGGLES; i++) {
    const index = ((i % (TOGGLES / 2)) * 37) % count
    const inMaintenance = i < TOGGLES / 2
    const toggled = performance.now()
    feed.publish(sites(index, 1, origin, 3 + i, { inMaintenance }))
    while (
      ((await answerOf(ours.port, `www.d${index * DOMAINS_PER_SITE}.bench.test`, '/probe', agent)).status === 503) !==
      inMaintenance
    );
    delays.push(performance.now() - toggled)
  }
  agent.destroy()
  say(
    `${TOGGLES} toggles among them, from publication to the first request that obeys: p50 ${quantile(delays, 0.5).toFixed(1)} ms, p99 ${quantile(delays, 0.99).toFixed(1)} ms, slowest ${Math.max(...delays).toFixed(1)} ms`,
  )
  const [mine, theirs] = [memoryBytes(ours.proxyPid), plain ? memoryBytes(plain.proxyPid) : 0]
  say(
    `memory (PSS) of nginx with ${DOMAINS} domains: ${(mine / 1e6).toFixed(0)} MB; plain nginx ${(theirs / 1e6).toFixed(0)} MB; difference ${((mine - theirs) / 1e6).toFixed(0)} MB`,
  )
}
