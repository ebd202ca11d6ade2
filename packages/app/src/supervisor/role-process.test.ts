import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts, identityOf, livesStill, loadConfig } from '@fairway/platform'
import { takeHome } from './home.ts'
import { restartDelayMs } from './restart-delay.ts'
import { RoleProcess } from './role-process.ts'

/** The lightest role, in a home of its own. */
function setting(t: { after(fn: () => void): void }, env: Record<string, string> = {}) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-role-'))
  const lock = takeHome(home)
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_ORIGIN_LISTEN: '127.0.0.1:0', ...env })
  const said: string[] = []
  const changes = new EventEmitter()
  const role = new RoleProcess({
    name: 'origin',
    config,
    changed: () => changes.emit('change'),
    say: (line) => said.push(line),
  })
  t.after(() => {
    void role.kill()
    lock[Symbol.dispose]()
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  const untilAnother = async (pid: number | null) => {
    while (role.status().state !== 'running' || role.status().pid === pid) await once(changes, 'change')
  }
  return { role, said, config, untilAnother }
}

test('a role that is killed is started again at once, and its state tells', async (t) => {
  const { role, said, untilAnother } = setting(t)
  await role.start()
  const first = role.status()
  assert.equal(first.state, 'running')
  process.kill(first.pid ?? 0, 'SIGKILL')
  await untilAnother(first.pid)
  const second = role.status()
  assert.notEqual(second.pid, first.pid)
  assert.equal(second.restarts, 1)
  assert.match(second.lastExit?.reason ?? '', /SIGKILL/)
  assert.match(said.join(), /origin ended .*starting it again/)
  await role.stop()
  assert.equal(role.status().state, 'stopped')
})

test('a role that dies while its program is away is started when it is there again', async (t) => {
  const { role, said, untilAnother } = setting(t)
  await role.start()
  const { pid } = role.status()
  const { execPath } = process
  process.execPath = path.join(os.tmpdir(), 'fairway-nowhere')
  try {
    process.kill(pid ?? 0, 'SIGKILL')
    while (!said.join().includes('ENOENT')) await delay(20)
  } finally {
    process.execPath = execPath
  }
  await untilAnother(pid)
  assert.equal(role.status().state, 'running')
  await role.stop()
})

test('a role that runs is taken over by the next supervisor, and watched as its own', async (t) => {
  const { role, config, untilAnother } = setting(t)
  await role.start()
  const former = role.status()
  const changes = new EventEmitter()
  const next = new RoleProcess({
    name: 'origin',
    config,
    former,
    changed: () => changes.emit('change'),
    say: () => {},
  })
  t.after(() => next.kill())
  // Before anything else: what takes long at a start, such as building the console, is not done for one that runs.
  assert.equal(next.isFound(), true)
  await next.start()
  assert.deepEqual([next.status().pid, next.status().adopted, next.status().state], [former.pid, true, 'running'])
  await next.stop()
  assert.equal(next.status().state, 'stopped')
  await untilAnother(former.pid)
})

test('a number that somebody else has by now is neither taken over nor ended', async (t) => {
  const { role, config } = setting(t)
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  t.after(() => stranger.kill('SIGKILL'))
  const identity = identityOf(stranger.pid ?? 0)
  for (const birth of ['1', identity.birth]) {
    const former = { ...role.status(), state: 'running', pid: identity.pid, birth } as const
    const next = new RoleProcess({ name: 'origin', config, former, changed: () => {}, say: () => {} })
    assert.equal(next.isFound(), false)
    await next.start()
    assert.equal(next.status().adopted, false)
    await next.stop()
    assert.ok(livesStill(identity))
  }
})

test('a role that cannot start says why in a sentence, and is not tried for ever', async (t) => {
  const { role } = setting(t, { FAIRWAY_ORIGIN_LISTEN: '192.0.2.1:8070' })
  await assert.rejects(role.start(), /192\.0\.2\.1 is not an address of this machine/)
  assert.equal(role.status().state, 'stopped')
})

test('starts come further apart while a role keeps dying, at most ten seconds', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 20].map((deaths) => restartDelayMs(deaths)),
    [0, 250, 500, 1000, 10_000],
  )
})

test('a role that visitors wait for is back at once, however often it is ended', async (t) => {
  const [port = 0] = await freePorts(1, ['127.0.0.1'])
  const { config } = setting(t, { FAIRWAY_DNS_LISTEN: `127.0.0.1:${port}` })
  const said: string[] = []
  const role = new RoleProcess({ name: 'dns', config, changed: () => {}, say: (line) => void said.push(line) })
  t.after(() => role.stop())
  await role.start()
  for (let ends = 1; ends <= 3; ends++) {
    const { pid } = role.status()
    process.kill(pid ?? 0, 'SIGKILL')
    while (role.status().pid === pid || role.status().state !== 'running') await delay(10)
  }
  const waits = said.flatMap((line) => /in ([\d.]+) s$/.exec(line)?.[1] ?? [])
  assert.deepEqual(waits, ['0.25', '0.25'])
})
