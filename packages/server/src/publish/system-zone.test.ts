import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { DnsZone } from '@fairway/contract'
import { call } from '@fairway/platform'
import { keepListed, type Missed } from '../features/nodes/keep-listed.ts'
import { type ApiUnderTest, startApiUnderTest } from '../testing/api-under-test.ts'
import { until } from '../testing/until.ts'
import { publishHouseZones, systemZoneKey } from './system-zone.ts'

let api: ApiUnderTest
let missed: Missed = new Map()
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  missed = new Map()
  await run('DELETE FROM node')
  await api.database.system((tx) => publishHouseZones(tx, api.config))
  await leads('*.edge', '127.0.0.1')
})

const run = (sql: string, values: unknown[] = []) => api.database.system((tx) => tx.query(sql, values))

/** A node that has taken everything and stays there until it is said to be away. */
async function join(name: string, role: 'dns' | 'edge', addresses?: string[]): Promise<void> {
  await call(api.config, 'POST', '/nodes/v1/register/', { name, role, version: '1', controlUrl: null, addresses })
  await run(
    `UPDATE node SET last_seen_at = now() + interval '1 day', taken_revision = (SELECT revision FROM publication_counter) WHERE name = $1`,
    [name],
  )
}
const seen = (name: string, ago: string) =>
  run('UPDATE node SET last_seen_at = now() - $2::interval WHERE name = $1', [name, ago])

/** One look of the worker's, `nowMs` on its clock, after a while without a change unless it is `soon`. */
async function look(nowMs = 0, soon = false): Promise<number> {
  if (!soon) await run(`UPDATE node SET listed_at = now() - interval '1 hour' WHERE listed_at IS NOT NULL`)
  return (await api.database.system((tx) => keepListed(tx, api.config, missed, nowMs))).length
}

async function zone(): Promise<DnsZone | null> {
  const [row] = await api.database.system((tx) =>
    tx.query<{ body: DnsZone }>(`SELECT body FROM publication WHERE kind = 'dns-zone' AND key = $1`, [
      systemZoneKey(api.config),
    ]),
  )
  return row?.body ?? null
}
const answer = async (label: string) =>
  (await zone())?.rrsets
    .filter(({ name, type }) => name === `${label}.fairway.test` && (type === 'A' || type === 'AAAA'))
    .flatMap(({ rdata }) => rdata)
    .join()
const leads = (label: string, addresses: string) =>
  until(async () => (await answer(label)) === addresses, 10_000).catch(async () =>
    assert.equal(await answer(label), addresses, label),
  )

test('names of name servers and of the edge lead to the machines where they say that they are', async () => {
  await join('m1', 'dns', ['192.0.2.1', '2001:db8::1'])
  await join('m2', 'dns', ['192.0.2.2'])
  await join('m1', 'edge', ['192.0.2.1'])
  await join('m2', 'edge', ['2001:db8::2', '192.0.2.2'])
  await look()
  await leads('ns1', '192.0.2.1,2001:db8::1')
  await leads('ns2', '192.0.2.2')
  await leads('*.edge', '192.0.2.1,192.0.2.2,2001:db8::2')
  assert.equal((await zone())?.rrsets.find(({ name }) => name === 'ns1.fairway.test')?.ttlSeconds, 3600)
})

test('a machine that is gone leaves after a while, another takes its names, and it has them again when it is back', async () => {
  await join('m1', 'dns', ['192.0.2.1'])
  await join('m2', 'dns', ['192.0.2.2'])
  await look()
  await leads('ns2', '192.0.2.2')
  await seen('m2', '1 hour')
  assert.deepEqual([await look(0), await look(14_000)], [0, 0], 'what a restart takes changes nothing')
  assert.equal(await look(15_000), 1)
  await leads('ns2', '192.0.2.1')
  await seen('m2', '0 s')
  assert.equal(await look(16_000, true), 0, 'the zone does not follow a machine that comes and goes')
  await seen('m2', '-1 day')
  await look(50_000)
  await leads('ns2', '192.0.2.2')
})

test('when no machine is heard all names stay, and who is heard first does not stay alone', async () => {
  await join('m1', 'edge', ['192.0.2.1'])
  await join('m2', 'edge', ['192.0.2.2'])
  await look()
  await leads('*.edge', '192.0.2.1,192.0.2.2')
  for (const name of ['m1', 'm2']) await seen(name, '1 hour')
  assert.deepEqual([await look(0), await look(60_000)], [0, 0])
  await seen('m1', '-1 day')
  assert.deepEqual([await look(61_000), await look(70_000)], [0, 0])
  await leads('*.edge', '192.0.2.1,192.0.2.2')
})

test('a machine that tells no address is not named, and where none does nothing is published', async () => {
  await join('m1', 'edge', ['0.0.0.0', '::'])
  await join('m1', 'dns', [])
  await look()
  await leads('*.edge', '')
  await leads('ns1', '')
  await join('m2', 'edge', ['192.0.2.2'])
  await look()
  await leads('*.edge', '192.0.2.2')
})

test('beside nodes of the version before, which say nothing, the machine of the worker is named as it was', async () => {
  await join('old', 'edge')
  await look()
  await leads('*.edge', '127.0.0.1')
  await join('new', 'edge', ['192.0.2.2'])
  await look()
  await leads('*.edge', '192.0.2.2,127.0.0.1')
  await join('old', 'edge', ['192.0.2.1'])
  await look()
  await leads('*.edge', '192.0.2.2,192.0.2.1')
})

test('a machine that comes is named when it holds what others serve', async () => {
  await join('m1', 'edge', ['192.0.2.1'])
  await look()
  await join('m2', 'edge', ['192.0.2.2'])
  await run(`UPDATE node SET taken_revision = 0 WHERE name = 'm2'`)
  await run(`UPDATE publication SET published_at = now() - interval '1 hour' WHERE kind = 'simulated-cdn'`)
  assert.equal(await look(), 0)
  await leads('*.edge', '192.0.2.1')
  await run(`UPDATE node SET taken_revision = (SELECT revision FROM publication_counter) WHERE name = 'm2'`)
  await look()
  await leads('*.edge', '192.0.2.1,192.0.2.2')
})
