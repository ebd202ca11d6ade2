import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { diskOf, isDiskLow } from './disk.ts'

const GB = 2 ** 30

test('a disk is low below 15 % or 2 GB, and until a bit more than that is free again', () => {
  const table: [free: number, total: number, wasLow: boolean, expected: boolean][] = [
    [100, 500, false, false],
    [70, 500, false, true],
    [80, 500, true, true],
    [90, 500, true, false],
    [3, 10, false, false],
    [1.9, 10, false, true],
    [2.2, 10, true, true],
    [2.4, 10, true, false],
    [0, 10, false, true],
  ]
  for (const [free, total, wasLow, expected] of table)
    assert.equal(isDiskLow({ freeBytes: free * GB, totalBytes: total * GB }, wasLow), expected, `${free} of ${total}`)
})

test('the disk of a folder has a size, and no more free than that', () => {
  const { freeBytes, totalBytes } = diskOf(os.tmpdir())
  assert.ok(totalBytes > 0 && freeBytes >= 0 && freeBytes <= totalBytes)
})
