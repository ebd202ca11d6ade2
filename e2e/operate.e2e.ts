import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { CHECKOUT, type Installation, startInstallation } from '@fairway/app'
import { pace } from './pace.ts'

let installation: Installation
before(async () => {
  installation = await startInstallation({ command: 'up', fromTemplate: true })
})
after(() => installation[Symbol.asyncDispose]())

const OPERATE = path.join(CHECKOUT, 'docs/operate')
const at = (route: string): string => {
  const { host, port } = installation.config.metricsAddress ?? assert.fail('it is off')
  return `http://${host}:${port}${route}`
}
const metrics = async () => (await fetch(at('/metrics'))).text()
const familiesIn = (text: string) => new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? ''))

test('one address tells of every role, each metric under one head, and of no customer', async () => {
  const text = await metrics()
  for (const role of ['database', 'store', 'api', 'worker', 'collector', 'dns', 'edge', 'media'])
    for (const family of ['fairway_role_up', 'fairway_role_ready', 'fairway_process_resident_memory_bytes'])
      assert.match(text, new RegExp(`^${family}\\{role="${role}"\\} [1-9]`, 'm'), `${family} ${role}`)
  const heads = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  assert.equal(new Set(heads).size, heads.length)
  assert.doesNotMatch(text, /[{,](?:organi[sz]ation|site|domain|host|token|key)="|@/)
})

test('every metric that an alert or the dashboard names is told by a running installation', async () => {
  const families = familiesIn(await metrics())
  const missing = ['alerts.yaml', 'grafana.json'].flatMap((file) =>
    [...new Set(fs.readFileSync(path.join(OPERATE, file), 'utf8').match(/fairway_[a-z_]+/g))]
      .filter((name) => !families.has(name) && !families.has(name.replace(/_(?:bucket|sum|count)$/, '')))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('every metric of our own is described in the guide, and the guide describes no other', async () => {
  const guide = fs.readFileSync(path.join(CHECKOUT, 'docs/operate.md'), 'utf8')
  const described = new Set([...guide.matchAll(/^\| `(fairway_[a-z_]+)`/gm)].map(([, name]) => name ?? ''))
  const told = [...familiesIn(await metrics())].filter((name) => !/^fairway_(?:process|nodejs)_/.test(name))
  assert.deepEqual([...described].sort(), told.sort())
})

test('a role that dies is told, the others and the address go on, and the API says what is degraded and stays ready', async () => {
  const ready = async () => {
    const response = await fetch(new URL('/readyz', installation.url))
    return { status: response.status, ...((await response.json()) as { ready: boolean; degraded: string[] }) }
  }
  assert.equal(
    (await fetch(new URL('/metrics', installation.url))).headers.get('content-type')?.startsWith('text/plain'),
    false,
  )
  const pid = installation.roles()['worker']?.pid ?? assert.fail()
  process.kill(pid, 'SIGSTOP')
  try {
    assert.match(await metrics(), /^fairway_role_up\{role="worker"\} 0$/m)
    const { status, ...told } = await ready()
    assert.deepEqual([status, told.ready, told.degraded.includes('worker')], [200, true, true])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const killed = installation.kill('worker')
  await installation.restarted('worker', killed, 30_000 * pace())
  assert.match(await metrics(), /^fairway_role_restarts_total\{role="worker"\} 1$/m)
})

test('the address is there again after the supervisor was killed', async () => {
  process.kill(installation.supervisor(), 'SIGKILL')
  for (const end = Date.now() + 20_000; ;) {
    const answer = await fetch(at('/livez')).catch(() => null)
    if (answer?.ok) break
    assert.ok(Date.now() < end, 'it did not come back')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
