import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compared } from './upgrade.ts'

test('an upgrade of what is not well fails by what was well before, whatever is said of the others', () => {
  const ill = (what: string, said: string) => ({ level: 'failing', what, said }) as const
  const before = [ill('media', 'starting'), ill('edge', 'not ready')]
  const after = [ill('media', 'ended'), ill('api', 'not ready')]
  assert.deepEqual(compared(before, after), { worse: [after[1]], same: [after[0]] })
  assert.deepEqual(compared([], after).worse, after)
})
