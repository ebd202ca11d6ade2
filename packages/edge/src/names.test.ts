import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { it } from 'node:test'
import { loadConfig, OutgoingGate } from '@fairway/platform'
import { originNames } from './names.ts'
import { eventually, recordingLog } from './testing/edge-under-test.ts'

/** A resolver that answers every A question with one address, or with a failure while there is none. */
async function startResolver() {
  const state: { address: string | null; lateMs: number; waiting: number; most: number; asked: number } = {
    address: '192.0.2.7',
    lateMs: 0,
    waiting: 0,
    most: 0,
    asked: 0,
  }
  const socket = dgram.createSocket('udp4')
  let isOpen = true
  socket.on('message', (query, from) => {
    const isA = query.readUInt16BE(query.length - 4) === 1 || query.includes(Buffer.from([0, 1, 0, 1]))
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(state.address ? 0x8180 : 0x8182, 2)
    header.writeUInt16BE(state.address && isA ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const record =
      state.address && isA
        ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...state.address.split('.').map(Number)])
        : Buffer.alloc(0)
    state.asked += 1
    state.most = Math.max(state.most, ++state.waiting)
    setTimeout(() => {
      state.waiting -= 1
      if (isOpen) socket.send(Buffer.concat([header, question, record]), from.port, from.address)
    }, state.lateMs)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { state, at: `127.0.0.1:${socket.address().port}`, [Symbol.dispose]: () => ((isOpen = false), socket.close()) }
}

const gateAt = (resolver: string, privateNetworks = '', log = recordingLog()) =>
  new OutgoingGate({
    config: loadConfig({ FAIRWAY_RESOLVER: resolver, FAIRWAY_PRIVATE_NETWORKS: privateNetworks }),
    log,
  })
const WANTED = new Map([['origin.example.test', 'org-1']])

it("an origin's name keeps its last good addresses while the resolver fails, and follows it when it answers anew", async () => {
  using resolver = await startResolver()
  const changes: unknown[] = []
  using names = originNames({
    gate: gateAt(resolver.at, '192.0.2.0/24'),
    wanted: () => WANTED,
    changed: (table) => changes.push(table),
    log: recordingLog(),
    refreshMs: 30,
  })
  assert.deepEqual(await names.ensure(WANTED), { 'origin.example.test': ['192.0.2.7'] })
  resolver.state.address = null
  const log = changes.length
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(await names.ensure(WANTED), { 'origin.example.test': ['192.0.2.7'] })
  assert.equal(changes.length, log)
  resolver.state.address = '192.0.2.8'
  await eventually(() => assert.deepEqual(changes.at(-1), { 'origin.example.test': ['192.0.2.8'] }))
  assert.deepEqual(names.unresolved(), [])
})

it('an origin whose name leads into our own networks later keeps its last public address, and the operator is told', async () => {
  using resolver = await startResolver()
  const log = recordingLog()
  const changes: unknown[] = []
  resolver.state.address = '8.8.8.8'
  using names = originNames({
    gate: gateAt(resolver.at, '', log),
    wanted: () => WANTED,
    changed: (table) => changes.push(table),
    log,
    refreshMs: 20,
  })
  const before = { 'origin.example.test': ['8.8.8.8'] }
  assert.deepEqual(await names.ensure(WANTED), before)
  const told = changes.length
  for (const inner of ['127.0.0.1', '169.254.169.254', '10.0.0.8']) {
    const asked = resolver.state.asked
    resolver.state.address = inner
    await eventually(() => assert.ok(resolver.state.asked > asked + 4))
    await eventually(() => assert.ok(log.lines.some(({ event }) => event === 'origin.unresolved')))
    assert.deepEqual(await names.ensure(WANTED), before)
  }
  assert.equal(changes.length, told)
  resolver.state.address = '9.9.9.9'
  await eventually(() => assert.deepEqual(changes.at(-1), { 'origin.example.test': ['9.9.9.9'] }))
})

it('a customer whose names nobody answers for is waited for once, and others’ names as ever', async () => {
  const silent = new Promise<string[]>(() => {})
  const gate = {
    addresses: ({ organizationId }: { organizationId: string }) =>
      organizationId === 'org-silent' ? silent : Promise.resolve(['192.0.2.7']),
  } as unknown as OutgoingGate
  using names = originNames({
    gate,
    wanted: () => WANTED,
    changed: () => {},
    log: recordingLog(),
    firstAnswerMs: 150,
  })
  const took = async (name: string, owner: string) => {
    const began = performance.now()
    const table = await names.ensure(new Map([[name, owner]]))
    return [Object.keys(table).length, performance.now() - began > 100]
  }
  assert.deepEqual(await took('a.example.test', 'org-silent'), [0, true])
  assert.deepEqual(await took('a.example.test', 'org-silent'), [0, false])
  assert.deepEqual(await took('b.example.test', 'org-silent'), [0, false])
  assert.deepEqual(await took('c.example.test', 'org-2'), [1, false])
})

it('hundreds of names are not asked for all at once, and what is wrong with one is told once', async () => {
  using resolver = await startResolver()
  const log = recordingLog()
  const many = new Map(Array.from({ length: 300 }, (_, n) => [`origin-${n}.example.test`, 'org-1']))
  const of = (event: string) => log.lines.filter((line) => line.event === event).length
  resolver.state.lateMs = 20
  using names = originNames({
    gate: gateAt(resolver.at, '192.0.2.0/24'),
    wanted: () => many,
    changed: () => {},
    log,
    refreshMs: 50,
    firstAnswerMs: 10_000,
  })
  assert.equal(Object.keys(await names.ensure(many)).length, 300)
  // Both kinds of address are asked for, for at most 64 names of a round and as many of what is new.
  assert.ok(resolver.state.most <= 256, `${resolver.state.most} questions at once`)
  Object.assign(resolver.state, { address: null, lateMs: 0 })
  await eventually(() => assert.equal(of('origin.unresolved'), 300))
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(of('origin.unresolved'), 300)
})
