import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { freePort } from '@fairway/platform'
import { type Amf, readAmf, writeAmf } from './amf0.ts'
import { ChunkReader, writeMessage } from './chunks.ts'
import { startRtmp } from './server.ts'

const value = fc.letrec<{ value: Amf }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.string(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { noNullPrototype: true, maxKeys: 4 }),
  ),
})).value

test('AMF0 is read as it was written, and what is damaged ends in a RangeError, nothing else', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (values) => assert.deepEqual(readAmf(writeAmf(...values)), values)),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        readAmf(Buffer.from(bytes))
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('messages come out of chunks whole, however the connection cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record(
          {
            type: fc.constantFrom(8, 9, 18, 20),
            stream: fc.nat(9),
            body: fc.uint8Array({ minLength: 1, maxLength: 1_000 }),
          },
          { noNullPrototype: true },
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      ),
      fc.integer({ min: 1, max: 700 }),
      (messages, cut) => {
        const bytes = Buffer.concat(
          messages.map(({ body, ...rest }) => writeMessage({ ...rest, body: Buffer.from(body) })),
        )
        const reader = new ChunkReader()
        const heard = []
        for (let at = 0; at < bytes.length; at += cut) heard.push(...reader.feed(bytes.subarray(at, at + cut)))
        assert.deepEqual(
          heard.map(({ type, stream, body }) => ({ type, stream, body: new Uint8Array(body) })),
          messages,
        )
      },
    ),
  )
})

test('noise and false lengths end in a RangeError, and hold no more than a picture', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 10 }), (pieces) => {
      const reader = new ChunkReader()
      try {
        for (const piece of pieces) reader.feed(Buffer.from(piece))
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error))
      }
    }),
    { numRuns: 2_000 },
  )
  const tooLong = Buffer.from([0x03, 0, 0, 0, 0xff, 0xff, 0xff, 9, 0, 0, 0, 0])
  assert.throws(() => new ChunkReader().feed(tooLong), RangeError)
  const begun = Buffer.concat([Buffer.from([0x03, 0, 0, 0, 0, 1, 0, 9, 0, 0, 0, 0]), Buffer.alloc(128)])
  const shorter = Buffer.from([0x03, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0])
  assert.throws(() => new ChunkReader().feed(Buffer.concat([begun, shorter])), RangeError)
})

test('a server survives 200 sessions of noise after a good greeting', async () => {
  const port = await freePort()
  await using server = await startRtmp({ at: { host: '127.0.0.1', port } }, async () => null)
  const greet = Buffer.concat([Buffer.from([3]), Buffer.alloc(3072)])
  for (const noise of fc.sample(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), 200)) {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(Buffer.concat([greet, Buffer.from(noise)]))
    socket.resume()
    socket.end()
    await closed
  }
  assert.equal(server.facts().refusedKeys, 0)
})

test('idle connections take no place from an encoder: the oldest of them gives way', async () => {
  const port = await freePort()
  const asked: string[] = []
  const sink = { tag: () => true, gone: () => {} }
  const take = async (key: string) => (asked.push(key), sink)
  for (const { proxies, idle } of [
    { proxies: [], idle: 40 },
    { proxies: ['127.0.0.1'], idle: 600 },
  ]) {
    await using server = await startRtmp({ at: { host: '127.0.0.1', port }, proxies }, take)
    const idlers = Array.from({ length: idle }, () => net.connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(idlers.map((one) => new Promise((resolve) => one.once('connect', resolve))))
    const encoder = net.connect(port, '127.0.0.1')
    encoder.resume()
    encoder.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(3072)]))
    encoder.write(writeMessage({ type: 20, stream: 1, body: writeAmf('publish', 1, null, `key-${idle}`, 'live') }))
    while (!asked.includes(`key-${idle}`)) await setTimeout(5)
    // Ones that come after it push out each other, not the encoder.
    const more = Array.from({ length: idle }, () => net.connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(more.map((one) => new Promise((resolve) => one.once('connect', resolve))))
    await setTimeout(50)
    assert.equal(encoder.closed, false)
    assert.ok(server.facts().connections <= (proxies.length > 0 ? 513 : 33), `${server.facts().connections} are open`)
    for (const one of [...idlers, ...more, encoder]) one.destroy()
  }
})

test('what has come already waits, too, while an encoder is held, and comes in its order after', async () => {
  const port = await freePort()
  const heard: number[] = []
  const held: (() => void)[] = []
  await using _server = await startRtmp({ at: { host: '127.0.0.1', port } }, async (_, publisher) => {
    held.push(() => publisher.resume())
    return { tag: (_type, _time, body) => heard.push(body.readUInt8(0)) % 10 !== 0, gone: () => {} }
  })
  const encoder = net.connect(port, '127.0.0.1')
  encoder.resume()
  encoder.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(3072)]))
  encoder.write(writeMessage({ type: 20, stream: 1, body: writeAmf('publish', 1, null, 'key', 'live') }))
  while (held.length === 0) await setTimeout(5)
  await setTimeout(20)
  const numbers = Array.from({ length: 45 }, (_, index) => index)
  encoder.write(
    Buffer.concat(numbers.map((number) => writeMessage({ type: 9, stream: 1, body: Buffer.from([number]) }))),
  )
  for (const count of [10, 20, 30, 40, 45]) {
    while (heard.length < count) await setTimeout(5)
    await setTimeout(20)
    assert.deepEqual(heard, numbers.slice(0, count))
    held[0]?.()
  }
  encoder.destroy()
})

test('behind a wrong key a place waits before its next one is asked for, and who is gone by then is not; a right one ends that', async () => {
  const port = await freePort()
  const asked: { key: string; at: number }[] = []
  const sink = { tag: () => true, gone: () => {} }
  await using _server = await startRtmp({ at: { host: '127.0.0.1', port } }, async (key) => {
    asked.push({ key, at: performance.now() })
    if (key === 'off') throw new Error('off')
    return key === 'right' ? sink : null
  })
  const shows = (key: string) => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {})
    socket.resume()
    socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(3072)]))
    socket.write(writeMessage({ type: 20, stream: 1, body: writeAmf('publish', 1, null, key, 'live') }))
    return socket
  }
  const hasBeen = async (key: string) => {
    for (;;) {
      const found = asked.find((one) => one.key === key)
      if (found) return found.at
      await setTimeout(5)
    }
  }
  const refused = async (key: string) => {
    const encoder = shows(key)
    await new Promise((resolve) => encoder.once('close', resolve))
  }
  // What is right and has no place now is no guess.
  await refused('off')
  await refused('off')
  const first = performance.now()
  const wrong = refused('wrong')
  assert.ok((await hasBeen('wrong')) - first < 200)
  await wrong
  // The same key again, as an encoder sends it for days, makes nobody wait longer.
  await Promise.all([1, 2, 3, 4].map(() => refused('wrong')))
  const gone = shows('gone')
  gone.once('data', () => gone.destroy())
  const began = performance.now()
  const encoders = [shows('right')]
  const waited = (await hasBeen('right')) - began
  assert.ok(waited > 200 && waited < 1_000, `${waited}`)
  const again = performance.now()
  encoders.push(shows('at once'))
  assert.ok((await hasBeen('at once')) - again < 200)
  assert.deepEqual([...new Set(asked.map(({ key }) => key))], ['off', 'wrong', 'right', 'at once'])
  for (const encoder of encoders) encoder.destroy()
})
