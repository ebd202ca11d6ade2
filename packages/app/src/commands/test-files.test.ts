import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testFiles, triedAgain } from './test-files.ts'

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
