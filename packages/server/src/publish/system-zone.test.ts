import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import type { DnsZone } from '@fairway/contract'
import { call, type Config, OutgoingGate } from '@fairway/platform'
import { answersItself } from '../features/nodes/answers-itself.ts'
import { keepListed, type Listing, type Missed } from '../features/nodes/keep-listed.ts'
import { type ApiUnderTest, startApiUnderTest } from '../testing/api-under-test.ts'
import { until } from '../testing/until.ts'
import { houseMachines } from './house-addresses.ts'
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
    `UPDATE node SET last_seen_at = now() + interval '1 day', is_beside_api = false, taken_revision = (SELECT revision FROM publication_counter) WHERE name = $1`,
    [name],
  )
}
const seen = (name: string, ago: string) =>
  run('UPDATE node SET last_seen_at = now() - $2::interval WHERE name = $1', [name, ago])

/** One look of the worker's, `nowMs` on its clock, after a while without a change unless it is `soon`. */
async function look(nowMs = 0, soon = false): Promise<number> {
  return (await looked(nowMs, new Set(), soon)).changed.length
}
async function looked(nowMs: number, silent: ReadonlySet<string>, soon = false): Promise<Listing> {
  if (!soon) await run(`UPDATE node SET listed_at = now() - interval '1 hour' WHERE listed_at IS NOT NULL`)
  return api.database.system((tx) => keepListed(tx, api.config, missed, nowMs, silent))
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
const machines = async (settings: Partial<Config>) =>
  (await api.database.system((tx) => houseMachines(tx, { ...api.config, ...settings }, 'edge'))).flatMap(
    ({ addresses, isListed }) => (isListed ? addresses : []),
  )
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
  await leads('ns1', '192.0.2.1,192.0.2.2,2001:db8::1')
  await leads('ns2', '192.0.2.2,192.0.2.1,2001:db8::1')
  await leads('*.edge', '192.0.2.1,192.0.2.2,2001:db8::2')
  assert.equal((await zone())?.rrsets.find(({ name }) => name === 'ns1.fairway.test')?.ttlSeconds, 3600)
})

