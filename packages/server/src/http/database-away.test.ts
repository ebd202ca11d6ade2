import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ErrorEnvelope, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../testing/api-under-test.ts'

let api: ApiUnderTest
let client: Client
before(async () => {
  api = await startApiUnderTest()
  client = await api.newClient()
})
after(() => api[Symbol.asyncDispose]())

/** The server and all of its processes. */
function serverProcesses(): number[] {
  const server = Number(
    fs.readFileSync(path.join(api.config.home, 'database', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  return [
    server,
    ...execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number),
  ]
}

const ask = async (route: string) => {
  const response = await fetch(new URL(route, api.url), {
    headers: { authorization: `Bearer ${client.token}` },
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

test('a connection that breaks between two statements of a transaction fails that transaction and nothing else', async () => {
  const broken = api.database.system(async (tx) => {
    const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    assert.ok(own)
    process.kill(own.pid, 'SIGTERM')
    // What the driver hears meanwhile, nobody has asked for.
    await delay(200)
    return tx.query('SELECT 1')
  })
  await assert.rejects(broken, { name: 'Error', message: /the database does not answer/ })
  assert.equal((await ask(sites.routes.list.path)).status, 200)
})

test('while the database is silent calls are answered 503 instead of hanging, readiness says why, and all comes back', async () => {
  const stopped = serverProcesses()
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  try {
    const [call, ready] = await Promise.all([ask(sites.routes.list.path), ask('/readyz')])
    assert.deepEqual([call.status, ErrorEnvelope.parse(call.body).meta.code], [503, 503])
    assert.equal(ready.status, 503)
    assert.match(JSON.stringify(ready.body), /the database does not answer/)
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
  assert.equal((await ask(sites.routes.list.path)).status, 200)
})

// The last one: nobody starts this server again.
test('while the database is gone calls are answered 503', async () => {
  process.kill(serverProcesses()[0] ?? 0, 'SIGKILL')
  for (let call = 0; call < 5; call++) {
    const { status, body } = await ask(sites.routes.list.path)
    assert.deepEqual([status, ErrorEnvelope.parse(body).meta.code], [503, 503])
  }
})
