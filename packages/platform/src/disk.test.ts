import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fillReserve, giveUpReserve, heldReserve, missingReserve } from './disk-reserve.ts'
import { type DiskLevel, diskGauge, diskLevel, diskMarks, diskOf, isDiskLow } from './disk.ts'

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

test('what can wait stops at the second mark and changes at the third, until a bit more than that is free again', () => {
  const marks = { scarceBytes: 1000, fullBytes: 200 }
  const table: [free: number, was: DiskLevel, lacking: number, expected: DiskLevel][] = [
    [1000, 'enough', 0, 'enough'],
    [999, 'enough', 0, 'scarce'],
    [200, 'scarce', 0, 'scarce'],
    [199, 'enough', 0, 'full'],
    [0, 'full', 0, 'full'],
    [229, 'full', 0, 'full'],
    [230, 'full', 0, 'scarce'],
    [1149, 'scarce', 0, 'scarce'],
    [1150, 'scarce', 0, 'enough'],
    [1150, 'full', 0, 'enough'],
    // A reserve that was given up is no room: it is filled up first.
    [300, 'full', 128, 'full'],
    [358, 'full', 128, 'scarce'],
    [1200, 'scarce', 128, 'scarce'],
    [1278, 'scarce', 128, 'enough'],
  ]
  for (const [free, was, lacking, expected] of table)
    assert.equal(diskLevel(free, marks, was, lacking), expected, `${free} after ${was}`)
})

test('no mark stops anything before the disk was told to be filling up, and none comes before the one it follows', () => {
  const MB = 2 ** 20
  const of = (diskScarceMb: number, diskFullMb: number, totalBytes: number) => {
    const { scarceBytes, fullBytes } = diskMarks({ diskScarceMb, diskFullMb }, totalBytes)
    return [scarceBytes / MB, fullBytes / MB]
  }
  assert.deepEqual(of(1024, 256, 500 * GB), [1024, 256])
  assert.deepEqual(of(5000, 256, 10 * GB), [2048, 256])
  assert.deepEqual(of(5000, 4000, 10 * GB), [2048, 2048])
  assert.deepEqual(of(100, 256, 10 * GB), [100, 100])
  assert.deepEqual(of(0, 256, 10 * GB), [0, 0])
})

test('a disk that cannot be asked stops nothing', () => {
  const gauge = diskGauge({ home: '/nowhere/at/all', diskScarceMb: 1, diskFullMb: 1, diskReserveMb: 0 })
  assert.deepEqual([gauge.level(), gauge.disk()], ['enough', null])
})

test('the reserve is given up one piece at a time and only when nothing is free, and filled as far as there is room', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-reserve-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const [MB, settings] = [2 ** 20, { home, diskReserveMb: 40 }]
  assert.equal(giveUpReserve(home, 0), false)
  await fillReserve(settings, 39 * MB)
  assert.deepEqual([heldReserve(home) / MB, missingReserve(settings) / MB], [32, 8])
  await fillReserve(settings, 40 * MB)
  assert.equal(missingReserve(settings), 0)
  assert.equal(giveUpReserve(home, 100 * MB), false)
  assert.deepEqual([giveUpReserve(home, 0), heldReserve(home) / MB], [true, 32])
  assert.deepEqual([giveUpReserve(home, 0), giveUpReserve(home, 0), heldReserve(home)], [true, false, 0])
  fs.writeFileSync(path.join(home, 'reserve', '0.draft'), 'of one that was killed')
  await fillReserve({ home, diskReserveMb: 1 }, 40 * MB)
  assert.deepEqual(fs.readdirSync(path.join(home, 'reserve')), ['0'])
  await fillReserve({ home, diskReserveMb: 0 }, 40 * MB)
  assert.deepEqual(fs.readdirSync(path.join(home, 'reserve')), [])
})
