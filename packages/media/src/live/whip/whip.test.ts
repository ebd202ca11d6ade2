import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { WHIP_PATH } from '@fairway/contract'
import { freePort, loadConfig, whipSecret, makeLog } from '@fairway/platform'
import { MediaStreamTrack, RTCPeerConnection, RtpHeader, RtpPacket } from 'werift'
import { openDoor } from './door.ts'
import { type Frame, Frames, sizeIn } from './frames.ts'
import { Jitter, type Packet } from './jitter.ts'
import { WhipPublisher } from './publisher.ts'
import { SdpError, givenAnswer, takenOffer } from './sdp.ts'
import { startWhip } from './whip.ts'
import { WrongKeys } from '../wrong-keys.ts'

const packet = (sequence: number, more: Partial<Packet> = {}): Packet => ({
  sequence,
  time: 0,
  isLast: true,
  payload: Buffer.from([1]),
  ...more,
})

test('packets come out in order, over the end of their numbers; what is missing is asked for and given up in time', () => {
  const jitter = new Jitter()
  const push = (sequence: number, now: number) =>
    jitter
      .push(packet(sequence), now)
      .map(({ packet: one, hasGap }) => `${one.sequence}${hasGap ? ' behind a gap' : ''}`)
  assert.deepEqual(push(65_534, 0), ['65534'])
  assert.deepEqual(push(0, 10), [])
  assert.deepEqual(push(1, 20), [])
  assert.deepEqual(jitter.missing(60), [65_535])
  assert.deepEqual(jitter.missing(70), [], 'asked a moment ago')
  assert.deepEqual(push(65_535, 80), ['65535', '0', '1'])
  assert.deepEqual(push(1, 90), [], 'once is enough')
  assert.deepEqual(push(3, 100), [])
  assert.deepEqual(push(4, 500), ['3 behind a gap', '4'])
  assert.deepEqual(push(2, 510), [], 'too late')
  assert.deepEqual(push(30_000, 520), ['30000 behind a gap'], 'the sender has begun anew')
})

test('a picture of VP8 is whole or left out, and behind a hole only a key frame is taken', () => {
  const frames = new Frames('vp8')
  const key = Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xb4, 0x00, 7, 7])
  const other = Buffer.from([0x11, 1, 2, 3])
  /** With picture id and temporal layer, as browsers send it. */
  const head = (isStart: boolean) => Buffer.from([0x80 | (isStart ? 0x10 : 0), 0xa0, 0x80, 1, 0])
  let sequence = 0
  const send = (time: number, data: Buffer, { hole = false } = {}) => {
    const [first, second] = [data.subarray(0, data.length / 2), data.subarray(data.length / 2)]
    const of = (payload: Buffer, isLast: boolean) => ({ sequence: sequence++, time, isLast, payload })
    if (!hole) frames.take(of(Buffer.concat([head(true), first]), false), false)
    return frames.take(of(Buffer.concat([head(false), second]), true), hole)
  }
  assert.equal(send(1, other), null, 'nothing is shown before a key frame')
  const found = send(2, key)
  assert.deepEqual([found?.isKey, found?.size, found?.data.equals(key)], [true, { width: 320, height: 180 }, true])
  assert.deepEqual(send(3, other)?.data, other)
  assert.equal(send(4, other, { hole: true }), null)
  assert.equal(frames.needsKey, true)
  assert.equal(send(5, other), null)
  assert.notEqual(send(6, key), null)
  assert.equal(frames.take({ sequence, time: 7, isLast: true, payload: Buffer.from([0x80]) }, false), null)
})

test('what would take more memory than its bytes is no picture: endless parts, and units without length in one packet', () => {
  const one = { sequence: 0, time: 1, isLast: false, payload: Buffer.from([0x10, 0]) }
  const frames = new Frames('vp8')
  assert.throws(() => {
    for (let at = 0; at < 5_000; at++) frames.take(one, false)
  }, RangeError)
  const together = (...units: number[]) => Buffer.from([24, ...units])
  const shown = (payload: Buffer) => {
    const others = new Frames('h264')
    others.take({ ...one, payload: together(0, 4, 0x67, 66, 0, 10, 0, 4, 0x68, 1, 1, 1) }, false)
    return others.take({ ...one, isLast: true, payload }, false) !== null
  }
  assert.equal(shown(together(0, 4, 0x65, 1, 1, 1)), true)
  assert.equal(shown(together(0, 4, 0x65, 1, 1, 1, 0, 0, 0, 0)), false)
  assert.equal(shown(together(0, 4, 0x65, 1, 1, 1, 0, 9, 1)), false)
})

