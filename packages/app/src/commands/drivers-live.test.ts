import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { FASTLY_VALUES, servedOnce, startFakeFastly } from '@fairway/drivers/testing'
import { refuseWithoutKey, takeThrough } from './drivers-live.ts'
import { UsageError } from './options.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-live-'))
after(() => fs.rmSync(folder, { recursive: true }))
const cdnKeysFile = path.join(folder, 'keys.json')
fs.writeFileSync(cdnKeysFile, JSON.stringify({ fastly: FASTLY_VALUES }))

test('without a key it says what to write where', () => {
  assert.throws(
    () => refuseWithoutKey({ cdnKeysFile: '' }, 'fastly'),
    (error) =>
      error instanceof UsageError &&
      error.message.includes('{"fastly": {"token": "…"}}') &&
      error.message.includes('FAIRWAY_CDN_KEYS_FILE'),
  )
  refuseWithoutKey({ cdnKeysFile }, 'fastly')
})

test('a driver is taken through its life, each step is said, and nothing is left behind', async () => {
  await using vendor = await startFakeFastly()
  vendor.mood.at = 'comply'
  const said: string[] = []
  const certificate = {
    chainPem: '-----BEGIN CERTIFICATE-----\nbGVhZg==\n-----END CERTIFICATE-----\n',
    keyPem: '-----BEGIN PRIVATE KEY-----\na2V5\n-----END PRIVATE KEY-----\n',
    fingerprint: 'live',
  }
  vendor.served.splice(0, Infinity, ...servedOnce(Math.floor(Date.now() / 60_000) * 60_000 - 60_000))
  const config = { cdnKeysFile, cdnApiUrls: [`fastly=${vendor.url}`], serviceDomain: 'fairway.test' }
  const options = {
    host: 'test.example.com',
    origin: 'example.com',
    certificate,
    patienceMs: 5_000,
    say: (line: string) => void said.push(line),
  }
  assert.equal(await takeThrough(config, 'fastly', options), true)
  assert.deepEqual(
    said.map((line) => line.split(':')[0]),
    ['create', 'observe', 'apply', 'purge', 'metrics', 'remove'],
  )
  assert.match(
    said.join('\n'),
    /create: \S+, reached by j\.sni\.global\.fastly\.net[^]*observe: operational[^]*metrics: 1 moments[^]*remove: gone/,
  )
  assert.deepEqual([vendor.things(), vendor.refused], [[], []])
  assert.ok(!said.join('\n').includes(FASTLY_VALUES.token))

  said.length = 0
  vendor.mood.at = 'refuse'
  assert.equal(await takeThrough(config, 'fastly', { ...options, patienceMs: 0 }), false)
  assert.ok(said.some((line) => line.startsWith('FAILED: Fastly answers 400')))
})
