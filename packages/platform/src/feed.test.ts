import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Acknowledgement, Publication } from '@fairway/contract'
import { loadConfig } from './config.ts'
import { followFeed } from './feed.ts'
import { makeLog } from './log.ts'

const TARGET = { cdnId: 'swiftlane', host: 'a.example', address: null, port: 443, tls: true, path: '/' }
const targets = (organizationId: string, ...more: object[]) => ({ organizationId, version: 1, targets: more })
const published = (revision: number, key: string, body: unknown) =>
  JSON.stringify({ revision, kind: 'probe-targets', key, version: revision, body })

/** An API of another version that publishes these texts, and whoever comes again is told from which cursor. */
async function otherVersion(texts: string[], inPieces: (text: string) => string[] = (text) => [text]) {
  const acknowledged: Acknowledgement[] = []
  const cursors: string[] = []
  const registered: { addresses?: string[] }[] = []
  const taken: number[] = []
  const server = http.createServer(async (request, response) => {
    const chunks = await request.toArray()
    if (request.url?.endsWith('/register/')) {
      registered.push(JSON.parse(Buffer.concat(chunks).toString()) as { addresses?: string[] })
      return response.end(JSON.stringify({ nodeId: 'n1' }))
    }
    if (request.url?.endsWith('/acknowledgements/')) {
      const told = JSON.parse(Buffer.concat(chunks).toString()) as {
        acknowledgements: Acknowledgement[]
        cursor: number
      }
      taken.push(told.cursor)
      acknowledged.push(...told.acknowledgements)
      return response.end('{}')
    }
    cursors.push(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? '')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of inPieces(texts.map((text) => `data: ${text}\n\n`).join(''))) {
      response.write(piece)
      await delay(5)
    }
    // The first connection breaks off.
    if (cursors.length === 1) setTimeout(() => response.destroy(), 300)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    acknowledged,
    cursors,
    registered,
    taken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function until(what: () => boolean, ms = 30_000): Promise<void> {
  for (const end = Date.now() + ms; !what(); await delay(20)) assert.ok(Date.now() < end, 'did not happen')
}

test('documents a version newer and older are taken, and one that cannot be read stands in no way', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  await using api = await otherVersion([
    published(1, 'older', targets('older', TARGET)),
    published(2, 'newer', { ...targets('newer', { ...TARGET, house: true, mood: 'calm' }), since: { serial: 1 } }),
    published(3, 'strange', targets('strange', { ...TARGET, port: 'https' })),
    published(4, 'after', targets('after')),
  ])
  const applied: Publication[] = []
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_API_URL: api.url, FAIRWAY_LOG_LEVEL: 'error' })
  await using feed = followFeed({
    config,
    role: 'dns',
    kinds: ['probe-targets'],
    apply: (publication) => void applied.push(publication),
    log: makeLog('dns', { logLevel: 'silent' }),
  })
  await until(() => api.acknowledged.length >= 4 && api.cursors.length >= 2)
  assert.deepEqual(
    applied.slice(0, 3).map(({ key }) => key),
    ['older', 'newer', 'after'],
  )
  // What the older did not say yet has its default; what only the newer knows is left out.
  assert.deepEqual(
    applied.slice(0, 2).map(({ body }) => body),
    [targets('older', { ...TARGET, house: false }), targets('newer', { ...TARGET, house: true })],
  )
  const words = Object.fromEntries(api.acknowledged.map(({ key, ok, reason }) => [key, ok || reason]))
  assert.deepEqual([words['older'], words['newer'], words['after']], [true, true, true])
  assert.match(String(words['strange']), /cannot read it: body\.targets\.0\.port: /)
  assert.equal(feed.cursor(), 4)
  assert.deepEqual(api.cursors.slice(0, 2), ['0', '4'])
})

