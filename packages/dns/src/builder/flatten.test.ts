import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlatName } from '../store/json-files.ts'
import { serve, silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { keepFlattened } from './flatten.ts'

const VENDOR = zoneOf(
  'vendor.test',
  'edge 60 CNAME pop.vendor.test.\npop 20 A 198.51.100.2\npop 20 A 198.51.100.1\npop 20 AAAA 2001:db8::1\nold 60 A 198.51.100.3',
)

/** Resolves against a name server of our own. */
async function flattened(wanted: Set<string>, known: FlatName[] = []) {
  const served = await serve([VENDOR])
  let changed: (names: FlatName[]) => void = () => {}
  const next = () => new Promise<FlatName[]>((resolve) => (changed = resolve))
  const first = next()
  const kept = keepFlattened({
    resolver: `127.0.0.1:${served.at.port}`,
    wanted: () => wanted,
    known,
    changed: (names) => changed(names),
    clock: () => 1_000_000,
    log: silentLog,
  })
  return {
    first,
    next,
    refresh: () => kept.refresh(),
    served,
    async [Symbol.asyncDispose]() {
      kept[Symbol.dispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

test('the addresses of a name outside are found through its aliases, in a fixed order', async () => {
  await using names = await flattened(new Set(['edge.vendor.test', 'nothing.vendor.test']))
  names.refresh()
  assert.deepEqual(await names.first, [
    { name: 'edge.vendor.test', expiresAt: 1_020_000, a: ['198.51.100.1', '198.51.100.2'], aaaa: ['2001:db8::1'] },
  ])
})

test('a name that cannot be resolved any more keeps its last addresses; one that nobody needs is forgotten', async () => {
  const wanted = new Set(['gone.vendor.test', 'edge.vendor.test'])
  const last = { name: 'gone.vendor.test', expiresAt: 900_000, a: ['192.0.2.1'], aaaa: [] }
  await using names = await flattened(wanted, [last])
  names.refresh()
  assert.deepEqual(
    (await names.first).map((name) => name.name),
    ['gone.vendor.test', 'edge.vendor.test'],
  )
  const second = names.next()
  wanted.delete('gone.vendor.test')
  names.refresh()
  assert.deepEqual(
    (await second).map((name) => name.name),
    ['edge.vendor.test'],
  )
})
