import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig, freePorts } from '@fairway/platform'
import type { Heard } from './machine-metrics.ts'
import { mergeExpositions } from './merge-expositions.ts'
import { startMetricsListener } from './metrics-listener.ts'

type Context = { after(fn: () => void): void }

const running = {
  state: 'running',
  pid: 7,
  birth: '1',
  adopted: false,
  settings: 'x',
  restarts: 2,
  startedAt: null,
  lastExit: null,
} as const

const HEARD: Heard = {
  statuses: { dns: running, worker: { ...running, restarts: 0 }, edge: { ...running, state: 'restarting', pid: null } },
  said: {
    dns: { answers: true, ready: true, reasons: [] },
    worker: { answers: true, ready: false, reasons: ['the database does not answer'] },
    edge: { answers: false, ready: false, reasons: ['restarting'] },
  },
}

const figures = (role: string) =>
  `# HELP fairway_cpu_seconds_total CPU\n# TYPE fairway_cpu_seconds_total counter\nfairway_cpu_seconds_total{role="${role}"} 1\n`

async function listener(t: Context, more: { heard?: Heard; settings?: Record<string, string>; againMs?: number } = {}) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-metrics-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const [port = 0] = await freePorts(1, ['127.0.0.1'])
  const said: string[] = []
  const counts = { hear: 0 }
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_METRICS_ADDRESS: `127.0.0.1:${port}`, ...more.settings })
  const start = () =>
    startMetricsListener({
      config,
      hear: async () => {
        counts.hear++
        await delay(50)
        return more.heard ?? HEARD
      },
      figuresOf: async (role) => {
        if (role === 'edge') throw new Error('it is away')
        return figures(role)
      },
      say: (line) => void said.push(line),
      againMs: more.againMs ?? 20,
    })
  const ask = async (route: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, init)
    return { status: response.status, text: await response.text() }
  }
  return { start, ask, said, counts, port, home }
}

test('one exposition has every metric of all processes under one head, histograms too', () => {
  const histogram = (role: string) =>
    `# HELP a_seconds Time\n# TYPE a_seconds histogram\na_seconds_bucket{le="1",role="${role}"} 1\na_seconds_sum{role="${role}"} 1\na_seconds_count{role="${role}"} 1\n`
  assert.equal(
    mergeExpositions([
      `${histogram('x')}\n# HELP b B\n# TYPE b gauge\nb 1`,
      histogram('y'),
      '',
      '# a comment\nlone 3\n',
    ]),
    [
      '# HELP a_seconds Time',
      '# TYPE a_seconds histogram',
      ...['x', 'y'].flatMap((role) => [
        `a_seconds_bucket{le="1",role="${role}"} 1`,
        `a_seconds_sum{role="${role}"} 1`,
        `a_seconds_count{role="${role}"} 1`,
      ]),
      '# HELP b B',
      '# TYPE b gauge',
      'b 1',
      'lone 3',
      '',
    ].join('\n'),
  )
})

test('what a label holds cannot begin a family of its own, and a role that tells nonsense harms no other', () => {
  const text = mergeExpositions(['# HELP a A\n# TYPE a gauge\na{x="# HELP b B"} 1\n', '<html>\n', figures('dns')])
  assert.equal(text.match(/^# HELP/gm)?.length, 2)
  assert.match(text, /^fairway_cpu_seconds_total\{role="dns"\} 1$/m)
})

test('every role is told with its readiness and restarts, also one that is away, and what is unknown is left out', async (t) => {
  const { start, ask } = await listener(t)
  await using _listening = start()
  const { status, text } = await ask('/metrics')
  assert.equal(status, 200)
  for (const line of [
    'fairway_role_up{role="dns"} 1',
    'fairway_role_up{role="edge"} 0',
    'fairway_role_ready{role="worker"} 0',
    'fairway_role_restarts_total{role="dns"} 2',
    'fairway_cpu_seconds_total{role="worker"} 1',
  ])
    assert.ok(text.split('\n').includes(line), line)
  assert.match(text, /^fairway_disk_free_bytes [1-9]/m)
  assert.doesNotMatch(text, /^fairway_backup_timestamp_seconds\{/m)
  assert.doesNotMatch(text, /^fairway_backup_age_limit_seconds/m)
})

test('where backups are taken by a schedule, one that is missing has an age at which it is missed', async (t) => {
  const { start, ask } = await listener(t, { settings: { FAIRWAY_BACKUP_EVERY_HOURS: '24' } })
  await using _listening = start()
  assert.match((await ask('/metrics')).text, /^fairway_backup_age_limit_seconds 172800$/m)
})

test('readyz says why, livez only that somebody is there, and nothing else is to be had', async (t) => {
  const { start, ask } = await listener(t)
  await using _listening = start()
  const ready = await ask('/readyz')
  assert.equal(ready.status, 503)
  assert.deepEqual(
    (JSON.parse(ready.text) as { roles: Record<string, { reasons: string[] }> }).roles['worker']?.reasons,
    ['the database does not answer'],
  )
  assert.equal((await ask('/livez')).status, 200)
  assert.deepEqual([(await ask('/')).status, (await ask('/../secrets/node-token')).status], [404, 404])
  assert.equal((await ask('/metrics', { method: 'POST', body: 'x' })).status, 405)
})

test('many that ask at once have the roles asked once', async (t) => {
  const { start, ask, counts } = await listener(t)
  await using _listening = start()
  await ask('/livez')
  await Promise.all(Array.from({ length: 20 }, () => ask('/readyz')))
  assert.ok(counts.hear <= 3, `${counts.hear} times`)
})

test('an address that another has is told once and taken as soon as it is free', async (t) => {
  const { start, ask, said, port } = await listener(t)
  const other = net.createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  await using _listening = start()
  await delay(100)
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /no metrics at 127\.0\.0\.1:\d+ .*FAIRWAY_METRICS_ADDRESS/)
  await new Promise((resolve) => other.close(resolve))
  for (const end = Date.now() + 5000; ; await delay(20)) {
    const answer = await ask('/livez').catch(() => null)
    if (answer?.status === 200) break
    assert.ok(Date.now() < end, 'it was never taken')
  }
})

test('an empty setting offers nothing', async (t) => {
  const { start, ask } = await listener(t, { settings: { FAIRWAY_METRICS_ADDRESS: '' } })
  await using _listening = start()
  await assert.rejects(ask('/livez'))
})
