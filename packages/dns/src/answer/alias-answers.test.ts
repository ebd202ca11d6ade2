import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, serve, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

const alias = (name: string, target: string) => ({ name, target, ttlSeconds: 60 })
let served: Served
before(async () => {
  served = await serve([
    zoneOf('one.test', 'www 300 TXT "x"', {
      aliases: [
        alias('one.test', 'host.two.test'),
        alias('www.one.test', 'short.two.test'),
        alias('far.one.test', 'host.elsewhere.test'),
        alias('none.one.test', 'nothing.two.test'),
      ],
    }),
    zoneOf('two.test', 'host 300 A 192.0.2.9\nhost 300 AAAA 2001:db8::9\nshort 30 CNAME host.two.test.'),
  ])
})
after(() => served[Symbol.asyncDispose]())

const answers = async (name: string, type = 'A') => {
  const { rcode, answers: records } = await ask(served.at, name, { type })
  return [rcode, ...records.map((record) => `${record.name} ${record.type} ${record.ttl} ${String(record.data)}`)]
}

test('an ALIAS of a name in another zone of ours answers its addresses from memory, for no longer than its own lifetime', async () => {
  assert.deepEqual(await answers('one.test'), ['NOERROR', 'one.test A 60 192.0.2.9'])
  assert.deepEqual(await answers('one.test', 'AAAA'), ['NOERROR', 'one.test AAAA 60 2001:db8::9'])
  assert.deepEqual(
    await answers('www.one.test'),
    ['NOERROR', 'www.one.test A 60 192.0.2.9'],
    'through a CNAME of that zone',
  )
})

test('a change there is answered here with the next question', async () => {
  await served.put(zoneOf('two.test', 'host 300 A 192.0.2.10\nshort 30 CNAME host.two.test.', { version: 2 }))
  assert.deepEqual(await answers('one.test'), ['NOERROR', 'one.test A 60 192.0.2.10'])
  assert.deepEqual(await answers('one.test', 'AAAA'), ['NOERROR'], 'it has none any more')
})

test('an ALIAS of what is not known is a failure of ours, not an answer', async () => {
  for (const name of ['far.one.test', 'none.one.test']) assert.deepEqual(await answers(name), ['SERVFAIL'])
})
