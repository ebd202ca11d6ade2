import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, loadConfig, makeLog, migrate, openDatabase } from '@fairway/platform'
import { quantile, table } from '../figures.ts'
import { startPatroni } from './patroni-cluster.ts'

const KILLS = 20
const WRITERS = 4
const WRITES_EACH_MS = 20
const BEFORE_MS = 2_000
const ROLE = { user: 'fairway', password: 'ordinary' }

/**
 * Three servers under Patroni; the leader is killed again and again while an ordinary role writes. What counts is what
 * was acknowledged and is not there, and how long nothing could be written.
 */
export async function benchPatroni(say: (line: string) => void, kills = KILLS): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-patroni-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const cluster = stack.use(await startPatroni(folder))
  const administrator = await cluster.atLeader('postgres')
  await administrator.query(`CREATE ROLE ${ROLE.user} LOGIN CREATEROLE PASSWORD '${ROLE.password}'`)
  await administrator.query(`CREATE DATABASE fairway OWNER ${ROLE.user}`)
  await administrator.end()
  const config = loadConfig({
    FAIRWAY_HOME: folder,
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_DATABASE_URL: `postgres://${ROLE.user}:${ROLE.password}@${cluster.hosts}/fairway?target_session_attrs=read-write`,
  })
  const log = makeLog('bench', config)
  await migrate(config, log)
  const owner = await cluster.atLeader('fairway')
  await owner.query(
    'CREATE TABLE bench_write (n bigint PRIMARY KEY); GRANT SELECT, INSERT ON bench_write TO fairway_system',
  )
  await owner.end()
  const database = stack.use(openDatabase(config, log, { connections: WRITERS, patienceMs: 5_000 }))
  const writes = startWrites(database)
  const [led, back, gap]: number[][] = [[], [], []]
  for (let at = 1; at <= kills; at++) {
    await sleep(BEFORE_MS)
    const killedAt = performance.now()
    const name = await cluster.killLeader()
    const leaderAt = await cluster.successorOf(name)
    const firstAt = await writes.acknowledgedAfter(leaderAt)
    led?.push(leaderAt - killedAt)
    back?.push(Math.max(0, firstAt - leaderAt))
    gap?.push(firstAt - killedAt)
    say(
      `${at}: ${name} killed, another leads after ${Math.round(leaderAt - killedAt)} ms, written ${Math.round(firstAt - leaderAt)} ms later`,
    )
    await cluster.restart(name)
  }
  const { acknowledged, refused } = await writes.stop()
  const rows = await database.system((tx) => tx.query<{ n: number }>('SELECT n FROM bench_write'))
  const there = new Set(rows.map(({ n }) => n))
  const lost = [...acknowledged].filter((n) => !there.has(n))
  const row = (what: string, values: number[] = []) => [
    what,
    ...[0.5, 1].map((share) => quantile(values, share).toFixed(0)),
  ]
  say('')
  say(
    table([
      ['ms', 'p50', 'max'],
      row('another leads', led),
      row('written after that', back),
      row('nothing written', gap),
    ]),
  )
  say(
    `${acknowledged.size} writes acknowledged, ${lost.length} of them lost; ${refused} refused or without a word, of which ${rows.length - acknowledged.size} are there`,
  )
}

/** Several writers, each with the next number as soon as the one before was answered. */
function startWrites(database: Database) {
  const acknowledged = new Set<number>()
  const waiting = new Set<(at: number) => void>()
  const stop = new AbortController()
  let [next, refused] = [0, 0]
  const write = async () => {
    while (!stop.signal.aborted) {
      const n = next++
      try {
        await database.system((tx) => tx.query('INSERT INTO bench_write VALUES ($1)', [n]))
        acknowledged.add(n)
        for (const tell of waiting) tell(performance.now())
      } catch {
        refused++
      }
      await sleep(WRITES_EACH_MS)
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  return {
    /** When the first write was acknowledged that came after that moment. */
    acknowledgedAfter: (moment: number): Promise<number> =>
      new Promise((resolve) => {
        const tell = (at: number) => {
          if (at < moment) return
          waiting.delete(tell)
          resolve(at)
        }
        waiting.add(tell)
      }),
    async stop() {
      stop.abort()
      await Promise.all(writers)
      return { acknowledged, refused }
    },
  }
}