test('pictures of H.264 come out of single units, of several in one and of parts; the first says its size', () => {
  for (const [size, profile] of [
    ['320x180', 'baseline'],
    ['1920x1080', 'high'],
  ] as const) {
    const words = `-v error -f lavfi -i testsrc2=size=${size}:rate=5:duration=1 -c:v libx264 -preset ultrafast -profile:v ${profile} -x264-params aud=1:slices=1 -pix_fmt yuv420p -bf 0 -f h264 pipe:1`
    const units = unitsIn(execFileSync('ffmpeg', words.split(' '), { maxBuffer: 16 << 20 }))
    const frames = new Frames('h264')
    const found: Frame[] = []
    const sps = units.find((unit) => (unit[0] ?? 0) % 32 === 7) ?? Buffer.alloc(0)
    const pps = units.find((unit) => (unit[0] ?? 0) % 32 === 8) ?? Buffer.alloc(0)
    const two = (of: Buffer) => Buffer.concat([Buffer.from([of.length >> 8, of.length & 255]), of])
    let sequence = 0
    const send = (time: number, payload: Buffer, isLast = false) => {
      const frame = frames.take({ sequence: sequence++, time, isLast, payload }, false)
      if (frame) found.push(frame)
    }
    const shown = units.filter((unit) => [1, 5].includes((unit[0] ?? 0) % 32))
    for (const [time, unit] of shown.entries()) {
      if (time === 0) send(time, Buffer.concat([Buffer.from([24]), two(sps), two(pps)]))
      const [kind, third] = [unit.readUInt8(0), Math.ceil(unit.length / 3)]
      for (let at = 1; at < unit.length; at += third) {
        const flags = (at === 1 ? 0x80 : 0) | (at + third >= unit.length ? 0x40 : 0) | (kind & 31)
        const part = Buffer.concat([Buffer.from([(kind & 0xe0) | 28, flags]), unit.subarray(at, at + third)])
        send(time, part, at + third >= unit.length)
      }
    }
    assert.equal(found.length, 5, size)
    const [first] = found
    assert.equal(`${first?.size?.width}x${first?.size?.height}`, size)
    assert.deepEqual(first?.config?.subarray(8, 8 + sps.length), sps)
    assert.deepEqual(
      found.map(({ isKey }) => isKey),
      [true, false, false, false, false],
    )
    assert.deepEqual(found[1]?.data.subarray(4), shown[1])
  }
  assert.equal(sizeIn(Buffer.from([0x67])), null)
})
function unitsIn(stream: Buffer): Buffer[] {
  const units = stream.toString('latin1').split('\0\0\u0001')
  // Some start codes have a zero more in front.
  const whole = units.map((unit) => (unit.endsWith('\0') ? unit.slice(0, -1) : unit))
  return whole.filter((unit) => unit !== '').map((unit) => Buffer.from(unit, 'latin1'))
}

const OFFER = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'a=fingerprint:sha-256 00',
  'a=ice-ufrag:abcd',
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 10.0.0.1',
  'a=candidate:1 1 udp 1 10.0.0.1 53 typ host',
  'a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=sendonly',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 transport-cc',
  'a=rtcp-fb:96 nack',
  'a=rtcp-fb:96 nack pli',
]

