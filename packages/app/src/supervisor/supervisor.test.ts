import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { controlRequest, identityOf, livesStill, loadConfig, runDir, systemEnvironment } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'
import { takeHome } from './home.ts'
import { RoleProcess } from './role-process.ts'
import { saidOfExchange } from './role-status.ts'
import { readRoles, writeRoles } from './roles-file.ts'
import { type Exchange, type Supervisor, startSupervisor } from './supervisor.ts'

const ROLE = `require('node:http').createServer((_, answer) => answer.end(JSON.stringify({ pid: process.pid, ready: true,
  reasons: [] }))).listen(process.argv[2], () => console.log())`

type Left = {
  sameSettings?: boolean
  /** Those that the code of before left between two deaths. */
  dying?: readonly RoleName[]
}

/** A home with these roles as the code of before left them. */
async function left(t: TestContext, names: readonly RoleName[], { sameSettings = true, dying = [] }: Left) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-exchange-'))
  const lock = takeHome(home)
  const config = loadConfig({ FAIRWAY_HOME: home })
  const before = names.map((name) => {
    fs.mkdirSync(runDir(config), { recursive: true })
    const child = spawn(process.execPath, ['-e', ROLE, name, path.join(runDir(config), `${name}.sock`)])
    return { name, child, identity: identityOf(child.pid ?? 0) }
  })
  for (const { child } of before) await once(child.stdout, 'data')
  const { settings } = new RoleProcess({ name: 'origin', config, changed: () => {}, say: () => {} }).status()
  const status = {
    state: 'running',
    adopted: false,
    settings: sameSettings ? settings : 'others',
    restarts: 0,
    startedAt: new Date().toISOString(),
    lastExit: null,
  }
  const roles = [
    ...before.map(({ name, identity }) => [name, { ...status, ...identity }]),
    ...dying.map((name) => [name, { ...status, state: 'restarting', pid: null, birth: null }]),
  ]
  writeRoles(home, { ...identityOf(process.pid), roles: Object.fromEntries(roles) })
  t.after(() => {
    for (const { child } of before) child.kill('SIGKILL')
    lock[Symbol.dispose]()
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  return { home, config, before, names: [...names, ...dying] }
}

/** A supervisor that finds these roles, and whose own code is away, or a program that does this. */
async function found(t: TestContext, names: readonly RoleName[], { run, ...how }: Left & { run?: string }) {
  const { execPath } = process
  let supervisor: Supervisor | null = null
  // What runs is ended first.
  t.after(async () => {
    process.execPath = execPath
    await supervisor?.stop()
  })
  const { home, config, before, names: roles } = await left(t, names, how)
  const said: string[] = []
  process.execPath = path.join(home, 'program')
  if (run !== undefined) fs.writeFileSync(process.execPath, `#!/bin/sh\n${run}\n`, { mode: 0o700 })
  const say = (line: string) => void said.push(line)
  supervisor = await startSupervisor({ config, roles, sockets: {}, leave: () => {}, say, exchangeMs: 300 })
  const told = () => controlRequest(`unix:${path.join(runDir(config), 'supervisor.sock')}`, 'GET', '/roles')
  const exchanged = async () => ((await told()) as { exchange: Exchange }).exchange
  return { supervisor, said, before, exchanged }
}

test('an exchange ends with the role that does not come, says its name, and leaves the others as they were', async (t) => {
  const { supervisor, said, before } = await found(t, ['origin', 'visitors'], { sameSettings: true })
  await Promise.all([supervisor.start('origin'), supervisor.start('visitors')])
  await supervisor.exchangeAdopted()
  const { origin, visitors } = supervisor.status()
  assert.deepEqual([origin?.state, visitors?.state, visitors?.adopted], ['restarting', 'running', true])
  assert.equal(visitors?.pid, before[1]?.identity.pid)
  assert.match(
    said.slice(-2).join('\n'),
    /^as before, not exchanged: visitors\ndoes not run: origin \(not started: .*\)$/,
  )
})

test('where settings are others, what comes after a role that does not come is left as it was, and watched', async (t) => {
  const { supervisor, before } = await found(t, ['origin', 'visitors'], { sameSettings: false })
  const [origin, visitors] = before
  void supervisor.start('origin')
  await supervisor.start('visitors')
  assert.ok(origin && visitors && !livesStill(origin.identity) && livesStill(visitors.identity))
  await supervisor.exchangeAdopted()
  const now = supervisor.status().visitors
  assert.deepEqual([now?.pid, now?.adopted, now?.settings], [visitors.identity.pid, true, 'others'])
  assert.deepEqual(saidOfExchange({ visitors: now }), ['as before, not exchanged: visitors'])
})

test('so it is after the death of a supervisor, where that role was between two deaths and is begun later', async (t) => {
  const run = `case "$*" in *'role dns'*) printf '{"kind":"started"}\\n' >&$NODE_CHANNEL_FD; exec sleep 5 ;; esac`
  const { supervisor, before } = await found(t, ['dns'], { sameSettings: false, dying: ['api'], run })
  const watched = supervisor.start('dns')
  void supervisor.start('api')
  await watched
  const { api, dns } = supervisor.status()
  assert.deepEqual([dns?.pid, dns?.adopted, dns?.settings], [before[0]?.identity.pid, true, 'others'])
  assert.notEqual(api?.state, 'running')
})

test('a role that was between two deaths and does not run ends the exchange too', async (t) => {
  const { supervisor, before, exchanged } = await found(t, ['media'], { dying: ['store'] })
  void supervisor.start('store')
  await supervisor.start('media')
  await supervisor.exchangeAdopted()
  const { store, media } = supervisor.status()
  assert.deepEqual([await exchanged(), store?.state, media?.pid], ['failed', 'restarting', before[0]?.identity.pid])
})

test('a role that comes and dies of what it meets ends the exchange too', async (t) => {
  const once = `[ -e "$0.ran" ] && exit 1; touch "$0.ran"; printf '{"kind":"started"}\\n' >&$NODE_CHANNEL_FD; sleep 0.1`
  const { supervisor, before, exchanged } = await found(t, ['store', 'media'], { run: once })
  await Promise.all([supervisor.start('store'), supervisor.start('media')])
  await supervisor.exchangeAdopted()
  assert.deepEqual([await exchanged(), supervisor.status().media?.pid], ['failed', before[1]?.identity.pid])
})

test('after the death of a supervisor what runs is watched, also while what comes first does not come', async (t) => {
  const { home, before } = await left(t, ['dns'], { dying: ['store'] })
  const away = `data:text/javascript,process.execPath='/nowhere'`
  const main = path.join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, ['--import', away, main, 'supervise', 'up', 'store,dns'], {
    env: { ...systemEnvironment(), FAIRWAY_HOME: home },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    const roles = () => readRoles(home)?.roles ?? {}
    const isOver = () => child.exitCode !== null || (roles().store?.restarts ?? 0) > 4
    while (roles().dns?.state !== 'running' || roles().dns?.adopted !== true) {
      assert.ok(!isOver(), JSON.stringify(roles().dns))
      await delay(20)
    }
    assert.equal(roles().store?.state, 'restarting')
    assert.equal(roles().dns?.pid, before[0]?.identity.pid)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})