test('what takes long keeps nothing of others waiting, later news of it and another such one wait, and it is not told as taken before it is', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  await using api = await otherVersion([
    published(1, 'first', targets('first')),
    published(2, 'long', targets('long', TARGET)),
    published(3, 'other', targets('other')),
    published(4, 'long', targets('long')),
    published(5, 'last', targets('last')),
    published(6, 'as long', targets('as long')),
  ])
  const applied: string[] = []
  const going = Promise.withResolvers<void>()
  await using feed = followFeed({
    config: loadConfig({ FAIRWAY_HOME: home, FAIRWAY_API_URL: api.url, FAIRWAY_LOG_LEVEL: 'error' }),
    role: 'dns',
    kinds: ['probe-targets'],
    log: makeLog('dns', { logLevel: 'silent' }),
    takesLong: ({ revision }) => revision === 2 || revision === 6,
    applyTogether: {
      kind: 'probe-targets',
      apply: async (together) => void applied.push(...together.map(({ revision }) => String(revision))),
    },
    async apply({ revision }) {
      if (revision === 2) await going.promise
      applied.push(String(revision))
    },
  })
  await until(() => api.acknowledged.some(({ key }) => key === 'last') && feed.cursor() === 5)
  assert.deepEqual(applied, ['1', '3', '5'])
  assert.deepEqual([...new Set(api.taken)], [1])
  going.resolve()
  await until(() => api.acknowledged.some(({ key }) => key === 'as long'))
  assert.deepEqual(applied, ['1', '3', '5', '2', '4', '6'])
  await until(() => api.taken.at(-1) === 6)
})

test('a withdrawal of what still takes long comes before what follows it, which may have the name by then', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  await using api = await otherVersion([
    published(1, 'long', targets('long', TARGET)),
    published(2, 'long', null),
    published(3, 'other', targets('other')),
  ])
  const applied: number[] = []
  await using _feed = followFeed({
    config: loadConfig({ FAIRWAY_HOME: home, FAIRWAY_API_URL: api.url, FAIRWAY_LOG_LEVEL: 'error' }),
    role: 'dns',
    kinds: ['probe-targets'],
    log: makeLog('dns', { logLevel: 'silent' }),
    takesLong: ({ body }) => body !== null && 'targets' in body && body.targets.length > 0,
    async apply({ revision }) {
      if (revision === 1) await delay(50)
      applied.push(revision)
    },
  })
  await until(() => applied.length === 3)
  assert.deepEqual(applied, [1, 2, 3])
})