test('a machine that is gone leaves after a while, another takes its names, and it has them again when it is back', async () => {
  await join('m1', 'dns', ['192.0.2.1'])
  await join('m2', 'dns', ['192.0.2.2'])
  await look()
  await leads('ns2', '192.0.2.2,192.0.2.1')
  await seen('m2', '1 hour')
  assert.deepEqual([await look(0), await look(14_000)], [0, 0], 'what a restart takes changes nothing')
  assert.equal(await look(15_000), 1)
  await leads('ns2', '192.0.2.1')
  await seen('m2', '0 s')
  assert.equal(await look(16_000, true), 0, 'the zone does not follow a machine that comes and goes')
  await seen('m2', '-1 day')
  await look(50_000)
  await leads('ns2', '192.0.2.2,192.0.2.1')
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
  assert.deepEqual(await machines({ edgeHttp: { host: '192.0.2.7', port: 80 } }), ['192.0.2.2', '192.0.2.7'])
  await leads('*.edge', '192.0.2.2')
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

test('loopback is for trials: it is left out as soon as some machine has another address', async () => {
  await join('m1', 'dns', ['127.0.0.1'])
  await look()
  await leads('ns1', '127.0.0.1')
  await join('m2', 'dns', ['127.0.0.1', '192.0.2.2'])
  await look()
  await leads('ns1', '192.0.2.2')
  await leads('ns2', '192.0.2.2')
  // That it is heard proves nothing: names do not come back to it.
  await seen('m2', '1 hour')
  assert.deepEqual([await look(0), await look(60_000)], [0, 0])
  await leads('ns1', '192.0.2.2')
})

test('a machine that loses its addresses stays named while no other has any, and leaves after a while else', async () => {
  await join('m1', 'edge', ['192.0.2.1'])
  await look()
  await leads('*.edge', '192.0.2.1')
  await join('m1', 'edge', [])
  assert.deepEqual([await look(0), await look(60_000)], [0, 0])
  await join('m2', 'edge', ['192.0.2.2'])
  assert.deepEqual([await look(70_000), await look(80_000)], [1, 0])
  await leads('*.edge', '192.0.2.1,192.0.2.2')
  assert.equal(await look(85_000), 1)
  await leads('*.edge', '192.0.2.2')
})

test('where nodes know no address, the one that the worker was told is named, and loopback is not', async () => {
  await join('m1', 'edge', [])
  await look()
  await leads('*.edge', '')
  assert.deepEqual(await machines({ edgeAddresses: ['192.0.2.7'] }), ['192.0.2.7'])
})

test('beside the API one is heard when nobody else can be: then who is missed leaves only if it does not answer', async () => {
  for (const name of ['m1', 'm2', 'm3']) await join(name, 'edge', [`192.0.2.${name.slice(1)}`])
  await call(api.config, 'POST', '/nodes/v1/register/', {
    name: 'm1',
    role: 'edge',
    version: '1',
    controlUrl: null,
    addresses: ['192.0.2.1'],
    epoch: randomUUID(),
  })
  await seen('m1', '-1 day')
  await look()
  for (const name of ['m2', 'm3']) await seen(name, '1 hour')
  assert.deepEqual((await looked(0, new Set())).doubted, [])
  const { changed, doubted } = await looked(15_000, new Set())
  assert.deepEqual([changed, doubted.map(({ name }) => name)], [[], ['m2', 'm3']])
  assert.equal(
    (await looked(16_000, new Set(doubted.filter(({ name }) => name === 'm3').map(({ id }) => id)))).changed.length,
    1,
  )
  await leads('*.edge', '192.0.2.1,192.0.2.2')
  // The way is good again: who is not the first to be back has its time.
  await seen('m3', '-1 day')
  await look(60_000)
  await leads('*.edge', '192.0.2.1,192.0.2.2,192.0.2.3')
  assert.deepEqual([await look(70_000), await look(75_000)], [0, 1])
  await leads('*.edge', '192.0.2.1,192.0.2.3')
})

test('a machine that is made anew under its name holds nothing, and is named when it has taken everything', async () => {
  for (const name of ['m1', 'm2']) await join(name, 'edge', [`192.0.2.${name.slice(1)}`])
  await run(`UPDATE publication SET published_at = now() - interval '1 hour' WHERE kind = 'simulated-cdn'`)
  await look()
  await seen('m2', '1 hour')
  await look(0)
  await look(15_000)
  await leads('*.edge', '192.0.2.1')
  const register = async (told: { epoch?: string }) => {
    await call(api.config, 'POST', '/nodes/v1/register/', {
      name: 'm2',
      role: 'edge',
      version: '1',
      controlUrl: null,
      addresses: ['192.0.2.2'],
      ...told,
    })
    await seen('m2', '-1 day')
    return look(60_000)
  }
  assert.equal(await register({}), 0)
  await run(`UPDATE node SET taken_revision = (SELECT revision FROM publication_counter) WHERE name = 'm2'`)
  assert.equal(await register({ epoch: randomUUID() }), 1)
})

test('a name server and an edge answer for themselves, one that has lost its zones does not', async () => {
  let answers = 1
  let lost = 1
  const server = createSocket('udp4', (query, from) => {
    if (lost-- > 0) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    // RFC 1035 4.1: the id, a response, one question and so many answers of an A record at the question's name.
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x84, 0, 0, 1, 0, answers, 0, 0, 0, 0])
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 1])
    server.send(Buffer.concat([head, question, ...(answers > 0 ? [answer] : [])]), from.port, from.address)
  })
  const edge = http.createServer((request, response) => {
    response.statusCode = request.url === '/.well-known/cdn/health' ? 200 : 404
    response.end()
  })
  await Promise.all([once(server.bind(0, '127.0.0.1'), 'listening'), once(edge.listen(0, '127.0.0.1'), 'listening')])
  try {
    const at = (port: number) => ({ host: '127.0.0.1', port })
    const config = {
      ...api.config,
      dnsListen: at(server.address().port),
      edgeHttp: at((edge.address() as AddressInfo).port),
    }
    const gate = new OutgoingGate({ config, log: api.log })
    const ask = (role: 'dns' | 'edge', ...addresses: string[]) => answersItself(config, gate, role, addresses)
    assert.deepEqual([await ask('dns', '127.0.0.1'), await ask('edge', '127.0.0.1')], [true, true])
    answers = 0
    edge.close()
    edge.closeAllConnections()
    assert.deepEqual(
      [await ask('dns', '127.0.0.1'), await ask('edge', '127.0.0.1'), await ask('dns')],
      [false, false, false],
    )
  } finally {
    server.close()
  }
})
