import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '@fairway/platform'
import { NoRoom, roomIn } from './room.ts'

const MB = 2 ** 20

test('on the disk of the home there has to be room for it beside what is served, at first and all the time', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-room-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_DISK_SCARCE_MB: '1024' })
  const { statfsSync } = fs
  const free = { mb: 2_300 }
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: MB, bavail: free.mb, blocks: 50_000 }))
  const folder = path.join(home, 'backups')
  assert.throws(
    () => roomIn(config, folder, 'The backup', 1_000 * MB),
    /^NoRoom: |The backup needs 2324 MB on the disk that holds .*, and 2300 MB are left/,
  )
  free.mb = 2_400
  const room = roomIn(config, folder, 'The backup', 1_000 * MB)
  room.check()
  free.mb = 1_000
  await delay(250)
  assert.throws(() => room.check(), NoRoom)
  roomIn(config, 's3://bucket/prefix', 'The backup', 1_000_000 * MB).check()
})
