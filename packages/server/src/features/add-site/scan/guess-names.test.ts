import assert from 'node:assert/strict'
import { once } from 'node:events'
import dgram from 'node:dgram'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'node:test'
import { ownPeer } from '@fairway/platform'
import { guessNames } from './guess-names.ts'
import { PacedAsker } from './paced-asker.ts'

const FAR = { until: Infinity, report() {} }

/** Answers everything with another address, after a while; a text is as long as wanted. */
async function nameServer({
  afterMs = 0,
  textCharacters = 10,
  timeoutMs = 1_500,
  drops = (_label: string, _time: number): boolean => false,
} = {}) {
  const socket = dgram.createSocket('udp4')
  let answers = 0
  const times = new Map<string, number>()
  socket.on('message', (query, { port }) => {
    const end = query.indexOf(0, 12) + 5
    const label = query.toString('latin1', 13, 13 + (query[12] ?? 0)).toLowerCase()
    times.set(label, (times.get(label) ?? 0) + 1)
    if (drops(label, times.get(label) ?? 0)) return
    const type = query.readUInt16BE(end - 4)
    const rdata =
      type === 1
        ? Buffer.from([192, 0, 2, answers++ % 250])
        : type === 16
          ? Buffer.concat(
              Array.from({ length: Math.ceil(textCharacters / 200) }, () =>
                Buffer.concat([Buffer.from([200]), Buffer.alloc(200, 'x')]),
              ),
            )
          : null
    const head = Buffer.from([...query.subarray(0, 2), 0x84, 0, 0, 1, 0, rdata ? 1 : 0, 0, 0, 0, 0])
    const answer = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0])
    answer.writeUInt16BE(rdata?.length ?? 0, 10)
    const reply = Buffer.concat([head, query.subarray(12, end), ...(rdata ? [answer, rdata] : [])])
    setTimeout(() => socket.send(reply, port, '127.0.0.1', () => {}), afterMs)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const paced = new PacedAsker(
    [ownPeer({ host: '127.0.0.1', port: socket.address().port })],
    5_000,
    AbortSignal.timeout(60_000),
    timeoutMs,
  )
  return {
    paced,
    async [Symbol.asyncDispose]() {
      await paced[Symbol.asyncDispose]()
      // An answer may be on its way.
      await delay(afterMs)
      socket.close()
    },
  }
}

test('a name server that drags its answers out is left with what it has said when the time is over', async () => {
  await using server = await nameServer({ afterMs: 300 })
  const began = performance.now()
  const { namesAsked } = await guessNames(server.paced, 'slow.test', {
    ...FAR,
    until: began + 3_000,
    most: { records: 1_000, characters: 100_000, longest: 4_096 },
  })
  assert.ok(namesAsked > 0 && namesAsked < 600, `${namesAsked} names`)
  assert.ok(performance.now() - began < 8_000)
})

test('of a zone that answers everything so many records are kept, and none that is longer than anybody writes', async () => {
  await using server = await nameServer({ textCharacters: 5_000 })
  const most = { records: 40, characters: 100_000, longest: 4_096 }
  const { records } = await guessNames(server.paced, 'endless.test', { ...FAR, most })
  assert.equal(records.length, 40)
  assert.ok(records.every(({ type }) => type === 'A'))
})

test('names that no server answers for are told, not taken for absent, and asked once more', async () => {
  const most = { records: 10_000, characters: 10_000_000, longest: 4_096 }
  // Each question is sent four times before it counts as not answered.
  await using server = await nameServer({
    timeoutMs: 200,
    drops: (label, time) => label === 'www' || (label === 'portal' && time <= 4),
  })
  const { records, unanswered } = await guessNames(server.paced, 'lossy.test', { ...FAR, most })
  // On a busy machine others are slow as well.
  assert.ok(unanswered.includes('www.lossy.test'), unanswered.join(' '))
  assert.ok(records.some(({ name }) => name === 'portal.lossy.test'))
})

test('names that there was no time for are told', async () => {
  await using server = await nameServer({ afterMs: 300 })
  const most = { records: 1_000, characters: 100_000, longest: 4_096 }
  const { namesAsked, unanswered } = await guessNames(server.paced, 'late.test', {
    ...FAR,
    until: performance.now() + 700,
    most,
  })
  assert.ok(unanswered.length > namesAsked, `${unanswered.length} of ${namesAsked + unanswered.length}`)
})
