import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readLogPosition, readLsn } from './log-position.ts'

test('places in the log are compared as numbers, and what is none is not read as one', () => {
  assert.deepEqual(readLogPosition('0000000A 16/B374D848'), { timeline: '0000000A', lsn: 0x16_b374_d848n })
  // As texts they would be the other way round.
  assert.ok(readLsn('10/0') > readLsn('9/FFFFFFFF') && readLsn('0/A000000') > readLsn('0/9FFFFFF'))
  for (const text of [null, '', '1 0/1', '00000001 0', '00000001 0/1 ', "00000001 0/1'; DROP", '00000001 0/123456789'])
    assert.equal(readLogPosition(text), null)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readLogPosition(text)
      assert.ok(read === null || /^[0-9A-F]{8} [0-9A-F/]+$/.test(text))
    }),
  )
})
