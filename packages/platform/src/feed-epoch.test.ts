import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from './config.ts'
import { FeedEpoch } from './feed-epoch.ts'
import { followFeed } from './feed.ts'
import { makeLog } from './log.ts'

const [BEFORE, AFTER] = ['6f1b2c44-0a52-4d57-9d0e-0d2b1f3c4a5b', '9a3d5e77-1b63-4e68-8e1f-1e3c2a4d5b6c']
const document = (revision: number, key: string) =>
  `data: ${JSON.stringify({ revision, kind: 'probe-targets', key, version: revision, body: { organizationId: key, version: revision, targets: [] } })}\n\n`

async function until(what: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !what(); await delay(20)) assert.ok(Date.now() < end, 'did not happen')
}

test('with another epoch a node takes everything anew, and what is published no more is withdrawn, once', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-epoch-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  let state = { epoch: BEFORE, documents: [document(500, 'stays'), document(501, 'lost')] }
  const streams = new Set<http.ServerResponse>()
  const cursors: number[] = []
  const server = http.createServer(async (request, response) => {
    await request.toArray()
    if (request.url?.endsWith('/register/')) return response.end(JSON.stringify({ nodeId: 'n1', epoch: state.epoch }))
    if (request.url?.endsWith('/acknowledgements/')) return response.end('{}')
    cursors.push(Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor')))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`${state.documents.join('')}: whole\n\n`)
    streams.add(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => (server.closeAllConnections(), server.close()))
  const config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    FAIRWAY_NODE_TOKEN: 'x',
  })
  const held = new Set<string>()
  let failures = 0
  const errors: unknown[] = []
  const follow = () =>
    followFeed({
      config,
      role: 'dns',
      kinds: ['probe-targets'],
      log: Object.assign(makeLog('dns', { logLevel: 'silent' }), {
        error: (entry: { event?: string }) => entry.event === 'feed.too-much-missing' && errors.push(entry),
      }),
      held: () => [...held].map((key) => ({ kind: 'probe-targets' as const, key })),
      apply({ key, body }) {
        if (body !== null) return void held.add(key)
        if (failures-- > 0) throw new Error('the disk is full')
        held.delete(key)
      },
    })
  const change = (next: typeof state) => {
    state = next
    for (const stream of streams) stream.destroy()
    streams.clear()
  }
  const kept = () => fs.existsSync(path.join(home, 'nodes', 'dns', 'epoch'))
  {
    await using _feed = follow()
    await until(() => held.has('lost') && kept())
    failures = 1
    // What cannot be withdrawn at once is tried again. Restored to a time before: lower revisions than the node has had.
    change({ epoch: AFTER, documents: [document(20, 'stays'), document(21, 'new')] })
    await until(() => held.has('new') && !held.has('lost'))
    assert.deepEqual([...held].sort(), ['new', 'stays'])
    assert.deepEqual(cursors, [0, 0])
    await until(() => fs.readFileSync(path.join(home, 'nodes', 'dns', 'epoch'), 'utf8') === AFTER)
    change({ epoch: AFTER, documents: [] })
    await until(() => cursors.length === 3)
    assert.equal(cursors[2], 21)
  }
  // A whole of another installation, or of an empty one, is no reason to end all, nor is a start in the same epoch.
  change({ epoch: AFTER, documents: [document(20, 'stays')] })
  const file = path.join(home, 'nodes', 'dns', 'epoch')
  {
    await using _feed = follow()
    await until(() => cursors.length === 4)
    await delay(100)
    assert.deepEqual([...held].sort(), ['new', 'stays'])
    change({ epoch: BEFORE, documents: [document(20, 'system:service.example')] })
    await until(() => errors.length === 1)
    assert.deepEqual([...held].sort(), ['new', 'stays', 'system:service.example'])
    assert.equal(fs.readFileSync(file, 'utf8'), AFTER)
  }
  // It is compared again with each start, until somebody says that it is right.
  fs.writeFileSync(`${file}.withdraw`, '')
  await using _feed = follow()
  await until(() => fs.readFileSync(file, 'utf8') === BEFORE)
  assert.deepEqual([[...held], fs.existsSync(`${file}.withdraw`)], [['system:service.example'], false])
})

test('most of what a node holds is not withdrawn, nor all of two or more documents of customers', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-epoch-'))
  const names = (count: number, first = 0) =>
    Array.from({ length: count }, (_, at) => ({ kind: 'dns-zone' as const, key: `zone-${first + at}` }))
  const house = { kind: 'dns-zone' as const, key: 'system:service.example' }
  const gone = (held: number, named: number) => {
    const epoch = new FeedEpoch({ home }, 'dns', makeLog('dns', { logLevel: 'silent' }))
    epoch.current = BEFORE
    assert.ok(epoch.heard(AFTER))
    for (const one of [house, ...names(named)]) epoch.named(one)
    return epoch.left([house, ...names(held)]).length
  }
  const cases = [
    [1, 0],
    [2, 0],
    [2, 1],
    [20, 1],
    [60, 28],
    [60, 32],
  ] as const
  assert.deepEqual(
    cases.map(([held, named]) => gone(held, named)),
    [1, 0, 1, 19, 0, 28],
  )
  fs.rmSync(home, { recursive: true })
})
