import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Broadcast } from './broadcast.ts'
import { AUDIO, type Sink, VIDEO } from './rtmp/publisher.ts'
import type { LiveRow } from './store.ts'
import { Tail } from './tail.ts'
import { enhanced } from './testing/enhanced-encoder.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-broadcast-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

const ROW: LiveRow = {
  id: '00000000-0000-0000-0000-000000000001',
  organization_id: '00000000-0000-0000-0000-000000000002',
  protocol: 'rtmp',
  origin_url: null,
  latency: 'normal',
  key_frame_seconds: 1,
  rewind_seconds: 60,
  is_recorded: false,
  key_hash: 'a',
  is_on: true,
  revision: 1,
  applied_revision: 1,
  runner: 'x',
  input: null,
  renditions: [],
  test_picture: null,
  test_until: null,
}
const broadcast = (name: string) => new Broadcast(path.join(home, name), ROW, new Tail())
/** Who sends, and whether it was closed. */
const encoder = () => {
  const made = { isClosed: false, close: () => void (made.isClosed = true), resume: () => {} }
  return made
}
const HEADER = enhanced('hvc1', 0, true, Buffer.alloc(30))

test('messages that bring no clock forward are held, too: codec headers, and frames of one time', async () => {
  const sound = Buffer.from([0xaf, 0, 0x11, 0x90])
  const frame = enhanced('hvc1', 3, false, Buffer.alloc(4))
  for (const [name, send, most] of [
    ['sound', (sink: Sink) => sink.tag(AUDIO, 0, sound), 6_000],
    ['header', (sink: Sink) => sink.tag(VIDEO, 0, HEADER), 6_000],
    ['frame', (sink: Sink) => sink.tag(VIDEO, 0, frame), 3_000],
  ] as const) {
    const one = broadcast(name)
    const sink = await one.begin(1, encoder())
    sink.tag(VIDEO, 0, HEADER)
    let sent = 0
    while (send(sink) && sent < 20_000) sent++
    assert.ok(sent > 1_000 && sent < most, `${name}: ${sent}`)
    await one.end(true)
  }
})

/** A session that takes its time to end: what one encoder waits for, others come and things change in. */
async function busy(name: string) {
  const one = broadcast(name)
  const sink = await one.begin(1, encoder())
  sink.tag(VIDEO, 0, HEADER)
  return one
}

test('of several encoders that come while a session ends the last one sends, and no other stays', async () => {
  const one = await busy('both')
  const [first, second] = [encoder(), encoder()]
  const begun = [one.begin(2, first), one.begin(3, second)]
  assert.equal(one.isTaken, true)
  const [refused, taken] = await Promise.allSettled(begun)
  assert.deepEqual([refused?.status, taken?.status, second.isClosed], ['rejected', 'fulfilled', false])
  await one.end(true)
  assert.deepEqual([second.isClosed, one.isTaken], [true, false])
})

test('what is switched off, or gets another key, while an encoder waits is not begun by it; switched on again it may be', async () => {
  const off = await busy('off')
  const waits = off.begin(2, encoder())
  await Promise.all([assert.rejects(waits), off.end(true)])
  assert.deepEqual([off.isTaken, off.input(Date.now())?.state], [false, 'ended'])
  await assert.rejects(off.begin(3, encoder()))
  // As it was read before.
  off.update(ROW)
  await assert.rejects(off.begin(4, encoder()))
  off.update({ ...ROW, revision: 3 })
  await off.begin(5, encoder())
  assert.equal(off.isTaken, true)
  await off.end(true)

  const rotated = await busy('rotated')
  const old = rotated.begin(2, encoder())
  rotated.update({ ...ROW, revision: 2, key_hash: 'b' })
  await assert.rejects(old)
  await rotated.begin(3, encoder())
  await rotated.end(true)
})

test('who asked to begin before a change of key cuts off nobody who sends with the new one', async () => {
  const one = broadcast('older')
  const sender = encoder()
  one.update({ ...ROW, revision: 2, key_hash: 'b' })
  await one.begin(1, sender)
  one.update(ROW)
  assert.equal(sender.isClosed, false)
  one.update({ ...ROW, revision: 3, key_hash: 'c' })
  assert.equal(sender.isClosed, true)
  await one.end(true)
})
