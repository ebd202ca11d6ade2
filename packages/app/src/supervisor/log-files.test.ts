import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openLogFile, trimLogFiles } from './log-files.ts'

test('a log that grew large moves aside while its writer goes on; small ones stay', (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-log-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  fs.mkdirSync(path.join(home, 'log'))
  const large = openLogFile(home, 'large')
  fs.writeSync(large, Buffer.alloc(21 << 20, 'x'))
  fs.writeFileSync(path.join(home, 'log', 'small.log'), 'line\n')
  trimLogFiles(home)
  fs.writeSync(large, 'next\n')
  fs.closeSync(large)
  const read = (name: string) => fs.readFileSync(path.join(home, 'log', name), 'utf8')
  assert.deepEqual([read('large.log'), read('small.log'), read('large.log.1').length], ['next\n', 'line\n', 21 << 20])
})
