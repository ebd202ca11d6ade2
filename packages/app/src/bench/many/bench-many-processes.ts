import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@fairway/analytics'
import { FEATURES } from '@fairway/contract'
import { type Database, makeLog, nodeToken, openDatabase, urlOf } from '@fairway/platform'
import { ApiError, apiClient } from '../../api-client.ts'
import type { Installation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { operatorToken, registerOperator } from '../operator.ts'
import { deliveredBy, startTwoMachines } from './two-machines.ts'

const KILLS = 200
const VICTIMS = ['api', 'worker', 'collector'] as const
const READY_MS = 180_000
const SETTLED_MS = 120_000
const BETWEEN_MS = 500
/** Of no console: its key is what the collectors are told here. */
const ORGANIZATION = randomUUID()
const KEY = 'many-processes'

/**
 * Two APIs, two workers and two collectors on one database and one event store, ended one after the other in random
 * order while somebody works in a session, letters go out and beacons come. What counts is what was lost, done twice or
 * counted twice, and how old scores became.
 */
export async function benchManyProcesses(say: (line: string) => void, kills = KILLS): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const both = await startTwoMachines(stack)
  const [first] = both
  await registerOperator(first)
  const token = await operatorToken(first)
  const database = stack.use(openDatabase(first.config, makeLog('bench', first.config), { connections: 3 }))
  const stop = new AbortController()
  await Promise.all(both.map((one) => registerKey(one)))
  const session = work(both, token, stop.signal)
  const beacons = sendBeacons(both, stop.signal)
  const scores = watchScores(database, stop.signal)
  const took = new Map<string, number[]>()
  for (let at = 1; at <= kills; at++) {
    const role = VICTIMS[randomInt(VICTIMS.length)] ?? 'api'
    const machine = randomInt(2)
    const installation = both[machine] ?? first
    const killedAt = performance.now()
    installation.kill(role)
    await sleep(BETWEEN_MS)
    await untilReady(installation, role)
    const ms = Math.round(performance.now() - killedAt)
    took.set(role, [...(took.get(role) ?? []), ms])
    say(
      `${at}: ${role} of machine ${machine + 1}, ready after ${ms} ms; ${session.calls} calls, ${session.ended} sessions ended, ${beacons.taken.size} beacons, scores ${Math.round(scores.oldestMs)} ms old at most`,
    )
  }
  stop.abort()
  await Promise.all([session.done, beacons.done, scores.done])
  const letters = await deliveries(both, session.invited)
  const counted = await countBeacons(first, beacons)
  say('')
  say(
    table([
      ['ended', 'times', 'ready again ms p50', 'max'],
      ...[...took].map(([name, ms]) => [name, `${ms.length}`, `${quantile(ms, 0.5)}`, `${quantile(ms, 1)}`]),
    ]),
  )
  say(
    `${session.calls} calls in one session at either API, ${session.ended} times it had ended, ${session.failed} calls answered by neither`,
  )
  say(
    `${session.invited.length} letters ordered, ${letters.missing.length} not delivered, ${letters.twice.length} delivered twice`,
  )
  say(`${beacons.taken.size} beacons taken, ${counted.lost} lost, ${counted.twice} counted twice`)
  say(`scores ${Math.round(scores.oldestMs)} ms old at most`)
  for (const line of [...letters.missing, ...letters.twice]) say(line)
}

async function untilReady(installation: Installation, role: string): Promise<void> {
  for (const giveUpAt = performance.now() + READY_MS; ; await sleep(50)) {
    const answer = await installation.control(role, 'GET', '/readyz').catch(() => null)
    if (answer !== null && (answer as { ready: boolean }).ready) return
    if (performance.now() > giveUpAt) throw new Error(`${role} was not ready in time`)
  }
}

