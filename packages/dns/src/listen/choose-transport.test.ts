import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { silentLog } from '../testing/server-fixture.ts'
import { chooseTransport } from './choose-transport.ts'
import { loadLibc } from './libc.ts'

const skip = loadLibc() === null && 'this machine has no batches'
const folder = (): Disposable & { at: string } => {
  const at = fs.mkdtempSync(path.join(os.tmpdir(), 'dns-transport-'))
  return { at, [Symbol.dispose]: () => fs.rmSync(at, { recursive: true, force: true }) }
}

test('after three starts with batches that did not end in order one is made without, and the next tries again', { skip }, async () => {
  using at = folder()
  const chosen: string[] = []
  for (let start = 0; start < 5; start++) chosen.push((await chooseTransport('auto', at.at, silentLog)).transport)
  assert.deepEqual(chosen, ['mmsg', 'mmsg', 'mmsg', 'dgram', 'mmsg'])
})

test('starts that end in order are not counted', { skip }, async () => {
  using at = folder()
  for (let start = 0; start < 5; start++) {
    using choice = await chooseTransport('auto', at.at, silentLog)
    assert.equal(choice.transport, 'mmsg')
  }
  assert.deepEqual(fs.readdirSync(at.at), [])
})

test('who wants dgram gets it and nothing else', async () => {
  using at = folder()
  assert.equal((await chooseTransport('dgram', at.at, silentLog)).transport, 'dgram')
  assert.deepEqual(fs.readdirSync(at.at), [])
})