test('an offer is read without addresses and without what costs; one that sends more, or asks for something, is refused', () => {
  const taken = takenOffer(OFFER.join('\r\n'))
  assert.doesNotMatch(taken, /candidate|transport-wide|transport-cc|nack\r/)
  assert.match(taken, /sdes:mid[\s\S]*nack pli/)
  const refused = [
    ['v=1'],
    OFFER.filter((line) => !line.startsWith('m=')),
    [...OFFER, 'm=video 9 UDP/TLS/RTP/SAVPF 96'],
    [...OFFER, 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel'],
    OFFER.map((line) => (line === 'a=sendonly' ? 'a=recvonly' : line)),
    OFFER.filter((line) => !line.startsWith('a=fingerprint')),
    [...OFFER, 'a=simulcast:send h;l'],
  ]
  for (const lines of refused) assert.throws(() => takenOffer(lines.join('\r\n')), SdpError, lines.at(-1))
  const made = givenAnswer(
    'v=0\r\nm=video 9 X 96\r\nc=IN IP4 0.0.0.0\r\na=candidate:x 1 udp 1 127.0.0.1 5555 typ host generation 0\r\na=ice-ufrag:ab\r\na=ice-pwd:cd\r\na=rtcp-fb:96 nack pli\r\n',
    ['192.0.2.1', '2001:db8::1'],
    { port: 8189 },
  )
  assert.deepEqual([made.name, made.password, made.innerPort], ['ab', 'cd', 5555])
  assert.match(made.sdp, / 192\.0\.2\.1 8189 typ host\r\n.* 2001:db8::1 8189 typ host/)
  assert.match(made.sdp, /nack pli\r\na=rtcp-fb:96 nack\r\n/)
  assert.doesNotMatch(made.sdp, /127\.0\.0\.1/)
})

test('nothing passes the door, or is answered, before whoever sends has shown the password of a session', async (t) => {
  const port = await freePort()
  const made = t.mock.method(dgram, 'createSocket')
  await using door = openDoor({ host: '127.0.0.1', port }, assert.fail)
  const [inner, peer] = [dgram.createSocket('udp4'), dgram.createSocket('udp4')]
  const come: string[] = []
  let answers = 0
  inner.on('message', (bytes, from) => {
    come.push(bytes.length > 40 ? 'request' : bytes.toString('latin1'))
    inner.send('answer', from.port, from.address)
  })
  peer.on('message', () => answers++)
  for (const socket of [inner, peer]) await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()))
  const session = door.admit('name', { port: inner.address().port, password: 'secret' })
  const send = async (bytes: Buffer | string) => {
    peer.send(bytes, port, '127.0.0.1')
    for (let waited = 0; waited < 20 && come.length === 0; waited++) await setTimeout(5)
    return come.splice(0)
  }
  assert.deepEqual(await send('before'), [])
  for (const wrong of [request('name', 'wrong'), request('other', 'secret'), request('name', 'secret').subarray(0, 40)])
    assert.deepEqual(await send(wrong), [])
  assert.equal(answers, 0)
  assert.deepEqual(await send(request('name', 'secret')), ['request'])
  assert.deepEqual(await send('after'), ['after'])
  assert.throws(() => door.admit('name', { port: 1, password: '' }))
  // Raw packets may come from port 0, which no socket sends to.
  const outer = made.mock.calls[0]?.result
  outer?.emit('message', request('name', 'secret'), { address: '127.0.0.1', port: 0, family: 'IPv4', size: 1 })
  await setTimeout(20)
  assert.equal(come.length, 0)
  const all = async (bytes: Buffer | string, count: number) => {
    for (let at = 0; at < count; at++) {
      peer.send(bytes, port, '127.0.0.1')
      // No faster than sockets of loopback hold them.
      if (at % 20 === 0) await setTimeout(2)
    }
    for (let last = -1; last !== come.length; await setTimeout(20)) last = come.length
    return come.splice(0).length
  }
  const requests = await all(request('name', 'secret'), 250)
  assert.ok(requests > 150 && requests < 230, `${requests} of 250: the library remembers each`)
  const parts = await all(Buffer.alloc(1_000, 22), 100)
  assert.ok(parts > 50 && parts <= 65, `${parts} of 100 parts of handshakes, which it keeps`)
  session[Symbol.dispose]()
  assert.deepEqual(await send('later'), [])
  const next = door.admit('name', { port: inner.address().port, password: 'secret' })
  for (let at = 0; at < 20; at++) {
    const other = dgram.createSocket('udp4')
    await new Promise<void>((resolve) => other.send(request('name', 'secret'), port, '127.0.0.1', () => resolve()))
    other.close()
  }
  for (let waited = 0; waited < 200 && come.length < 16; waited++) await setTimeout(10)
  await setTimeout(30)
  assert.equal(come.length, 16, 'a sender that is always somewhere else')
  next[Symbol.dispose]()
  for (const socket of [inner, peer]) socket.close()
})
test('one that sends wild numbers, and never a picture, costs nothing, gets no sound through, and is ended', async (t) => {
  const port = await freePort()
  await using door = openDoor({ host: '127.0.0.1', port }, assert.fail)
  const tags: number[] = []
  let isClosed = false
  const publisher = new WhipPublisher({
    door,
    addresses: ['127.0.0.1'],
    port,
    keyFrameSeconds: 2,
    begin: async () => ({ tag: (type) => tags.push(type) > 0, gone: () => {} }),
    closed: () => (isClosed = true),
  })
  const tracks = { video: new MediaStreamTrack({ kind: 'video' }), audio: new MediaStreamTrack({ kind: 'audio' }) }
  const pc = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    // Others leave sockets open.
    bundlePolicy: 'max-bundle',
  })
  const [video] = Object.values(tracks).map((track) => pc.addTransceiver(track, { direction: 'sendonly' }))
  let asked = 0
  let keys = 0
  video?.sender.onGenericNack.subscribe(() => asked++)
  video?.sender.onPictureLossIndication.subscribe(() => keys++)
  await pc.setLocalDescription(await pc.createOffer())
  const { sdp } = await publisher.answer(pc.localDescription?.sdp ?? '')
  await pc.setRemoteDescription({ type: 'answer', sdp })
  const until = async (is: () => boolean) => {
    for (let waited = 0; waited < 500 && !is(); waited++) await setTimeout(10)
    assert.ok(is())
  }
  await until(() => publisher.isConnected && pc.connectionState === 'connected')
  const send = (track: MediaStreamTrack, sequenceNumber: number) =>
    track.writeRtp(new RtpPacket(new RtpHeader({ sequenceNumber, payloadType: 96, ssrc: 1 }), Buffer.from([0x10, 1])))
  for (const sequence of [1, 65_534, 65_535, 0, 1, 30_000]) send(tracks.video, sequence)
  for (let at = 0; at < 20; at++) send(tracks.audio, at)
  await until(() => keys > 0)
  await setTimeout(50)
  assert.deepEqual([asked, tags, isClosed], [0, [], false])
  const now = performance.now.bind(performance)
  let ahead = 9_000
  t.mock.method(performance, 'now', () => now() + ahead)
  for (let at = 20; at < 30; at++) send(tracks.audio, at)
  await setTimeout(300)
  ahead += 7_000
  await until(() => isClosed)
  t.mock.restoreAll()
  await pc.close()
})

