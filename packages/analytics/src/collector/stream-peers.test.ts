import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { PEER_CLOSE, type PeerRoom, type RoomMessage, type StreamPeersDocument } from '@fairway/contract'
import { loadConfig, makeLog, peersAddress, peersReader, peerTokens } from '@fairway/platform'
import { WebSocket } from 'ws'
import { StreamPeers, isRoomPath } from './stream-peers.ts'

const FILM = '0190c1a2-0000-7000-8000-000000000001'
const OTHER = '0190c1a2-0000-7000-8000-000000000002'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-peers-'))
const config = loadConfig({ FAIRWAY_HOME: folder })
const tokens = peerTokens(config)
const log = makeLog('collector', { logLevel: 'silent' })
const SDP = `v=0
o=- 4611731400430051336 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 0.0.0.0
a=ice-ufrag:abcd
a=ice-pwd:abcdefghijklmnopqrstuvwx
a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}
a=setup:actpass
a=mid:0
a=sctp-port:5000
`.replaceAll('\n', '\r\n')

let peers: StreamPeers
let server: http.Server
let at = ''
let counts: Record<string, number> = {}
let open: WebSocket[] = []

const start = () =>
  new StreamPeers({
    folder,
    trustedProxies: ['127.0.0.1'],
    url: 'https://c.example',
    stun: ['stun:stun.example:3478'],
    readPath: peersReader(config),
    tokens,
    counted: (result) => void (counts[result] = (counts[result] ?? 0) + 1),
    log,
  })
