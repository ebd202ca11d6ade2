import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'node:test'
import { FlatTable } from '../steering/flat-table.ts'
import type { FlatName } from '../store/json-files.ts'
import { serve, silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { TYPE } from '../wire/codes.ts'
import { nameToWire } from '../wire/name.ts'
import { type FlatChanges, keepFlattened } from './flatten.ts'

const MANY = 300
const VENDOR = zoneOf(
  'vendor.test',
  [
    'edge 60 CNAME pop.vendor.test.\npop 40 A 198.51.100.2\npop 40 A 198.51.100.1\npop 40 AAAA 2001:db8::1',
    'quick 5 A 198.51.100.3',
    ...Array.from({ length: MANY }, (_, at) => `many${at} 5 A 198.51.100.4`),
  ].join('\n'),
)

/** Resolves against a name server of our own. */
async function flattened(wanted: Map<string, string | null>, known: FlatName[] = [], keep = async () => {}) {
  const served = await serve([VENDOR])
  const told: FlatChanges[] = []
  let changed: (changes: FlatChanges) => void = () => {}
  const next = () => new Promise<FlatChanges>((resolve) => (changed = resolve))
  const first = next()
  const kept = keepFlattened({
    resolver: `127.0.0.1:${served.at.port}`,
    wanted: () => wanted,
    known,
    changed: (changes) => (told.push(changes), changed(changes)),
    keep,
    clock: () => 1_000_000,
    log: silentLog,
  })
  return {
    first,
    next,
    told,
    refresh: () => kept.refresh(),
    served,
    async [Symbol.asyncDispose]() {
      kept[Symbol.dispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

test('the addresses of a name outside are found through its aliases, in a fixed order', async () => {
  await using names = await flattened(
    new Map([
      ['edge.vendor.test', 'o'],
      ['nothing.vendor.test', 'o'],
    ]),
  )
  names.refresh()
  assert.deepEqual(await names.first, {
    names: [
      { name: 'edge.vendor.test', expiresAt: 1_040_000, a: ['198.51.100.1', '198.51.100.2'], aaaa: ['2001:db8::1'] },
    ],
    gone: [],
  })
})

test('a name that cannot be resolved any more keeps its last addresses; one that nobody needs is forgotten', async () => {
  const wanted = new Map([
    ['gone.vendor.test', 'o'],
    ['edge.vendor.test', 'o'],
  ])
  const last = { name: 'gone.vendor.test', expiresAt: 900_000, a: ['192.0.2.1'], aaaa: [] }
  await using names = await flattened(wanted, [last])
  names.refresh()
  const { names: found, gone } = await names.first
  assert.deepEqual([found.map(({ name }) => name), gone], [['edge.vendor.test'], []])
  const second = names.next()
  wanted.delete('gone.vendor.test')
  names.refresh()
  assert.deepEqual(await second, { names: [], gone: ['gone.vendor.test'] })
})

test('a lifetime of seconds is asked for every half minute, and visitors are told of no longer one', async () => {
  await using names = await flattened(new Map([['quick.vendor.test', 'o']]))
  names.refresh()
  const { names: found } = await names.first
  assert.deepEqual(
    found.map(({ expiresAt, ttlSeconds }) => [expiresAt, ttlSeconds]),
    [[1_030_000, 5]],
  )
  const table = new FlatTable(() => 1_000_000)
  table.merge(found)
  const { bytes } = table.find(nameToWire('quick.vendor.test'), TYPE.A) ?? assert.fail()
  assert.equal(new DataView(bytes.buffer, bytes.byteOffset).getUint32(6), 5)
})

test('of many names that come at once each is told once, in a few words, and the disk is written to once at a time', async () => {
  const writes = { underWay: 0, most: 0, all: 0 }
  const wanted = new Map(Array.from({ length: MANY }, (_, at) => [`many${at}.vendor.test`, 'o']))
  await using names = await flattened(wanted, [], async () => {
    writes.all++
    writes.most = Math.max(writes.most, ++writes.underWay)
    await delay(300)
    writes.underWay--
  })
  names.refresh()
  const count = () => names.told.reduce((sum, told) => sum + told.names.length, 0)
  for (let tries = 0; tries < 300 && count() < MANY; tries++) await delay(20)
  assert.equal(count(), MANY)
  assert.ok(names.told.length <= 5, `${names.told.length} times`)
  assert.deepEqual([writes.all > 0 && writes.all <= 2, writes.most], [true, 1])
})
