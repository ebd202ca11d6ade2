import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { heldReserve, loadConfig, makeLog } from '@fairway/platform'
import { keepReserve } from './keep-reserve.ts'

const MB = 2 ** 20

test('the reserve is filled when there is room, given up when there is none, and filled again', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-kept-reserve-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_DISK_RESERVE_MB: '48', FAIRWAY_DISK_SCARCE_MB: '100' })
  const free = { mb: 120 }
  const until = async (heldMb: number) => {
    while (heldReserve(home) !== heldMb * MB) await delay(5)
  }
  await using _ = keepReserve({
    config,
    log: makeLog('test', { logLevel: 'fatal' }),
    read: () => ({ freeBytes: free.mb * MB, totalBytes: 10_000 * MB }),
    lookMs: 5,
    fillAfterMs: 0,
  })
  await delay(50)
  assert.equal(heldReserve(home), 0, 'what it takes would be missing')
  free.mb = 200
  await until(48)
  free.mb = 10
  await until(0)
  free.mb = 200
  await until(48)
})