test('events are the same wherever the network cuts them', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const keys = ['one', 'two', 'three', 'four']
  await using api = await otherVersion(
    keys.map((key, at) => published(at + 1, key, targets(key, TARGET))),
    // Between the two ends of line, before and behind them, and somewhere.
    (text) => text.split(/(?<=\n)(?=\n)|(?=\n\n)|(?<=one")|(?<=\n\n)(?=data: .*three)/),
  )
  const applied: string[] = []
  await using feed = followFeed({
    config: loadConfig({ FAIRWAY_HOME: home, FAIRWAY_API_URL: api.url, FAIRWAY_LOG_LEVEL: 'error' }),
    role: 'dns',
    kinds: ['probe-targets'],
    log: makeLog('dns', { logLevel: 'silent' }),
    apply: ({ key }) => void applied.push(key),
  })
  await until(() => keys.every((key) => applied.includes(key)))
  assert.deepEqual(applied.slice(0, 4), keys)
  assert.ok(feed.cursor() >= 4)
})

/** An API that has these documents, each under its newest revision, and more as they are published. */
async function apiWith(documents: { revision: number; key: string }[]) {
  const acknowledged: Acknowledgement[] = []
  const streams = new Set<http.ServerResponse>()
  let requests = 0
  const text = ({ revision, key }: { revision: number; key: string }) =>
    `data: ${published(revision, key, targets(key))}\n\n`
  const server = http.createServer(async (request, response) => {
    const chunks = await request.toArray()
    if (request.url?.endsWith('/register/')) return response.end(JSON.stringify({ nodeId: 'n1' }))
    if (request.url?.endsWith('/acknowledgements/')) {
      const told = JSON.parse(Buffer.concat(chunks).toString()) as { acknowledgements: Acknowledgement[] }
      acknowledged.push(...told.acknowledgements)
      return response.end('{}')
    }
    requests++
    const cursor = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const document of documents) if (document.revision > cursor) response.write(text(document))
    streams.add(response)
    response.on('close', () => streams.delete(response))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    acknowledged,
    requests: () => requests,
    publish(document: { revision: number; key: string }) {
      documents = [...documents.filter(({ key }) => key !== document.key), document]
      for (const stream of streams) stream.write(text(document))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a document that is refused for a passing reason is tried again by itself; one that was replaced is not', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  await using api = await apiWith([
    { revision: 1, key: 'full-disk' },
    { revision: 2, key: 'replaced' },
    { revision: 3, key: 'sound' },
  ])
  let isFull = true
  const applied: string[] = []
  await using _feed = followFeed({
    config: loadConfig({ FAIRWAY_HOME: home, FAIRWAY_API_URL: api.url, FAIRWAY_LOG_LEVEL: 'error' }),
    role: 'dns',
    kinds: ['probe-targets'],
    log: makeLog('dns', { logLevel: 'silent' }),
    firstAgainMs: 100,
    apply({ key, revision }) {
      applied.push(`${key} ${revision}`)
      if (key !== 'sound' && revision < 4 && isFull) throw new Error('no space left on device')
    },
  })
  await until(() => applied.includes('sound 3'))
  api.publish({ revision: 4, key: 'replaced' })
  await until(() => applied.filter((one) => one === 'full-disk 1').length >= 3)
  isFull = false
  await until(() => api.acknowledged.some(({ key, ok }) => key === 'full-disk' && ok))
  await until(() => api.acknowledged.some(({ key, ok, version }) => key === 'replaced' && ok && version === 4))
  const [before, requests] = [applied.length, api.requests()]
  await delay(600)
  assert.deepEqual([applied.length, api.requests()], [before, requests], 'then nothing is asked for any more')
  assert.equal(applied.filter((one) => one === 'sound 3').length, 1)
})

test('a machine whose interfaces get other addresses tells them without being restarted', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const interfaces = (...addresses: string[]) => ({ eth0: addresses.map((address) => ({ address })) }) as never
  const mocked = t.mock.method(os, 'networkInterfaces', () => interfaces('10.0.0.5'))
  await using api = await otherVersion([])
  const settings = { FAIRWAY_HOME: home, FAIRWAY_API_URL: api.url, FAIRWAY_DNS_LISTEN: '0.0.0.0:53' }
  await using _feed = followFeed({
    config: loadConfig(settings),
    role: 'dns',
    kinds: ['probe-targets'],
    apply: () => {},
    beatMs: 20,
    log: makeLog('dns', { logLevel: 'silent' }),
  })
  await until(() => api.cursors.length >= 2)
  mocked.mock.mockImplementation(() => interfaces('10.0.0.5', '45.0.0.9'))
  // Sooner than an API that falls silent is asked again, which would tell them too.
  await until(() => String(api.registered.at(-1)?.addresses) === '45.0.0.9', 10_000)
  assert.deepEqual(api.registered[0]?.addresses, [])
})

test('a node that is stopped while it registers opens no stream any more', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-feed-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const asked: string[] = []
  const registering = Promise.withResolvers<http.ServerResponse>()
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '')
    if (asked.length === 1) registering.resolve(response)
    else response.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => (server.closeAllConnections(), server.close()))
  const { port } = server.address() as AddressInfo
  const feed = followFeed({
    config: loadConfig({ FAIRWAY_HOME: home, FAIRWAY_API_URL: `http://127.0.0.1:${port}` }),
    role: 'dns',
    kinds: ['probe-targets'],
    apply: () => {},
    log: makeLog('dns', { logLevel: 'silent' }),
  })
  const response = await registering.promise
  const stopped = feed[Symbol.asyncDispose]()
  response.end(JSON.stringify({ nodeId: 'n1' }))
  await stopped
  assert.deepEqual(asked, ['/nodes/v1/register/'])
})
