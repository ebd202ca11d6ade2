import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig, makeLog, notifySocket, startControl } from '@fairway/platform'
import { tellServiceManager } from './tell-service-manager.ts'

type Context = { after(fn: () => void): void }

/** What a service manager does, by a program that every Debian has: Node has no such sockets. */
const LISTENER = `
use Socket; $| = 1; my $name = shift; $name =~ s/^@/\\0/;
socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, pack('S a*', AF_UNIX, $name)) or die;
print "listening\\n"; while (defined recv($s, my $text, 65536, 0)) { $text =~ s/\\n/|/g; print "$text\\n" }
`

async function manager(t: Context, socket: string): Promise<{ heard: () => string[] }> {
  const child: ChildProcess = spawn('perl', ['-e', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (more: string) => (text += more))
  await until(() => text.startsWith('listening\n'))
  return { heard: () => text.split('\n').slice(1, -1) }
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds(); await delay(10)) assert.ok(Date.now() < end, 'it never came to be')
}

function folder(t: Context): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-notify-'))
  t.after(() => fs.rmSync(made, { recursive: true, force: true }))
  return made
}

test('a line reaches a socket of the file system and one without a file; what cannot be one is refused', async (t) => {
  const sockets = [path.join(folder(t), 'notify'), `@fairway-test-${process.pid}`]
  for (const socket of sockets) {
    const { heard } = await manager(t, socket)
    assert.equal(notifySocket(socket, 'READY=1\nSTATUS=ready'), true)
    await until(() => heard().length > 0)
    assert.deepEqual(heard(), ['READY=1|STATUS=ready'])
  }
  for (const socket of ['', 'relative', `/${'a'.repeat(200)}`, '/nobody/listens/here', 'vsock:2:1'])
    assert.equal(notifySocket(socket, 'READY=1'), false, socket)
})

test('ready is told once, the watchdog for as long as the supervisor of this keeper answers, and no longer', async (t) => {
  const home = folder(t)
  const config = loadConfig({ FAIRWAY_HOME: home })
  const socket = path.join(home, 'notify')
  const { heard } = await manager(t, socket)
  const keeping = { supervisor: process.pid, isStopping: false }
  const state = { reasons: ['dns: no zones yet'] }
  using _told = tellServiceManager(config, () => keeping, { socket, watchdogMs: 80 })
  const control = await startControl({
    config,
    role: 'supervisor',
    ready: () => ({ ready: state.reasons.length === 0, ...state }),
    log: makeLog('test', { logLevel: 'fatal' }),
  })
  t.after(() => void control[Symbol.asyncDispose]())
  await until(() => heard().includes('STATUS=waiting for dns: no zones yet'))
  assert.ok(!heard().some((line) => line.includes('READY=1')))
  state.reasons = []
  await until(() => heard().includes('STATUS=ready'))
  state.reasons = ['edge: restarting']
  await until(() => heard().at(-1) === 'WATCHDOG=1' && heard().includes('STATUS=waiting for edge: restarting'))
  assert.equal(heard().filter((line) => line.includes('READY=1')).length, 1)
  // Another supervisor sits in the place of ours: ours is the one that has to answer.
  keeping.supervisor = 1
  await delay(200)
  const before = heard().length
  await delay(300)
  assert.equal(heard().length, before)
  keeping.isStopping = true
  await until(() => heard().includes('STOPPING=1|STATUS=stopping|WATCHDOG=1'))
})

test('who was not started by a service manager tells nobody', () => {
  using told = tellServiceManager(loadConfig({}), () => assert.fail('it was asked'), null)
  assert.ok(told)
})
