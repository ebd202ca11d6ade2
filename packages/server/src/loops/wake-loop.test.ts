import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig, makeLog, type Database } from '@fairway/platform'
import { until } from '../testing/until.ts'
import { startWakeLoop, type WakeLoop } from './wake-loop.ts'

const HOUR_MS = 3_600_000

/** A loop whose notifications come from the test and whose log is read by it. */
function startLoop(loop: Partial<WakeLoop> & Pick<WakeLoop, 'round'>) {
  const heard = new Set<() => void>()
  let errors = 0
  const database = {
    listen(_: string, wake: () => void) {
      heard.add(wake)
      return { [Symbol.asyncDispose]: async () => void heard.delete(wake) }
    },
  } as unknown as Database
  const log = Object.assign(makeLog('test', loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_LOG_LEVEL: 'error' })), {
    error: () => void errors++,
  })
  const running = startWakeLoop(database, log, { name: 'work', channels: ['work'], pollMs: HOUR_MS, ...loop })
  return {
    ...running,
    notify: () => [...heard].map((wake) => wake()),
    listeners: () => heard.size,
    errors: () => errors,
  }
}

/** Something that a round waits for. */
const gate = () => Promise.withResolvers<void>()

test('notifications that come during a round lead to one more round, and never to two at once', async () => {
  const gates = [gate(), gate(), gate()]
  let [begun, atOnce, most] = [0, 0, 0]
  await using loop = startLoop({
    async round() {
      most = Math.max(most, ++atOnce)
      await gates[begun++]?.promise
      atOnce--
    },
  })
  loop.notify()
  for (let more = 0; more < 5; more++) loop.notify()
  assert.equal(begun, 1)
  gates[0]?.resolve()
  await until(async () => begun === 2)
  gates[1]?.resolve()
  await until(async () => atOnce === 0)
  loop.notify()
  await until(async () => begun === 3)
  gates[2]?.resolve()
  assert.equal(most, 1)
})

test('without any notification the poll finds the work', async () => {
  let rounds = 0
  await using _ = startLoop({ channels: [], pollMs: 5, round: async () => void rounds++ })
  await until(async () => rounds >= 3)
})

test('a failure is told to readiness and to the next round, logged once while it lasts, and tried again', async () => {
  let problem: string | null = 'the disk is full'
  const seen: (string | null)[] = []
  await using loop = startLoop({
    retryMs: 5,
    async round({ problem: before }) {
      seen.push(before)
      if (problem !== null) throw new Error(problem)
    },
  })
  loop.notify()
  await until(async () => seen.length >= 3)
  assert.equal(loop.lastProblem(), 'work: the disk is full')
  assert.deepEqual([seen[0], seen[2], loop.errors()], [null, 'work: the disk is full', 1])
  problem = null
  await until(async () => loop.lastProblem() === null)
})

test('stopping waits for the round that runs, tells it so, and leaves no listener', async () => {
  const { promise, resolve } = gate()
  let told = false
  const loop = startLoop({
    async round({ stopped }) {
      stopped.addEventListener('abort', () => (told = true))
      await promise
    },
  })
  loop.notify()
  let isDisposed = false
  const disposed = loop[Symbol.asyncDispose]().then(() => (isDisposed = true))
  await until(async () => told)
  assert.equal(isDisposed, false)
  resolve()
  await disposed
  assert.equal(loop.listeners(), 0)
})

test('loops with work that is due by time ask together, each as often as it wants, and only those that have some make a round', async () => {
  const asked: string[] = []
  const database = {
    listen: () => ({ [Symbol.asyncDispose]: async () => {} }),
    async repeated(_: string, sql: string) {
      asked.push(sql)
      return { due0: true, due1: sql.includes('early') }
    },
  } as unknown as Database
  const log = makeLog('test', loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_LOG_LEVEL: 'error' }))
  const rounds = { busy: 0, seldom: 0, never: 0, early: 0 }
  const loop = (due: keyof typeof rounds, more: Pick<WakeLoop, 'pollMs' | 'firstAfterMs'>) =>
    startWakeLoop(database, log, {
      name: due,
      due: `SELECT FROM ${due}`,
      round: async () => void rounds[due]++,
      ...more,
    })
  await using _busy = loop('busy', { pollMs: 1_000 })
  await using _early = loop('early', { pollMs: 1_000, firstAfterMs: HOUR_MS })
  await using _seldom = loop('seldom', { pollMs: HOUR_MS })
  await using _never = loop('never', { pollMs: HOUR_MS })
  await until(async () => rounds.busy >= 2 && asked.length >= 3)
  assert.deepEqual({ ...rounds, busy: 0 }, { busy: 0, seldom: 1, never: 0, early: 0 })
  assert.deepEqual(asked.slice(0, 3), [
    'SELECT EXISTS (SELECT FROM busy) AS due0, EXISTS (SELECT FROM early) AS due1',
    'SELECT EXISTS (SELECT FROM seldom) AS due0, EXISTS (SELECT FROM never) AS due1',
    'SELECT EXISTS (SELECT FROM busy) AS due0, EXISTS (SELECT FROM early) AS due1',
  ])
})

test('when it cannot be asked what is due every loop looks for itself', async () => {
  let rounds = 0
  const database = {
    listen: () => ({ [Symbol.asyncDispose]: async () => {} }),
    repeated: () => Promise.reject(new Error('the database is away')),
  } as unknown as Database
  const log = makeLog('test', loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_LOG_LEVEL: 'error' }))
  await using _ = startWakeLoop(database, log, {
    name: 'work',
    pollMs: HOUR_MS,
    due: 'SELECT FROM work',
    round: async () => void rounds++,
  })
  await until(async () => rounds >= 1)
})
