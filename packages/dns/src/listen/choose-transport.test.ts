import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../testing/server-fixture.ts'
import { chooseTransport } from './choose-transport.ts'
import { loadLibc } from '@fairway/platform/lean'

test(
  'batches are taken where they work, and who wants dgram gets it',
  { skip: loadLibc() === null && 'this machine has no batches' },
  async () => {
    assert.deepEqual(
      [
        await chooseTransport('auto', silentLog),
        await chooseTransport('mmsg', silentLog),
        await chooseTransport('dgram', silentLog),
      ],
      ['mmsg', 'mmsg', 'dgram'],
    )
  },
)
