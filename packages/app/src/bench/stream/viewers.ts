import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { controlText, runDir } from '@fairway/platform'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { COUNTRIES } from '../../simulator/countries.ts'
import type { Person } from '../../simulator/crowd.ts'
import { VISITORS_ADDRESS } from '../../simulator/visitors-address.ts'
import { type AskedOfEdge, type Film, watchFilm } from '../../simulator/watch-film.ts'
import { registerOperator } from '../operator.ts'
import { makeFilm, ready, upload } from './film.ts'
import { loadOfMachine } from './load-of-machine.ts'

const { streamAnalytics } = FEATURES
const VIEWERS = 500
const FEW = 10
const FILM_SECONDS = 40
/** All of an audience have come after this. */
const ARRIVAL_MS = 10_000
const GOAL_PERCENT = 99

/**
 * Viewers that ask for playlists and segments as players do, with CMCD, of a film that nobody has asked for before; a
 * tenth of them of one film, all of another that is the same. What reaches the origin is counted there.
 */
export async function benchViewers(say: (line: string) => void, viewers = VIEWERS): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-viewers-'))
  using _folder = { [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }) }
  await using world = await startInstallation({
    command: 'up',
    settings: { FAIRWAY_TRUSTED_PROXIES: VISITORS_ADDRESS },
  })
  await registerOperator(world)
  const { file } = await makeFilm(folder, { size: '640x360', fps: 25, seconds: FILM_SECONDS })
  for (const count of [Math.ceil(viewers / FEW), viewers]) {
    const asset = await ready(world, await upload(world, file))
    const { address } = await world.api(streamAnalytics.routes.tag, { source: asset.id })
    const film = { manifestUrl: asset.manifestUrl ?? '', address, seconds: FILM_SECONDS }
    const before = await answersOfOrigin(world)
    const seen = await watchTogether(world, film, { count, arrivalMs: ARRIVAL_MS })
    const origin = (await answersOfOrigin(world)) - before
    const segments = seen.filter(({ path: of }) => of.includes('.m4s'))
    const hits = segments.filter(({ outcome }) => outcome === 'HIT').length
    const failed = seen.filter(({ status }) => status !== 200).length
    say(
      `${count} viewers: ${segments.length} requests for segments, ${((100 * hits) / segments.length).toFixed(2)} % from the edge's cache (goal ${GOAL_PERCENT}); of ${seen.length} requests with those for playlists ${origin} came to the origin; ${failed} failed`,
    )
  }
  say(loadOfMachine())
}

/** So many viewers, who come one after the other. Resolves with all that they asked for when they have seen all of it. */
export async function watchTogether(
  { config }: Installation,
  film: Film,
  { count, arrivalMs }: { count: number; arrivalMs: number },
): Promise<AskedOfEdge[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: count })
  const seen: AskedOfEdge[] = []
  const context = {
    agent,
    // Nobody leaves early or has a bad line: each asks for all of it.
    random: () => 0.5,
    signal: new AbortController().signal,
    asked: (one: AskedOfEdge) => void seen.push(one),
  }
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep((index * arrivalMs) / count)
      await watchFilm(film, person(index), config.edgeHttp, context)
    }),
  )
  agent.destroy()
  return seen
}

function person(index: number): Person {
  const [country] = COUNTRIES
  if (!country) throw new Error('there is no country')
  const subnet = `80.147.${index >> 6}.0`
  return { country, address: subnet.replace(/0$/, `${1 + (index % 64)}`), subnet, network: subnet }
}

/** As the role that is the origin counts them. */
export async function answersOfOrigin({ config }: Installation): Promise<number> {
  const text = await controlText(`unix:${path.join(runDir(config), 'media.sock')}`, 'GET', '/metrics')
  const counts = text.matchAll(/^fairway_media_answers_total\{[^}]*\} (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