before(async () => {
  peers = start()
  server = http.createServer(
    { shouldUpgradeCallback: ({ url }: http.IncomingMessage) => isRoomPath(url ?? '') },
    (request, response) => peers.serve(request.url ?? '', request, response),
  )
  server.on('upgrade', (request, socket, head) => peers.upgrade(request, socket, head))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  at = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  for (const socket of open) socket.terminate()
  open = []
  counts = {}
  peers.apply(FILM, document())
  peers.apply(OTHER, null)
})
after(() => {
  for (const socket of open) socket.terminate()
  peers[Symbol.dispose]()
  server.closeAllConnections()
  server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const document = (more: Partial<StreamPeersDocument> = {}): StreamPeersDocument => ({
  sourceId: FILM,
  organizationId: 'o',
  kind: 'live',
  version: 1,
  controlPercent: 10,
  ...more,
})
const addressOf = (organizationId: string, sourceId: string) =>
  new URL(peersAddress(config, { organizationId, kind: 'live', sourceId })).pathname
const ask = (text: string, from = '203.0.113.9') =>
  fetch(`http://${at}${text}`, { headers: { 'x-forwarded-for': from } })
let session = 0
const tokenOf = (sourceId = FILM, more: object = {}) =>
  tokens.make({
    sourceId,
    session: (session++).toString(16).padStart(24, '0'),
    until: Math.floor(Date.now() / 1000) + 30,
    ...more,
  })

type Member = { socket: WebSocket; heard: RoomMessage[]; next(): Promise<RoomMessage>; closed: Promise<number> }
async function join(token = tokenOf(), from = '203.0.113.9'): Promise<Member> {
  const socket = new WebSocket(`ws://${at}/peers/${token}`, { headers: { 'x-forwarded-for': from } })
  open.push(socket)
  const heard: RoomMessage[] = []
  const waiting: ((message: RoomMessage) => void)[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as RoomMessage
    const first = waiting.shift()
    if (first) first(message)
    else heard.push(message)
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  return {
    socket,
    heard,
    closed,
    next: () =>
      new Promise((resolve) => {
        const first = heard.shift()
        if (first) resolve(first)
        else waiting.push(resolve)
      }),
  }
}
const refusal = (token: string, from = '203.0.113.9') =>
  new Promise<number | undefined>((resolve) => {
    const socket = new WebSocket(`ws://${at}/peers/${token}`, { headers: { 'x-forwarded-for': from } })
    open.push(socket)
    socket.on('error', () => {})
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    socket.on('open', () => resolve(101))
  })
const introduced = async (member: Member): Promise<string[]> => {
  const message = await member.next()
  assert.equal(message.t, 'peers')
  return message.t === 'peers' ? message.p : []
}

test('who asks at a signed address is let into a room, or is one to compare with; a forged address is nobody’s', async () => {
  const answers: PeerRoom[] = []
  for (let time = 0; time < 140; time++) answers.push((await (await ask(addressOf('o', FILM))).json()) as PeerRoom)
  const rooms = answers.filter((one) => one.on && one.group === 'peers')
  assert.ok(rooms.length > 100 && rooms.length < 140, `${rooms.length} of 140 have peers`)
  const [first] = rooms
  assert.ok(first?.on && first.group === 'peers')
  assert.match(first.room, /^wss:\/\/c\.example\/peers\//)
  assert.deepEqual(first.stun, ['stun:stun.example:3478'])
  assert.equal((await ask(addressOf('o', FILM).replace(FILM, OTHER), '203.0.114.1')).status, 404)
  assert.equal((await ask(addressOf('o', FILM).replace('/o/', '/p/'), '203.0.114.1')).status, 404)
  assert.deepEqual(await (await ask(addressOf('o', OTHER), '203.0.114.1')).json(), { on: false })
  assert.deepEqual(await (await ask(addressOf('stranger', FILM), '203.0.114.1')).json(), { on: false })
  let last = 200
  for (let time = 0; time < 200 && last === 200; time++) last = (await ask(addressOf('o', FILM))).status
  assert.equal(last, 429)
})

test('a newcomer is introduced, offers, is answered, and each description is passed on once', async () => {
  const first = await join()
  assert.deepEqual(await introduced(first), [])
  const second = await join()
  const [to = ''] = await introduced(second)
  second.socket.send(JSON.stringify({ t: 'offer', to, s: SDP }))
  const offer = await first.next()
  assert.ok(offer.t === 'offer' && offer.s === SDP)
  first.socket.send(JSON.stringify({ t: 'answer', to: offer.from, s: SDP }))
  assert.deepEqual(await second.next(), { t: 'answer', from: to, s: SDP })
  first.socket.send(JSON.stringify({ t: 'answer', to: offer.from, s: SDP }))
  assert.equal(await first.closed, PEER_CLOSE.rude)
})

test('tokens that are wrong, over, of another installation, of no room or used already let nobody in', async () => {
  const good = tokenOf()
  const stranger = peerTokens({ ...config, nodeToken: 'another' })
  for (const [token, status] of [
    [good.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 403],
    [good.replace(FILM, OTHER), 403],
    [tokenOf(FILM, { until: Math.floor(Date.now() / 1000) - 1 }), 403],
    [stranger.make({ sourceId: FILM, session: 'a'.repeat(24), until: 4_000_000_000 }), 403],
    ['x', 403],
    [tokenOf(OTHER), 410],
  ] as const)
    assert.equal(await refusal(token), status, token)
  await join(good)
  assert.equal(await refusal(good), 409)
})

test('nobody speaks to whom they were not introduced, and not into another room', async () => {
  peers.apply(OTHER, document({ sourceId: OTHER }))
  const here = await join()
  await introduced(here)
  const second = await join()
  const [to = ''] = await introduced(second)
  const there = await join(tokenOf(OTHER))
  assert.deepEqual(await introduced(there), [])
  there.socket.send(JSON.stringify({ t: 'offer', to, s: SDP }))
  assert.equal(await there.closed, PEER_CLOSE.rude)
  // Whom the newcomer was named is not named the newcomer.
  second.socket.send(JSON.stringify({ t: 'answer', to, s: SDP }))
  assert.equal(await second.closed, PEER_CLOSE.rude)
  assert.deepEqual(here.heard, [])
})

test('what is no description, no message, too large or too much ends the connection', async () => {
  const first = await join()
  await introduced(first)
  for (const [message, code] of [
    ['noise', PEER_CLOSE.rude],
    [JSON.stringify({ t: 'chat', to: 'x' }), PEER_CLOSE.rude],
    [JSON.stringify({ t: 'more', and: 1 }), PEER_CLOSE.rude],
    [JSON.stringify({ t: 'more' }), PEER_CLOSE.rude],
    ['offer', PEER_CLOSE.rude],
    ['x'.repeat(9_000), 1009],
    [Buffer.alloc(8), PEER_CLOSE.rude],
  ] as const) {
    const one = await join()
    const [to] = await introduced(one)
    one.socket.send(message === 'offer' ? JSON.stringify({ t: 'offer', to, s: `${SDP}a=x:meet me\r\n` }) : message)
    assert.equal(await one.closed, code, String(message).slice(0, 40))
  }
  assert.deepEqual(first.heard, [])
  const flood = await join()
  for (let time = 0; time < 200; time++) flood.socket.send(JSON.stringify({ t: 'answer', to: '0'.repeat(16), s: SDP }))
  assert.equal(await flood.closed, PEER_CLOSE.rude)
})

test('rooms are bounded, a network has its share, and others still get in', async () => {
  const members = await Promise.all(Array.from({ length: 130 }, () => join()))
  const met = await Promise.all(members.map(introduced))
  assert.ok(met.every((names) => names.length <= 5))
  await Promise.all(Array.from({ length: 170 }, () => join()))
  assert.equal(await refusal(tokenOf()), 503)
  assert.equal(await refusal(tokenOf(), '198.51.100.1'), 101)
})

test('when peers are switched off, all are told to let go; what was published is known after a start', async () => {
  const one = await join()
  peers.apply(FILM, null)
  assert.equal(await one.closed, PEER_CLOSE.off)
  assert.equal(await refusal(tokenOf()), 410)
  assert.deepEqual(await (await ask(addressOf('o', FILM), '203.0.115.1')).json(), { on: false })
  peers.apply(FILM, document())
  peers[Symbol.dispose]()
  peers = start()
  assert.equal(await refusal(tokenOf()), 101)
})
