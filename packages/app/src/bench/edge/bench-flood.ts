import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Publication } from '@fairway/contract'
import { CRS_DEFAULTS } from '@fairway/domain'
import { controlRequest, loadConfig, runDir } from '@fairway/platform'
import { quantile } from '../figures.ts'
import { memoryBytes, preciseCpuSeconds } from '../process-cpu.ts'
import { startEdgeWorld } from './edge-world.ts'
import { HOSTS } from './proxy-under-test.ts'
import { securityOf } from './security-of.ts'
import { wrk } from './wrk.ts'

const ADDRESSES = 1_000
/** Each address may so many times; then it is kept out for longer than the flood lasts. */
const LIMIT = { requests: 20, seconds: 60, blockSeconds: 600 }
const SECONDS = 20
/** In so many seconds, what may pass has passed. */
const FIRST_SECONDS = 5
const HOST = HOSTS[0] ?? ''
/** Who says nothing of itself is asked by bot management whether it is a person, and never comes as far as the limit. */
const AGENT = 'fairway-bench/1'

/**
 * A flood from a thousand addresses against a rate limit, as fast as one core sends it: what other visitors feel, whether
 * the counters are right, and what memory it takes, also when every request comes from another address.
 */
export async function benchFlood(say: (line: string) => void): Promise<void> {
  await using world = await startEdgeWorld([], 'http', { FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' })
  const { ours, feed, folder } = world
  feed.publish([limited()])
  await feed.confirmed('site-0', 1)
  const config = loadConfig({ FAIRWAY_HOME: path.join(folder, 'fairway', 'home') })
  const counters = async () => {
    const state = await controlRequest(
      `unix:${path.join(runDir(config), 'edge-admin.sock')}`,
      'GET',
      '/state',
      undefined,
      10_000,
    )
    const counted = (state as { counters: Record<string, string> }).counters
    return { stopped: Number(counted['security_rate-limit'] ?? 0), held: Number(counted['refusals_held'] ?? 0) }
  }
  const memory = () => memoryBytes(ours.proxyPid) / 1e6
  const neighbour = startNeighbour(ours.port)
  await sleep(SECONDS * 500)
  const before = neighbour.take()
  const flood = (from: string, connections: number) =>
    wrk({
      folder,
      port: ours.port,
      path: '"/flood"',
      seconds: SECONDS,
      hosts: [HOST],
      connections,
      headers: { 'X-Forwarded-For': from, 'User-Agent': `"${AGENT}"` },
    })
  say(`memory (PSS) of nginx ${memory().toFixed(0)} MB; another visitor, a cached page: ${times(before)}`)
  // Refusals wait in as many connections as there is room for: the second flood has more.
  for (const [nth, connections] of [64, 4_000].entries()) {
    const at = { ...(await counters()), cpu: preciseCpuSeconds(ours.proxyPid) }
    const running = flood(`"10.${nth}" .. math.floor(n % ${ADDRESSES} / 250) .. ".7." .. (n % 250)`, connections)
    // What may pass comes first, as fast as it is answered; from then on all is refused.
    await sleep(FIRST_SECONDS * 1_000)
    const first = neighbour.take()
    const run = await running
    const during = neighbour.take()
    const cpu = preciseCpuSeconds(ours.proxyPid) - at.cpu
    // What still waits at the end of the run is counted here and has no answer there.
    await sleep(2_000)
    const after = await counters()
    const counted = after.stopped - at.stopped
    const passed = run.requests - run.refused
    say(
      `${connections} connections: ${run.requests} requests in ${SECONDS} s (${Math.round(run.requests / SECONDS)}/s) from ${ADDRESSES} addresses against ${LIMIT.requests} in ${LIMIT.seconds} s each; ${((1e6 * cpu) / run.requests).toFixed(1)} µs of nginx for each`,
    )
    say(
      `let pass ${passed} of ${ADDRESSES * LIMIT.requests} that may (${off(passed, ADDRESSES * LIMIT.requests)}); refused ${run.refused}, counted ${counted} (${off(counted, run.refused)}); without an answer ${run.failed - run.refused}; ${after.held - at.held} were held back`,
    )
    say(
      `another visitor: ${times(first)} in the first ${FIRST_SECONDS} s, then ${times(during)} (${(quantile(during, 0.99) / quantile(before, 0.99)).toFixed(1)}x); memory ${memory().toFixed(0)} MB`,
    )
  }
  const many = await flood(
    '"10." .. math.floor(n / 65536) % 256 .. "." .. math.floor(n / 256) % 256 .. "." .. n % 256',
    64,
  )
  say(
    `${many.requests} requests, each from another address: memory ${memory().toFixed(0)} MB, another visitor's p99 ${ms(neighbour.take(), 0.99)}`,
  )
  await neighbour.end()
}

const off = (found: number, expected: number) => `${(100 * (found / expected - 1)).toFixed(2)} %`
const ms = (values: readonly number[], share: number) => `${quantile(values, share).toFixed(1)} ms`
const times = (values: readonly number[]) => `p50 ${ms(values, 0.5)}, p99 ${ms(values, 0.99)}`

/** Somebody else who looks at the same domain all the time, twenty times a second at most. */
function startNeighbour(port: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  let times: number[] = []
  const over = new AbortController()
  const ask = () =>
    new Promise<void>((resolve, reject) =>
      http
        .get(
          {
            host: '127.0.0.1',
            port,
            path: '/page',
            headers: { host: HOST, 'x-forwarded-for': '203.0.113.9', 'user-agent': AGENT },
            agent,
          },
          (response) => void response.resume().on('end', resolve).on('error', reject),
        )
        .on('error', reject),
    )
  const work = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now()
      await ask()
      times.push(performance.now() - began)
      await sleep(50)
    }
  })()
  return {
    /** What it took since this was asked last. */
    take() {
      const taken = times
      times = []
      return taken
    },
    async end() {
      over.abort()
      await work
      agent.destroy()
    },
  }
}

const limited = (): Publication =>
  securityOf({
    firewall: [
      {
        id: 'flood',
        name: 'Flood',
        expression: {
          field: 'path',
          operator: 'starts-with',
          name: '',
          negate: false,
          ignoreCase: false,
          values: ['/flood'],
        },
        action: { type: 'rate-limit', limit: { ...LIMIT, keys: [{ by: 'address' }] } },
      },
    ],
    crs: { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] },
  })