async function registerKey({ config }: Installation): Promise<void> {
  const response = await fetch(`${urlOf(config.collectorListen)}/pulse/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${nodeToken(config)}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      organizationId: ORGANIZATION,
      keys: [{ key: KEY, until: null }],
      settings: {
        startDelaySeconds: 2,
        repeatDelaySeconds: 10,
        batchNumber: 1,
        targets: [{ c: 'cdn', u: 'http://cdn.example/' }],
      },
    }),
  })
  if (!response.ok) throw new Error(`a collector did not take the key: ${response.status}`)
}

/** One session that asks either API in turn, and the other one when there is no answer; now and then it orders a letter. */
function work(both: readonly Installation[], token: string, signal: AbortSignal) {
  const state = { calls: 0, ended: 0, failed: 0, invited: [] as string[], done: Promise.resolve() }
  const clients = both.map(({ url }) => apiClient(url, token))
  const { sites, teammates } = FEATURES
  const ask = async (at: number) => {
    for (let tries = 0; tries < clients.length; tries++)
      try {
        await clients[(at + tries) % clients.length]?.(sites.routes.list, {})
        state.calls++
        return
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) state.ended++
      }
    state.failed++
  }
  const order = async (at: number) => {
    const email = `letter-${at}@example.com`
    const client = clients[at % clients.length]
    // One without a word may have been ordered: of those nothing is said.
    const isOrdered = await client?.(teammates.routes.invite, { email, roleIds: ['site-viewer'] }).then(
      () => true,
      () => false,
    )
    if (isOrdered) state.invited.push(email)
  }
  state.done = (async () => {
    for (let at = 0; !signal.aborted; at++) {
      await ask(at)
      if (at % 20 === 0) await order(at)
      await sleep(50)
    }
  })()
  return state
}

/** As pages behind a balancer: to either collector, again to the other when no word came, every fifth to both. */
function sendBeacons(both: readonly Installation[], signal: AbortSignal) {
  const state = { taken: new Set<number>(), doubtful: new Set<number>(), done: Promise.resolve() }
  const urls = both.map(({ config }) => urlOf(config.collectorListen))
  const post = async (at: number, n: number) => {
    const response = await fetch(`${urls[at % urls.length]}/b/`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-forwarded-for': `198.51.${n % 200}.7` },
      body: JSON.stringify({ v: 1, k: KEY, i: `page-view-${n}`, s: [{ c: 'cdn', r: (n % 59_000) + 1, ok: 1, m: n }] }),
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null)
    return response?.status === 204
  }
  let next = 0
  const send = async () => {
    while (!signal.aborted) {
      const n = ++next
      for (let at = n; !(await post(at, n)); at++) {
        if (signal.aborted) return void state.doubtful.add(n)
        await sleep(20)
      }
      state.taken.add(n)
      if (n % 5 === 0) await post(n + 1, n)
      await sleep(30)
    }
  }
  state.done = Promise.all([send(), send(), send()]).then(() => {})
  return state
}

/** How old the scores that nodes were given became. */
function watchScores(database: Database, signal: AbortSignal) {
  const state = { oldestMs: 0, done: Promise.resolve() }
  state.done = (async () => {
    for (; !signal.aborted; await sleep(100)) {
      const [row] = await database
        .system((tx) =>
          tx.query<{ built: number }>(
            `SELECT (body->>'builtAt')::float8 AS built FROM publication WHERE kind = 'scores' AND key = $1`,
            [ORGANIZATION],
          ),
        )
        .catch(() => [])
      if (row) state.oldestMs = Math.max(state.oldestMs, Date.now() - row.built)
    }
  })()
  return state
}

async function deliveries(both: readonly Installation[], invited: readonly string[]) {
  const count = () => {
    const times = new Map<string, number>()
    for (const to of both.flatMap(deliveredBy)) times.set(to, (times.get(to) ?? 0) + 1)
    return times
  }
  const missing = () => invited.filter((to) => !count().has(to))
  for (const giveUpAt = performance.now() + SETTLED_MS; missing().length > 0 && performance.now() < giveUpAt;)
    await sleep(500)
  return { missing: missing(), twice: [...count()].filter(([, times]) => times > 1).map(([to]) => to) }
}

async function countBeacons({ config }: Installation, { taken, doubtful }: ReturnType<typeof sendBeacons>) {
  await using store = openStore(config)
  const count = async () => {
    const rows = await store.query<{ n: number; times: number }>(
      'SELECT toUInt32(mbps) AS n, count() AS times FROM beacons WHERE organization = {o:String} GROUP BY n',
      { o: ORGANIZATION },
    )
    const times = new Map(rows.map((row) => [row.n, row.times]))
    return {
      lost: [...taken].filter((n) => !times.has(n)).length,
      twice: [...times].filter(([n, many]) => many > 1 || !(taken.has(n) || doubtful.has(n))).length,
    }
  }
  for (const giveUpAt = performance.now() + SETTLED_MS; (await count()).lost > 0 && performance.now() < giveUpAt;)
    await sleep(500)
  return count()
}
