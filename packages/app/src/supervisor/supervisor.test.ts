import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { identityOf, livesStill, loadConfig, runDir } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'
import { takeHome } from './home.ts'
import { RoleProcess } from './role-process.ts'
import { saidOfExchange } from './role-status.ts'
import { writeRoles } from './roles-file.ts'
import { startSupervisor } from './supervisor.ts'

const ROLE = `require('node:http').createServer((_, answer) => answer.end(JSON.stringify({ pid: process.pid, ready: true,
  reasons: [] }))).listen(process.argv[2], () => console.log())`

/** A supervisor that finds these roles, as the code of before left them, and whose own code is away. */
async function found(t: TestContext, names: readonly RoleName[], { sameSettings }: { sameSettings: boolean }) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-exchange-'))
  const lock = takeHome(home)
  const config = loadConfig({ FAIRWAY_HOME: home })
  const { execPath } = process
  const before = names.map((name) => {
    fs.mkdirSync(runDir(config), { recursive: true })
    const child = spawn(execPath, ['-e', ROLE, name, path.join(runDir(config), `${name}.sock`)])
    return { name, child, identity: identityOf(child.pid ?? 0) }
  })
  for (const { child } of before) await once(child.stdout, 'data')
  const { settings } = new RoleProcess({ name: 'origin', config, changed: () => {}, say: () => {} }).status()
  const roles = before.map(({ name, identity }) => [
    name,
    {
      ...identity,
      state: 'running',
      adopted: false,
      settings: sameSettings ? settings : 'others',
      restarts: 0,
      startedAt: new Date().toISOString(),
      lastExit: null,
    },
  ])
  writeRoles(home, { ...identityOf(process.pid), roles: Object.fromEntries(roles) })
  const said: string[] = []
  process.execPath = path.join(home, 'nowhere')
  const say = (line: string) => void said.push(line)
  const supervisor = await startSupervisor({ config, roles: names, sockets: {}, leave: () => {}, say, exchangeMs: 300 })
  t.after(async () => {
    process.execPath = execPath
    await supervisor.stop()
    for (const { child } of before) child.kill('SIGKILL')
    lock[Symbol.dispose]()
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  return { supervisor, said, before }
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
