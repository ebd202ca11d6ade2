import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { configEnvironment, loadConfig, systemEnvironment } from '../config.ts'
import { makeLog } from '../log.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { standForElection } from './election.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-election-'))
const config = loadConfig({ FAIRWAY_HOME: folder, FAIRWAY_LOG_LEVEL: 'error' })
const log = makeLog('test', config)
const embedded = await startEmbeddedDatabase({ config, log })
after(async () => {
  await embedded[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const until = async (is: () => boolean) => {
  while (!is()) await sleep(20)
}

test('one of all is elected, and the next one as soon as it has ended', async () => {
  const first = standForElection(config, log, 1)
  await first.known
  assert.equal(first.isElected(), true)
  await using second = standForElection(config, log, 1)
  await using elsewhere = standForElection(config, log, 2)
  await Promise.all([second.known, elsewhere.known])
  assert.deepEqual([second.isElected(), second.term(), elsewhere.isElected()], [false, 0, true])
  let heard = 0
  second.onElected(() => heard++)
  await first[Symbol.asyncDispose]()
  assert.equal(first.isElected(), false)
  await until(() => second.isElected())
  assert.deepEqual([heard, second.term()], [1, 1])
})

/** A process of its own that says each time whether it is elected, every 50 ms. */
const CANDIDATE = `
  import { loadConfig } from './config.ts'
  import { standForElection } from './database/election.ts'
  import { makeLog } from './log.ts'
  const config = loadConfig()
  const election = standForElection(config, makeLog('test', config), 3)
  setInterval(() => console.log(election.isElected() ? 'elected' : 'not'), 50)
`

test('who is killed or stands still has a successor, and believes in itself no longer when it goes on', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', CANDIDATE],
    {
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...systemEnvironment(), ...configEnvironment(config) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const said: string[] = []
  createInterface(child.stdout).on('line', (line) => said.push(line))
  try {
    await until(() => said.at(-1) === 'elected')
    await using next = standForElection(config, log, 3)
    await next.known
    assert.equal(next.isElected(), false)
    child.kill('SIGSTOP')
    await until(() => next.isElected())
    said.length = 0
    child.kill('SIGCONT')
    await until(() => said.includes('not'))
    // A line that it had written before it stood still may come late.
    assert.ok(said.indexOf('not') <= 1, said.join(' '))
    await next[Symbol.asyncDispose]()
    await until(() => said.at(-1) === 'elected')
    await using heir = standForElection(config, log, 3)
    await heir.known
    child.kill('SIGKILL')
    await until(() => heir.isElected())
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})