test('one place keeps nobody else from asking, and whoever hangs up waits no longer', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-whip-'))
  const config = loadConfig({ FAIRWAY_HOME: home })
  const wrong = new WrongKeys()
  // Each waits for eight seconds.
  for (let at = 0; at < 8; at++) wrong.note('192.0.2.1', `${at}`)
  const whip = startWhip({
    config,
    log: makeLog('media', { logLevel: 'silent' }),
    door: { isOpen: () => true, admit: assert.fail, [Symbol.asyncDispose]: async () => {} },
    wrong,
    find: async () => null,
    mayBegin: () => {},
    begin: async () => assert.fail(),
  })
  const server = http.createServer((request, response) => void whip.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const ask = async (from: string, signal?: AbortSignal) => {
    const headers = { 'x-fairway-node': whipSecret(config), 'x-fairway-from': from, authorization: 'Bearer live_x' }
    const port = typeof address === 'object' ? address?.port : 0
    const answer = await fetch(`http://127.0.0.1:${port}${WHIP_PATH}`, {
      method: 'POST',
      body: 'v=0',
      headers,
      ...(signal && { signal }),
    })
    return answer.status
  }
  try {
    const leave = new AbortController()
    const left = Array.from({ length: 16 }, () => ask('192.0.2.1', leave.signal).catch(() => 0))
    const probe = () => ask('192.0.2.1', AbortSignal.timeout(50)).catch(() => 0)
    for (let tries = 0; tries < 60 && (await probe()) !== 503; tries++);
    assert.equal(await ask('192.0.2.1'), 503)
    assert.equal(await ask('192.0.2.2'), 401)
    leave.abort()
    assert.deepEqual(new Set(await Promise.all(left)), new Set([0]))
    wrong.forgive('192.0.2.1')
    for (let tries = 0; tries < 60 && (await ask('192.0.2.1')) !== 401; tries++);
    assert.equal(await ask('192.0.2.1'), 401)
  } finally {
    server.closeAllConnections()
    server.close()
    fs.rmSync(home, { recursive: true, force: true })
  }
})

/** A binding request of ICE. */
function request(name: string, password: string): Buffer {
  const attribute = (type: number, value: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt16BE(type, 0)
    head.writeUInt16BE(value.length, 2)
    return Buffer.concat([head, value, Buffer.alloc(-value.length & 3)])
  }
  const body = attribute(6, Buffer.from(`${name}:peer`))
  const head = Buffer.alloc(20)
  head.writeUInt16BE(1, 0)
  head.writeUInt16BE(body.length + 24, 2)
  head.writeUInt32BE(0x21_12_a4_42, 4)
  const covered = Buffer.concat([head, body])
  return Buffer.concat([covered, attribute(8, crypto.createHmac('sha1', password).update(covered).digest())])
}
