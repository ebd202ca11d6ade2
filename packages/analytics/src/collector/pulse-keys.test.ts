import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { PulseRegistration } from '@fairway/contract'
import { makeLog } from '@fairway/platform'
import { PulseKeys } from './pulse-keys.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-keys-'))
after(() => fs.rmSync(folder, { recursive: true }))

const registration = (number: number): PulseRegistration => ({
  organizationId: `o${number}`,
  keys: [{ key: `k${number}`, until: null }],
  hosts: ['shop.example'],
  settings: {
    startDelaySeconds: 2,
    repeatDelaySeconds: 10,
    batchNumber: 1,
    targets: [{ c: 'a', u: 'http://a.example/' }],
  },
})

test('telling everything writes once for all organisations, and telling it again writes nothing', async (t) => {
  const keys = new PulseKeys(folder, makeLog('test', { logLevel: 'silent' }))
  const file = path.join(folder, 'pulse.json')
  const write = t.mock.method(fs, 'writeFileSync')
  const tellAll = async () => {
    for (let number = 0; number < 5_000; number++) keys.register(registration(number))
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    return write.mock.callCount()
  }
  assert.equal(await tellAll(), 1)
  assert.equal(await tellAll(), 1)
  const kept = new PulseKeys(folder, makeLog('test', { logLevel: 'silent' }))
  assert.equal(kept.get('k4999')?.organizationId, 'o4999')
  keys.register({ ...registration(7), settings: null })
  keys[Symbol.dispose]()
  assert.equal(keys.get('k7'), undefined)
  assert.equal((JSON.parse(fs.readFileSync(file, 'utf8')) as unknown[]).length, 4_999)
})
