import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config.ts'
import { hostPortText } from './host-port.ts'
import { isMediaLocal, mediaAddressOf } from './media-address.ts'

test('edges fetch videos where a setting says, else where the role listens, and who listens everywhere is not told as everywhere', () => {
  for (const [env, at, isLocal] of [
    [{}, '127.0.0.1:8060', true],
    [{ FAIRWAY_MEDIA_LISTEN: '0.0.0.0:9000' }, '127.0.0.1:9000', true],
    [{ FAIRWAY_MEDIA_LISTEN: '[::]:9000' }, '[::1]:9000', true],
    [{ FAIRWAY_MEDIA_LISTEN: '10.0.0.11:8060' }, '10.0.0.11:8060', false],
    [{ FAIRWAY_MEDIA_LISTEN: '0.0.0.0:9000', FAIRWAY_MEDIA_ADDRESS: 'media.internal:80' }, 'media.internal:80', false],
  ] as const) {
    const config = loadConfig({ FAIRWAY_HOME: '/tmp/none', ...env })
    assert.deepEqual([hostPortText(mediaAddressOf(config)), isMediaLocal(config)], [at, isLocal])
  }
})
