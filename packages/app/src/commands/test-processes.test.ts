import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { systemEnvironment } from '@fairway/platform'
import { CHECKOUT } from './checkout.ts'
import { type Outcome, WHOLE_FILE } from './test-outcome.ts'
import { endsAfter, writeProcesses } from './test-processes.ts'

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'processes-')))
after(() => fs.rmSync(folder, { recursive: true }))

const HEAD = `import { after, before, test } from 'node:test'\nimport fs from 'node:fs'\n`
const FILES = {
  // Each says when it begins and ends: no two at a time.
  one: `${HEAD}before(() => fs.appendFileSync(LOG, '+1'))\nafter(async () => { await new Promise((go) => setTimeout(go, 50)); fs.appendFileSync(LOG, '-1') })\ntest('holds', () => {})\ntest('fails', () => { throw new Error('wrong') })\n`,
  two: `${HEAD}before(() => fs.appendFileSync(LOG, '+2'))\nafter(() => fs.appendFileSync(LOG, '-2'))\ntest('holds', () => {})\n`,
  broken: `throw new Error('cannot begin')\n`,
  started: `${HEAD}before(() => { throw new Error('no world') })\ntest('never runs', () => {})\n`,
  leaves: `${HEAD}import net from 'node:net'\ntest('leaves a server', () => new Promise((go) => net.createServer().listen(0, '127.0.0.1', go)))\ntest('fails', () => { throw new Error('wrong') })\n`,
  ends: `${HEAD}test('ends everything', () => process.exit(3))\n`,
}

function run(processes: (keyof typeof FILES)[][], name: string): { outcome: Outcome; log: string } {
  const own = path.join(folder, name)
  fs.mkdirSync(own)
  const log = path.join(own, 'log')
  fs.writeFileSync(log, '')
  for (const [file, text] of Object.entries(FILES))
    fs.writeFileSync(path.join(own, `${file}.test.ts`), text.replaceAll('LOG', JSON.stringify(log)))
  const lists = processes.map((files) => files.map((file) => path.join(own, `${file}.test.ts`)))
  const result = path.join(own, 'outcome.json')
  spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      endsAfter(2_000),
      '--test',
      '--test-concurrency=1',
      `--test-reporter=${path.join(import.meta.dirname, 'test-reporter.ts')}`,
      `--test-reporter-destination=${result}`,
      ...writeProcesses(lists, own),
    ],
    { cwd: CHECKOUT, env: systemEnvironment() },
  )
  const outcome = JSON.parse(fs.readFileSync(result, 'utf8')) as Outcome
  return { outcome, log: fs.readFileSync(log, 'utf8') }
}

const told = ({ failures }: Outcome) => failures.map(({ file, name }) => `${path.basename(file)}: ${name}`).sort()

test('files that share a process keep their hooks to themselves, and each failure is told of its own file', () => {
  const { outcome, log } = run([['one', 'two', 'broken', 'started', 'two']], 'shared')
  assert.equal(log, '+1-1+2-2')
  assert.deepEqual(told(outcome), [
    `broken.test.ts: ${WHOLE_FILE}`,
    'one.test.ts: fails',
    'started.test.ts: never runs',
  ])
  assert.equal(outcome.passed, 2)
})

test('a process that ends in the middle has failed for every file in it, and hurts no other', () => {
  const { outcome } = run([['two', 'ends', 'one'], ['two']], 'ended')
  assert.deepEqual(
    told(outcome).filter((one) => one.endsWith(WHOLE_FILE)),
    ['ends', 'one', 'two'].map((file) => `${file}.test.ts: ${WHOLE_FILE}`),
  )
  assert.ok(outcome.timings.some(({ file, name }) => file.endsWith('two.test.ts') && name === 'holds'))
})

test('a file alone is told by its own path, also when it cannot begin', () => {
  const { outcome } = run([['broken'], ['two']], 'alone')
  assert.deepEqual(told(outcome), [`broken.test.ts: ${WHOLE_FILE}`])
  assert.equal(outcome.passed, 1)
})

test('a file that leaves a server behind ends all the same, alone or among others, with what it has found', () => {
  const { outcome } = run([['leaves'], ['leaves', 'two']], 'left')
  assert.deepEqual(told(outcome), ['leaves.test.ts: fails', 'leaves.test.ts: fails'])
  assert.equal(outcome.passed, 3)
})
