import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { median, table } from '../figures.ts'
import { killZone, loadOf } from '../kill/drill.ts'
import { anonymousBytes, descriptorsOf } from '../process-cpu.ts'
import { makeFilm, ready, upload } from '../stream/film.ts'
import { loadOfMachine } from '../stream/load-of-machine.ts'
import { slopePercent } from './slope.ts'

const { domains, purges, streamAssets } = FEATURES
const MINUTES = 60
/** Caches fill and code is compiled in the first part of it, which says nothing of what follows. */
const WARM_SHARE = 0.25
const READ_EVERY_MS = 15_000
const PURGE_EVERY_MS = 10_000
const FILM_EVERY_MS = 240_000
/** After all of it has ended: connections close, files of what was removed are taken away. */
const CALM_MS = 90_000
const GOAL_PERCENT = 1

type Reading = { hours: number; memory: number; descriptors: number }

/**
 * The demo world with its visitors, who ask DNS, send beacons, read pages and watch its live channel and film; beside
 * them 20 questions and 20 requests a second, records that are written, purges, and videos that come and go. What
 * counts is what grows: memory of each role that no file stands behind, open descriptors, files.
 */
export async function benchSoak(say: (line: string) => void, minutes = MINUTES): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-soak-'))
  using _folder = {
    [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  }
  await using installation = await startInstallation({ command: 'demo', folder })
  const site = await killZone(installation)
  const domainIds = (await installation.api(domains.routes.list, { site })).data.map(({ id }) => id)
  const load = loadOf(installation, site)
  const over = new AbortController()
  const counts = { purges: 0, videos: 0, failed: new Set<string>() }
  const { file } = await makeFilm(folder, { size: '320x180', fps: 10, seconds: 8, sound: true })
  const others = [
    repeatedly(PURGE_EVERY_MS, over.signal, counts.failed, async () => {
      await installation.api(purges.routes.create, { site, domainIds, kind: 'all' })
      counts.purges++
    }),
    repeatedly(FILM_EVERY_MS, over.signal, counts.failed, async () => {
      const { id } = await ready(installation, await upload(installation, file))
      await installation.api(streamAssets.routes.remove, { id })
      counts.videos++
    }),
  ]
  const began = performance.now()
  const found = temporary(folder, installation)
  const readings = new Map<string, Reading[]>()
  const end = began + minutes * 60_000
  for (let told = 0; performance.now() < end; await sleep(READ_EVERY_MS)) {
    const hours = (performance.now() - began) / 3_600_000
    for (const [role, reading] of readAll(installation))
      readings.set(role, [...(readings.get(role) ?? []), { hours, ...reading }])
    if (hours * 12 < told) continue
    told++
    const now = [...readings].map(([role, all]) => `${role} ${megabytes(all.at(-1)?.memory)}`)
    say(`${Math.round(hours * 60)} min: ${now.join(', ')} MB; ${loadOfMachine()}`)
  }
  over.abort()
  await Promise.all(others)
  const missing = await load.stop()
  await sleep(CALM_MS)
  const after = readAll(installation)
  say('')
  say(
    table([
      [
        'role',
        'MB warm',
        'MB at the end',
        `% an hour (goal ${GOAL_PERCENT})`,
        'descriptors warm',
        'at the end',
        'calm',
      ],
      ...[...readings].map(([role, all]) => {
        const warm = all.slice(Math.floor(all.length * WARM_SHARE))
        const part = Math.max(1, Math.floor(warm.length / 6))
        const first = warm.slice(0, part)
        const last = warm.slice(-part)
        return [
          role,
          megabytes(median(first.map(({ memory }) => memory))),
          megabytes(median(last.map(({ memory }) => memory))),
          slopePercent(warm.map(({ hours, memory }) => ({ hours, value: memory }))).toFixed(1),
          String(median(first.map(({ descriptors }) => descriptors))),
          String(median(last.map(({ descriptors }) => descriptors))),
          String(after.get(role)?.descriptors ?? 0),
        ]
      }),
    ]),
  )
  const left = temporary(folder, installation).filter((name) => !found.includes(name))
  const { dns, edge, writes } = load.met
  say(`${dns.asked} questions, ${dns.lost.length} lost; ${edge.asked} requests, ${edge.lost.length} lost`)
  say(`${writes.acknowledged} writes acknowledged, ${missing.length} lost; ${counts.purges} purges`)
  say(`${counts.videos} videos uploaded, encoded and removed; temporary files left: ${left.join(', ') || 'none'}`)
  for (const line of [...counts.failed, ...dns.lost, ...edge.lost, ...missing].slice(0, 40)) say(line)
}

async function repeatedly(
  everyMs: number,
  signal: AbortSignal,
  failed: Set<string>,
  once: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await once().catch((error: unknown) => failed.add(error instanceof Error ? error.message : String(error)))
    await sleep(everyMs, null, { signal }).catch(() => null)
  }
}

function readAll(installation: Installation): Map<string, Omit<Reading, 'hours'>> {
  return new Map(
    Object.entries(installation.roles()).flatMap(([name, { pid }]) =>
      pid === null ? [] : [[name, { memory: anonymousBytes(pid), descriptors: descriptorsOf(pid) }] as const],
    ),
  )
}

/** Names of what lies in the folder of temporary files, and in those of the home that are none of its stores. */
function temporary(folder: string, { config }: Installation): string[] {
  const here = fs.readdirSync(folder).filter((name) => path.join(folder, name) !== config.home)
  const own = ['run', 'tmp'].flatMap((name) => {
    const at = path.join(config.home, name)
    return fs.existsSync(at) ? fs.readdirSync(at, { recursive: true }).map((file) => `${name}/${String(file)}`) : []
  })
  return [...here, ...own]
}

const megabytes = (bytes = 0): string => (bytes / 1e6).toFixed(0)
