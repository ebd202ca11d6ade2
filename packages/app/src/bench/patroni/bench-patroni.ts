import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInstallation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { killZone, loadOf } from '../kill/drill.ts'
import type { Load } from '../kill/load.ts'
import { registerOperator } from '../operator.ts'
import { type PatroniCluster, startPatroni } from './patroni-cluster.ts'
import { startPoolerBefore } from './pooler.ts'

const KILLS = 20
/** Of so many ends with every server named, one more with a pooler before them. */
const POOLED_ONE_IN = 4
const BEFORE_MS = 2_000
const LOOK_MS = 10
const WRITES_AGAIN_MS = 120_000
const ROLE = { user: 'fairway', password: 'ordinary' }
const DATABASE = 'fairway'

/**
 * An installation on three servers under Patroni, whose leader is killed again and again while records are written,
 * names asked and objects fetched; then the same behind PgBouncer. What counts is what was acknowledged and is not
 * there, what got no answer, and how long nothing could be written.
 */
export async function benchPatroni(say: (line: string) => void, kills = KILLS): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-patroni-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const cluster = stack.use(await startPatroni(folder))
  const administrator = await cluster.atLeader('postgres')
  await administrator.query(`CREATE ROLE ${ROLE.user} LOGIN CREATEROLE PASSWORD '${ROLE.password}'`)
  for (const database of [DATABASE, `${DATABASE}_pooled`])
    await administrator.query(`CREATE DATABASE ${database} OWNER ${ROLE.user}`)
  await administrator.end()
  const urlOf = (hosts: string, database: string) => `postgres://${ROLE.user}:${ROLE.password}@${hosts}/${database}`
  const directly = (database: string) => `${urlOf(cluster.hosts, database)}?target_session_attrs=read-write`
  await killLeaders(say, cluster, 'every server named', kills, { FAIRWAY_DATABASE_URL: directly(DATABASE) })
  const pooler = stack.use(await startPoolerBefore(cluster, folder, ROLE))
  await killLeaders(say, cluster, 'behind PgBouncer', Math.ceil(kills / POOLED_ONE_IN), {
    FAIRWAY_DATABASE_URL: urlOf(pooler.host, `${DATABASE}_pooled`),
    FAIRWAY_DATABASE_DIRECT_URL: directly(`${DATABASE}_pooled`),
  })
}

async function killLeaders(
  say: (line: string) => void,
  cluster: PatroniCluster,
  way: string,
  kills: number,
  settings: Record<string, string>,
): Promise<void> {
  await using installation = await startInstallation({ command: 'up', settings })
  await registerOperator(installation)
  const load = loadOf(installation, await killZone(installation))
  const [led, back, gap]: [number[], number[], number[]] = [[], [], []]
  for (let at = 1; at <= kills; at++) {
    await sleep(BEFORE_MS)
    const killedAt = performance.now()
    const name = await cluster.killLeader()
    const leaderAt = await cluster.successorOf(name)
    const firstAt = await writtenAgain(load)
    led.push(leaderAt - killedAt)
    back.push(firstAt - leaderAt)
    gap.push(firstAt - killedAt)
    const { dns, edge } = load.met
    say(
      `${way}, ${at}: ${name} killed, another leads after ${Math.round(leaderAt - killedAt)} ms, written ${Math.round(firstAt - leaderAt)} ms later; lost so far: ${dns.lost.length} answers, ${edge.lost.length} requests`,
    )
    await cluster.restart(name)
  }
  const missing = await load.stop()
  const { dns, edge, writes } = load.met
  const row = (what: string, values: number[]) => [what, ...[0.5, 1].map((share) => quantile(values, share).toFixed(0))]
  say('')
  say(
    table([
      [`ms, ${way}`, 'p50', 'max'],
      row('another leads', led),
      row('written after that', back),
      row('nothing written', gap),
    ]),
  )
  say(`${dns.asked} questions, ${dns.askedTwice} asked twice, ${dns.lost.length} lost, slowest ${dns.slowestMs} ms`)
  say(`${edge.asked} requests to the edge, ${edge.lost.length} lost or cut, slowest ${edge.slowestMs} ms`)
  say(
    `${writes.acknowledged} writes acknowledged, ${writes.doubtful} refused or without a word, ${missing.length} lost`,
  )
  for (const line of [...dns.lost, ...edge.lost, ...missing].slice(0, 40)) say(line)
}

/** When the next write was acknowledged, performance.now(). */
async function writtenAgain(load: Load): Promise<number> {
  const before = load.met.writes.acknowledged
  for (const giveUpAt = performance.now() + WRITES_AGAIN_MS; load.met.writes.acknowledged === before;) {
    if (performance.now() > giveUpAt) throw new Error('nothing was written any more')
    await sleep(LOOK_MS)
  }
  return performance.now()
}
