import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CHECKOUT } from './checkout.ts'
import { processesOf, shares, testFiles, triedAgain } from './test-files.ts'

test('what failed is tried again: just the files of the run that lead to it', () => {
  const all = testFiles(() => true)
  const behind = ['e2e/shell.e2e.ts', 'e2e/crash.e2e.ts', 'packages/app/src/commands/test-files.test.ts']
  const again = triedAgain(all, behind)
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(again).map(([kind, files]) => [kind, files.map((file) => file.split('/').at(-1))]),
    ),
    { node: ['test-files.test.ts'], console: [], sideBySide: ['shell.e2e.ts'], alone: ['crash.e2e.ts'] },
  )
  const onlyCrash = testFiles((file) => file.includes('crash.e2e'))
  assert.deepEqual(triedAgain(onlyCrash, behind), { node: [], console: [], sideBySide: [], alone: onlyCrash.alone })
})

test('files are dealt out whole, each once, in shares of about the same size', () => {
  const files = testFiles(() => true).console
  const two = shares(files, 2)
  assert.deepEqual(two.flat().sort(), files)
  const [first = 0, second = 0] = two.map((share) => share.length)
  assert.ok(Math.min(first, second) > files.length / 3, `${first} and ${second} files`)
  assert.deepEqual(shares(files.slice(0, 1), 2), [files.slice(0, 1)])
  assert.deepEqual(shares([], 2), [])
})

test('each file runs once: what takes long first, what changes its process alone, the rest of a package by the handful', () => {
  const { node } = testFiles(() => true)
  const processes = processesOf(node)
  assert.deepEqual(processes.flat().sort(), node)
  const [first = []] = processes
  assert.deepEqual(
    first.map((file) => path.basename(file)),
    ['backup.test.ts'],
  )
  const handfuls = processes.filter((files) => files.length > 1)
  assert.ok(handfuls.length > 20 && handfuls.every((files) => files.length <= 8))
  for (const files of handfuls) {
    assert.equal(new Set(files.map((file) => path.relative(CHECKOUT, file).split('/')[1])).size, 1)
    for (const file of files) assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /process\.env|mock\.timers/, file)
  }
})
