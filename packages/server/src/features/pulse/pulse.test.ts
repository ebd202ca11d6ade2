import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { followPulse, PulseWatch } from '@fairway/analytics'
import { PulseRegistration, PulseSeen, auditLog, pulse, streamAnalytics } from '@fairway/contract'
import { collectorAuthorization, isCollectorCaller } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { beaconSettings } from './beacon-settings.ts'
import { ownPulse } from './store.ts'

const { get, update, rotate, endKey, live } = pulse.routes
const watched = new PulseWatch(Date.now())
const received: PulseRegistration[] = []
let available = true
let sentAway = 0
let collector: http.Server
let api: ApiUnderTest
let running: NodeUnderTest[]
before(async () => {
  collector = http.createServer(async (request, response) => {
    if (request.method === 'GET')
      return followPulse(
        { isCaller: isCollectorCaller(api.config), watch: watched },
        request.url ?? '',
        request,
        response,
      )
    if (!available) return void (sentAway++, response.writeHead(503).end())
    if (
      request.method !== 'PUT' ||
      request.url !== '/pulse/' ||
      request.headers.authorization !== collectorAuthorization(api.config)
    )
      return void response.writeHead(401).end()
    received.push(PulseRegistration.parse(JSON.parse(await text(request))))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  api = await startApiUnderTest({ FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${(collector.address() as AddressInfo).port}` })
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  // First: where nothing else has begun, a listening server would keep the process.
  collector.closeAllConnections()
  collector.close()
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

const toldOf = (organizationId: string) =>
  received.findLast((registration) => registration.organizationId === organizationId)

test('what the collector sees comes to the console as it happens', async () => {
  const client = await api.newClient()
  const ended = new AbortController()
  const response = await fetch(`${api.url}${live.path}`, {
    headers: { authorization: `Bearer ${client.token}` },
    signal: ended.signal,
  })
  assert.equal(response.status, 200)
  const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => {
    for (let text = ''; ;) {
      text += (await lines?.read())?.value ?? ''
      const data = /data: (.*)\n/.exec(text)?.[1]
      if (data !== undefined) return PulseSeen.parse(JSON.parse(data))
    }
  }
  assert.equal((await next()).beacons, 0)
  watched.taken(
    client.organizationId,
    { key: 'k', host: 'www.example', sent: '{}', lines: '{"cdn":"a"}\n' },
    Date.now(),
  )
  const seen = await next()
  assert.deepEqual([seen.beacons, seen.hosts[0]?.host, seen.latest?.stored], [1, 'www.example', [{ cdn: 'a' }]])
  ended.abort()
})

test('what players tell is said as it happens, to the owner of their videos alone, and beacons say nothing there', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const ended = new AbortController()
  const follow = async ({ token }: { token: string }) => {
    const response = await fetch(`${api.url}${streamAnalytics.routes.live.path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ended.signal,
    })
    assert.equal(response.status, 200)
    const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return async (): Promise<unknown> => {
      for (;;) {
        const data = /data: (.*)\n/.exec(text)
        if (data) {
          text = text.slice(data.index + data[0].length)
          return JSON.parse(data[1] ?? '')
        }
        text += (await pieces?.read())?.value ?? ''
      }
    }
  }
  const [own, foreign] = [await follow(client), await follow(other)]
  for (const next of [own, foreign]) assert.deepEqual(await next(), { posts: 0, refused: 0, lastAt: null })
  watched.taken(client.organizationId, { key: 'k', host: 'www.example', sent: '{}', lines: '{}\n' }, 1)
  watched.played(client.organizationId, 2)
  assert.deepEqual(await own(), { posts: 1, refused: 0, lastAt: 2 })
  watched.played(other.organizationId, 3)
  assert.deepEqual(await foreign(), { posts: 1, refused: 0, lastAt: 3 })
  ended.abort()
})

test('a new key takes the place of the old one, which is heard until it ends or is ended', async () => {
  const client = await api.newClient()
  const before = await client.call(get, {})
  const after = await client.call(rotate, { keepOldHours: 24 })
  assert.notEqual(after.key, before.key)
  assert.ok(after.dynamic.script.includes(after.key) && after.static.tagManager.includes(after.key))
  assert.deepEqual(
    after.keys.map(({ key, until: end }) => [key, end !== null]),
    [
      [after.key, false],
      [before.key, true],
    ],
  )
  await until(async () => toldOf(client.organizationId)?.keys.length === 2)
  const [today, old] = toldOf(client.organizationId)?.keys ?? []
  assert.deepEqual([today?.key, today?.until, old?.key], [after.key, null, before.key])
  assert.ok((old?.until ?? 0) > Date.now() + 23 * 3_600_000)
  // The key that pages carry now cannot be ended, only replaced.
  assert.equal((await client.refusal(endKey, { key: after.key })).status, 404)
  assert.equal((await client.call(endKey, { key: before.key })).keys.length, 1)
  await until(async () => toldOf(client.organizationId)?.keys.length === 1)
  for (let i = 0; i < 5; i++) await client.call(rotate, { keepOldHours: 1 })
  assert.equal((await client.refusal(rotate, { keepOldHours: 1 })).code, 27047)
  await client.call(rotate, { keepOldHours: 0 })
})

test('a key is bound to hosts; what is no host is refused', async () => {
  const client = await api.newClient()
  const numbers = { startDelaySeconds: 2, repeatDelaySeconds: 30, batchNumber: 3 }
  for (const host of ['https://www.example', 'a b', '*', '*.*.example', 'www.example/path', ''])
    assert.equal((await client.refusal(update, { ...numbers, hosts: [host] })).status, 400, host)
  const { hosts } = await client.call(update, {
    ...numbers,
    hosts: ['WWW.Example.com', '*.example.com', 'www.example.com'],
  })
  assert.deepEqual(hosts, ['www.example.com', '*.example.com'])
  await until(async () => toldOf(client.organizationId)?.hosts.length === 2)
  // What is not said stays.
  assert.deepEqual((await client.call(update, { ...numbers, throughput: false })).hosts, hosts)
  assert.deepEqual((await client.call(update, { ...numbers, hosts: [] })).hosts, [])
})

test('the tag names the collector and the key; the collector learns which CDNs to measure', async () => {
  const own = await newSteeredDomain(api)
  const { key, tag, settings } = await own.client.call(get, {})
  assert.match(
    tag,
    new RegExp(
      `^<script async src="http://127.0.0.1:${api.config.collectorListen.port}/b-[\\w-]{16}\\.js" integrity="sha384-[^"]+" crossorigin="anonymous" data-key="${key}"></script>$`,
    ),
  )
  assert.deepEqual(settings.targets, [])
  await attach(own, ['swiftlane', 'edge'])
  const told = await until(async () => {
    const found = toldOf(own.client.organizationId)
    return found?.settings?.targets.length === 2 && found
  })
  assert.deepEqual(
    [told.keys[0]?.key, told.settings?.targets],
    [
      key,
      [
        {
          c: 'edge',
          u: 'http://127.0.0.1:8000/.well-known/cdn/test.bin',
          l: 'http://127.0.0.1:8000/.well-known/cdn/large.bin',
        },
        {
          c: 'swiftlane',
          u: 'http://127.0.0.11:8000/.well-known/cdn/test.bin',
          l: 'http://127.0.0.11:8000/.well-known/cdn/large.bin',
        },
      ],
    ],
  )
  // By TLS once the edge shows a certificate for its own names, for pages over HTTPS fetch nothing else.
  const secure = await api.database.system(async (tx) => {
    const row = await ownPulse(tx, own.client.organizationId)
    return row && (await beaconSettings(tx, api.config, row, true)).targets.map(({ u }) => new URL(u))
  })
  assert.deepEqual(new Set(secure?.map(({ protocol }) => protocol)), new Set(['https:']))
  assert.deepEqual(new Set(secure?.map(({ port }) => port)), new Set([String(api.config.edgeHttps.port)]))
})

test('new settings reach the collector, also one that was away for a while', async () => {
  const client = await api.newClient()
  available = false
  const { settings } = await client.call(update, { startDelaySeconds: 5, repeatDelaySeconds: 60, batchNumber: 0 })
  assert.deepEqual([settings.startDelaySeconds, settings.repeatDelaySeconds, settings.batchNumber], [5, 60, 0])
  await until(async () => sentAway > 0)
  available = true
  await until(async () => toldOf(client.organizationId)?.settings?.repeatDelaySeconds === 60)
  assert.equal((await client.call(auditLog.routes.list, {})).data[0]?.action, 'pulse.update')
})

test('delays outside their limits are refused', async () => {
  const client = await api.newClient()
  for (const wrong of [
    { startDelaySeconds: 1 },
    { startDelaySeconds: 61 },
    { repeatDelaySeconds: 9 },
    { repeatDelaySeconds: 61 },
    { batchNumber: 51 },
    { batchNumber: -1 },
  ]) {
    assert.equal(
      (await client.refusal(update, { startDelaySeconds: 2, repeatDelaySeconds: 10, batchNumber: 1, ...wrong })).status,
      400,
      JSON.stringify(wrong),
    )
  }
})
