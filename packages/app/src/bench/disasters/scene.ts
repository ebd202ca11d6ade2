import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { FEATURES } from '@fairway/contract'
import { freePorts } from '@fairway/platform'
import { DnsClient, textOf } from '../../dns-client.ts'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { ZONE, killZone, loadOf } from '../kill/drill.ts'
import type { Met } from '../kill/load.ts'
import { registerOperator } from '../operator.ts'
import { openLine } from './bad-line.ts'
import { type Disaster, type Scene, clockOf } from './disasters.ts'

const HOST = '127.0.0.1'
const SERVED_MS = 300_000

/** An installation whose nodes reach the API along a line that may be cut, and whose clocks may be set. */
export async function startScene(
  stack: AsyncDisposableStack,
): Promise<{ scene: Scene; load: ReturnType<typeof loadOf> }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-clock-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'clock')
  const clock = clockOf(file)
  clock.set(0)
  const module = pathToFileURL(path.join(import.meta.dirname, 'jumping-clock.ts'))
  const [listen = 0, along = 0] = await freePorts(2, [HOST])
  const line = stack.use(await openLine({ host: HOST, port: along }, { host: HOST, port: listen }))
  const installation = stack.use(
    await startInstallation({
      command: 'up',
      nodeWords: [`--import=${module.href}?${encodeURIComponent(file)}`],
      settings: { FAIRWAY_LISTEN: `${HOST}:${listen}`, FAIRWAY_API_URL: `http://${HOST}:${along}` },
    }),
  )
  await registerOperator(installation)
  const site = await killZone(installation)
  const load = loadOf(installation, site)
  return { scene: { installation, site, line, clock, isFollowed: () => isServed(installation, site, 1000) }, load }
}

/** What was met in a disaster, and how long after its end a change of then was served. */
export async function endure(
  scene: Scene,
  load: ReturnType<typeof loadOf>,
  disaster: Disaster,
  seconds: number,
): Promise<{ met: Met; servedMs: number }> {
  const before = structuredClone(load.met)
  load.met.dns.slowestMs = 0
  load.met.edge.slowestMs = 0
  const end = await disaster.begin(scene)
  await delay(seconds * 1000)
  const wasThere = await disaster.isThere(scene)
  await end()
  if (!wasThere) throw new Error(`it did not take place: ${disaster.name}`)
  const endedAt = performance.now()
  if (!(await isServed(scene.installation, scene.site, SERVED_MS)))
    throw new Error(`a change after ${disaster.name} was not served`)
  const servedMs = Math.round(performance.now() - endedAt)
  const { dns, edge, writes } = load.met
  return {
    servedMs,
    met: {
      dns: {
        ...dns,
        asked: dns.asked - before.dns.asked,
        askedTwice: dns.askedTwice - before.dns.askedTwice,
        lost: dns.lost.slice(before.dns.lost.length),
      },
      edge: { ...edge, asked: edge.asked - before.edge.asked, lost: edge.lost.slice(before.edge.lost.length) },
      writes: {
        acknowledged: writes.acknowledged - before.writes.acknowledged,
        doubtful: writes.doubtful - before.writes.doubtful,
      },
    },
  }
}

/** A record is written, and asked for until the name server has it. Answers whether it was in time. */
async function isServed({ api, config }: Installation, site: string, withinMs: number): Promise<boolean> {
  const name = `asked-${Math.round(performance.now())}`
  const giveUpAt = performance.now() + withinMs
  const isLate = () => performance.now() > giveUpAt
  using dns = new DnsClient(config.dnsListen)
  for (let isTaken = false; !isTaken; await delay(isTaken ? 0 : 100)) {
    isTaken = await api(FEATURES.dnsRecords.routes.create, { site, type: 'TXT', name, value: 'there' }).then(
      () => true,
      () => false,
    )
    if (!isTaken && isLate()) return false
  }
  for (; !isLate(); await delay(20))
    if (textOf(await dns.ask({ name: `${name}.${ZONE}`, type: 'TXT' }, 1000)) === 'there') return true
  return false
}
