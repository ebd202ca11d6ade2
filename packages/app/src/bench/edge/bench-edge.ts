import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '../../installation/free-ports.ts'
import { median, quantile, table } from '../figures.ts'
import type { NodeFeed } from '../node-feed.ts'
import { memoryBytes, preciseCpuSeconds } from '../process-cpu.ts'
import { DOMAINS_PER_SITE, fairwayEdge, sites } from './fairway.ts'
import { origin, plainNginx, varnish } from './peers.ts'
import { HOSTS, type ProxyUnderTest, type RunningProxy, startProxy, statusOf } from './proxy-under-test.ts'
import { type Workload, wrk } from './wrk.ts'

const ROUNDS = 3
const SECONDS = 3
const DOMAINS = 5_000
const TOGGLES = 200
const WORKLOADS: Record<Workload, string> = { hit: 'hit, 1 KB', miss: 'miss, stored', pass: 'miss, not to be stored' }

type Say = (line: string) => void
/** `agentMicroseconds` is what a process beside the proxy uses for it. */
type Sample = { microseconds: number; agentMicroseconds: number; p99Ms: number; failed: number }

/** CPU per request of our edge beside plain nginx and Varnish, interleaved: every round visits every proxy, medians are compared. Then 5,000 domains, and toggles among them. */
export async function benchEdge(say: Say): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-bench-'))
  // As a home usually is, so that workers run under their own account.
  fs.chmodSync(folder, 0o711)
  const feeds: { of: NodeFeed | null } = { of: null }
  const running: RunningProxy[] = []
  const start = async (proxy: ProxyUnderTest, originPort: number) => {
    const [port] = await freePorts(1, ['127.0.0.1'])
    const started = await startProxy(proxy, { folder: path.join(folder, proxy.name.replaceAll(/\W+/g, '-').toLowerCase()), port: port ?? 0, originPort })
    running.push(started)
    return started
  }
  try {
    const website = await start(origin, 0)
    const proxies: RunningProxy[] = []
    for (const proxy of [plainNginx, varnish, fairwayEdge(feeds)]) {
      if (fs.existsSync(proxy.program)) proxies.push(await start(proxy, website.port))
      else say(`${proxy.name} is not installed (${proxy.program}) and is left out`)
    }
    await compare(folder, proxies, say)
    const [plain, ours] = [proxies[0], proxies.at(-1)]
    if (plain && ours && feeds.of) await pushAndToggle({ feed: feeds.of, plain, ours, originPort: website.port }, say)
  } finally {
    for (const one of running.toReversed()) await one[Symbol.asyncDispose]()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(folder: string, proxies: RunningProxy[], say: Say): Promise<void> {
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const workload of Object.keys(WORKLOADS) as Workload[]) {
      for (const proxy of proxies) {
        const id = `${workload} ${proxy.name}`
        samples.set(id, [...(samples.get(id) ?? []), await measure(folder, proxy, workload)])
      }
    }
  }
  const figure = (workload: Workload, name: string, of: (sample: Sample) => number) => median((samples.get(`${workload} ${name}`) ?? []).map(of))
  const plain = proxies[0]?.name ?? ''
  say(`\nPlain HTTP/1.1 over 16 connections, ${HOSTS.length} hosts; proxy on one core, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians; ours with request log, ${DOMAINS_PER_SITE}-domain sites, cache rules, compression and purges in force`)
  for (const [workload, title] of Object.entries(WORKLOADS) as [Workload, string][]) {
    const rows = proxies.map(({ name }) => {
      const cpu = figure(workload, name, (one) => one.microseconds)
      const agent = figure(workload, name, (one) => one.agentMicroseconds)
      return [name, cpu.toFixed(1), `${(cpu / figure(workload, plain, (one) => one.microseconds)).toFixed(2)}x`, `${(cpu / figure('hit', plain, (one) => one.microseconds)).toFixed(2)}x`, agent.toFixed(1), figure(workload, name, (one) => one.p99Ms).toFixed(2), String((samples.get(`${workload} ${name}`) ?? []).reduce((sum, one) => sum + one.failed, 0))]
    })
    say(`\n${table([[title, 'CPU µs/request', 'of plain nginx', 'of its hit', 'agent µs', 'p99 ms', 'failed'], ...rows])}`)
  }
}

async function measure(folder: string, proxy: RunningProxy, workload: Workload): Promise<Sample> {
  await wrk(folder, proxy.port, workload, 1)
  const [before, allBefore] = [preciseCpuSeconds(proxy.proxyPid), preciseCpuSeconds(proxy.pid)]
  const { requests, failed, p99Ms } = await wrk(folder, proxy.port, workload, SECONDS)
  const used = preciseCpuSeconds(proxy.proxyPid) - before
  return { microseconds: (used / requests) * 1e6, agentMicroseconds: ((preciseCpuSeconds(proxy.pid) - allBefore - used) / requests) * 1e6, p99Ms, failed }
}

type Pushed = { feed: NodeFeed; plain: RunningProxy; ours: RunningProxy; originPort: number }

async function pushAndToggle({ feed, plain, ours, originPort }: Pushed, say: Say): Promise<void> {
  const count = DOMAINS / DOMAINS_PER_SITE
  const last = `www.d${DOMAINS - 1}.bench.test`
  const began = performance.now()
  feed.publish(sites(0, count, originPort, 2))
  await feed.confirmed(`site-${count - 1}`, 2)
  const pushedMs = performance.now() - began
  const served = await statusOf(ours.port, last, '/probe')
  say(`\n${DOMAINS} domains of ${count} sites, one publication each, verified and on disk: ${(pushedMs / 1000).toFixed(2)} s; the last of them answers ${served}`)
  const delays: number[] = []
  using agent = disposable(new http.Agent({ keepAlive: true, maxSockets: 1 }))
  for (let i = 0; i < TOGGLES; i++) {
    const index = (i * 37) % count
    const host = `www.d${index * DOMAINS_PER_SITE}.bench.test`
    const toggled = performance.now()
    feed.publish(sites(index, 1, originPort, 3 + i, { alwaysHttps: i % 2 === 0 }))
    const wanted = i % 2 === 0 ? 301 : 200
    while ((await statusOf(ours.port, host, '/probe', agent.value)) !== wanted);
    delays.push(performance.now() - toggled)
    if (wanted === 301) feed.publish(sites(index, 1, originPort, 4 + i))
  }
  say(`${TOGGLES} toggles among them, from publication to the first request that obeys: p50 ${quantile(delays, 0.5).toFixed(1)} ms, p99 ${quantile(delays, 0.99).toFixed(1)} ms, slowest ${Math.max(...delays).toFixed(1)} ms`)
  const [mine, theirs] = [memoryBytes(ours.proxyPid), memoryBytes(plain.proxyPid)]
  say(`memory (PSS) of nginx with ${DOMAINS} domains: ${(mine / 1e6).toFixed(0)} MB; plain nginx ${(theirs / 1e6).toFixed(0)} MB; difference ${((mine - theirs) / 1e6).toFixed(0)} MB`)
}

function disposable(agent: http.Agent) {
  return { value: agent, [Symbol.dispose]: () => agent.destroy() }
}
