import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { quantile } from '../figures.ts'
import { registerOperator } from '../operator.ts'
import { makeFilm, ready, upload } from './film.ts'
import { loadOfMachine } from './load-of-machine.ts'
import { type Played, playScript } from './page-scripts.ts'
import { RemotePage } from './remote-page.ts'

const { simulatedCdns, streamBalancers } = FEATURES
const TRIALS = 20
const FILM_SECONDS = 90
const SEGMENT_SECONDS = 4
/** Played before the CDN is killed, and after: longer than what players keep ready (8 s). */
const [BEFORE, AFTER] = [3, 20]
const GOAL_STALL_MS = 1_000
const WEIGHTS = [50, 30, 20]
const SESSIONS = 1_000
const GOAL_POINTS = 2

/**
 * Stock hls.js in Chromium plays a film that is steered between simulated CDNs; the one that it plays from dies. Then
 * where so many sessions are sent.
 */
export async function benchStreamFailover(say: (line: string) => void, trials = TRIALS): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-failover-'))
  using _folder = { [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }) }
  await using world = await startInstallation({ command: 'up' })
  await registerOperator(world)
  const film = await makeFilm(folder, { size: '320x180', fps: 25, seconds: FILM_SECONDS })
  const { manifestUrl } = await ready(world, await upload(world, film.file))
  if (manifestUrl === null) throw new Error('the film has no address')
  const cdns = (await world.api(simulatedCdns.routes.list, {})).data
  const [first, second] = cdns
  if (!first || !second) throw new Error('there are no two simulated CDNs')
  const ttl = await balanced(world, [
    [first.cdnId, 100],
    [second.cdnId, 1],
  ])
  // Every name below localhost is this machine to a browser; the simulated CDNs have addresses of their own.
  const rules = cdns.map(({ cdnId, address }) => `MAP *.${cdnId}.stream.localhost ${address}`)
  await using page = await RemotePage.open(`--host-resolver-rules=${rules.join(',')}`)
  const seen: Trial[] = []
  for (let number = 1; number <= trials; number++) {
    await bothUp(world)
    const one = await trial(world, page, manifestUrl, first.cdnId)
    seen.push(one)
    say(
      `trial ${number}: next segment from another CDN after ${one.movedMs.toFixed(0)} ms, picture stood for ${one.stalledMs.toFixed(0)} ms; told by hls.js: ${one.errors.join(', ') || 'nothing'}`,
    )
    await page.renew()
  }
  const goalMs = (ttl + SEGMENT_SECONDS) * 1000
  const good = seen.filter(({ movedMs, stalledMs }) => movedMs <= goalMs && stalledMs < GOAL_STALL_MS)
  const [moved, stalled] = [seen.map(({ movedMs }) => movedMs), seen.map(({ stalledMs }) => stalledMs)]
  say(
    `${trials} killed CDNs under stock hls.js: ${good.length} of ${trials} moved within a TTL of ${ttl} s and a segment of ${SEGMENT_SECONDS} s, with the picture standing for less than ${GOAL_STALL_MS} ms; moved p50 ${quantile(moved, 0.5).toFixed(0)} ms, slowest ${Math.max(...moved).toFixed(0)} ms; stood p50 ${quantile(stalled, 0.5).toFixed(0)} ms, longest ${Math.max(...stalled).toFixed(0)} ms`,
  )
  say(
    await shares(
      world,
      cdns.slice(0, WEIGHTS.length).map(({ cdnId }) => cdnId),
    ),
  )
  say(loadOfMachine())
}

/** Steers uploaded videos by weight, from when all is in place. Answers after how many seconds players ask again. */
async function balanced(world: Installation, weights: readonly (readonly [string, number])[]): Promise<number> {
  const entries = weights.map(([cdnId, weight]) => ({ cdnId, host: null, weight, enabled: true }))
  const { ttlSeconds } = await world.api(streamBalancers.routes.set, {
    source: 'assets',
    isOn: true,
    mode: 'weights',
    entries,
  })
  await bothUp(world)
  return ttlSeconds
}

async function bothUp(world: Installation): Promise<void> {
  for (;;) {
    const { entries } = await world.api(streamBalancers.routes.get, { source: 'assets' })
    if (entries.every(({ state, health }) => state === 'completed' && health === 'up')) return
    await sleep(200)
  }
}

/** Infinite when it did not move, or did not play on. */
type Trial = { movedMs: number; stalledMs: number; errors: string[] }

async function trial(world: Installation, page: RemotePage, master: string, cdn: string): Promise<Trial> {
  const played = () => page.evaluate<Played>('window.played()')
  const isFrom = ({ host }: Played['loaded'][number]) => host.includes(`.${cdn}.`)
  const until = async (seconds: number) => {
    for (const giveUpAt = Date.now() + 120_000; ; await sleep(100)) {
      const now = await played()
      if (now.seconds >= seconds || Date.now() > giveUpAt) return now
    }
  }
  await page.evaluate(playScript(master))
  const before = await until(BEFORE)
  if (before.seconds < BEFORE || !before.loaded.every(isFrom))
    throw new Error(`it did not play from ${cdn}: ${before.errors.join(', ')}`)
  const killedAt = Date.now()
  await world.api(simulatedCdns.routes.set, { cdn, fault: { mode: 'down' } })
  const after = await until(before.seconds + AFTER)
  await world.api(simulatedCdns.routes.set, { cdn, fault: { mode: 'up' } })
  const other = after.loaded.find((one) => one.at > killedAt && !isFrom(one))
  return {
    movedMs: other === undefined ? Number.POSITIVE_INFINITY : other.at - killedAt,
    stalledMs: after.seconds < before.seconds + AFTER ? Number.POSITIVE_INFINITY : after.stalledMs - before.stalledMs,
    errors: [...new Set(after.errors)],
  }
}

/** Sessions that nobody has seen before, asked of the collector as players do. */
async function shares(world: Installation, cdns: readonly string[]): Promise<string> {
  await balanced(
    world,
    cdns.map((cdnId, index) => [cdnId, WEIGHTS[index] ?? 1]),
  )
  const { serverUrl, entries } = await world.api(streamBalancers.routes.get, { source: 'assets' })
  if (serverUrl === null) throw new Error('nobody answers players')
  const counts = new Map<string, number>()
  for (let session = 0; session < SESSIONS; session++) {
    const answer = (await (await fetch(serverUrl)).json()) as { 'PATHWAY-PRIORITY': string[] }
    const [pathway = ''] = answer['PATHWAY-PRIORITY']
    counts.set(pathway, (counts.get(pathway) ?? 0) + 1)
  }
  const weight = entries.reduce((sum, entry) => sum + entry.weight, 0)
  const off = entries.map(({ pathway, weight: own }) =>
    Math.abs((100 * (counts.get(pathway) ?? 0)) / SESSIONS - (100 * own) / weight),
  )
  const said = entries.map(({ pathway, weight: own }) => `${pathway} ${counts.get(pathway) ?? 0} of weight ${own}`)
  return `${SESSIONS} sessions by weight: ${said.join(', ')}; furthest from its weight ${Math.max(...off).toFixed(2)} points (goal ${GOAL_POINTS})`
}
