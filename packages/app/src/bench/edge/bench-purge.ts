import http from 'node:http'
import { quantile } from '../figures.ts'
import { memoryBytes } from '../process-cpu.ts'
import { startEdgeWorld } from './edge-world.ts'
import { tagPurges } from './fairway.ts'
import { HOSTS, answerOf } from './proxy-under-test.ts'
import { wrk } from './wrk.ts'

const OBJECTS = 1_000_000
const GROUP = 1_000
const PURGES = 200
const FILL_SECONDS = 20

/**
 * One domain with a million cached objects; a thousand share a tag. From the publication of a purge by tag to the first
 * request for one of them that misses.
 */
export async function benchPurge(say: (line: string) => void): Promise<void> {
  await using world = await startEdgeWorld([])
  const { ours, feed, folder } = world
  const [host = ''] = HOSTS
  const began = performance.now()
  let stored = 0
  let lost = 0
  // wrk ends by time, so each run goes on where the one before has certainly not been yet; a gap of pages costs
  // nothing.
  while (stored < OBJECTS) {
    const { requests, failed } = await wrk({
      folder,
      port: ours.port,
      path: `"/tagged/" .. math.floor((${stored} + n) / ${GROUP}) .. "/" .. (${stored} + n)`,
      seconds: FILL_SECONDS,
      hosts: [host],
      connections: 64,
    })
    lost += failed
    stored += requests
    say(
      `${stored} objects after ${((performance.now() - began) / 1000).toFixed(0)} s${lost > 0 ? `, ${lost} requests without an answer` : ''}`,
    )
  }
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (index: number) => answerOf(ours.port, host, `/tagged/${Math.floor(index / GROUP)}/${index}`, agent)
  const marks = new Map<string, number>()
  const delays: number[] = []
  let wrong = 0
  for (let i = 0; i < PURGES; i++) {
    const group = (i * 37) % Math.floor(stored / GROUP)
    const [purged, beside] = [group * GROUP + 5, (group + 1) * GROUP + 7]
    // Those whose request was lost while the cache was filled are fetched now.
    for (const index of [purged, purged + 1, beside]) await ask(index)
    if ((await ask(purged)).cache !== 'HIT' || (await ask(beside)).cache !== 'HIT') wrong += 1
    const at = performance.now()
    marks.set(`group-${group}`, Date.now())
    feed.publish([tagPurges(marks, i + 2)])
    while ((await ask(purged)).cache === 'HIT');
    delays.push(performance.now() - at)
    if ((await ask(beside)).cache !== 'HIT' || (await ask(purged + 1)).cache === 'HIT') wrong += 1
  }
  agent.destroy()
  say(
    `\n${PURGES} purges by tag of ${GROUP} objects each among ${stored}, from publication to the first request that misses: p50 ${quantile(delays, 0.5).toFixed(1)} ms, p99 ${quantile(delays, 0.99).toFixed(1)} ms, slowest ${Math.max(...delays).toFixed(1)} ms`,
  )
  say(
    `objects that were not what they should be, before or after: ${wrong}; memory (PSS) of nginx ${(memoryBytes(ours.proxyPid) / 1e6).toFixed(0)} MB`,
  )
}
