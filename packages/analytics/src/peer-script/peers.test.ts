import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import vm from 'node:vm'
import zlib from 'node:zlib'
import { PlayerEvent } from '@fairway/contract'

const SOURCE = fs.readFileSync(path.join(import.meta.dirname, 'peers.js'), 'utf8')
const KEY = '0190c1a2-0000-7000-8000-000000000001/720p-1/s00001.m4s'
const URL_ = `http://k.example/t/token/${KEY}?CMCD=x`
const SEGMENT = crypto.randomBytes(40_000)
const SUM = crypto.createHash('sha256').update(SEGMENT).digest('hex')
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

class Channel extends EventTarget {
  readyState = 'open'
  bufferedAmount = 0
  sent: (string | Uint8Array)[] = []
  onmessage: (event: { data: unknown }) => void = () => {}
  send(data: string | Uint8Array) {
    this.sent.push(data)
  }
  /** What was said by words so far. */
  words(): { t: string; i?: number; k?: string | string[]; n?: number }[] {
    return this.sent.flatMap((data) => (typeof data === 'string' ? [JSON.parse(data)] : []))
  }
  hears(message: unknown) {
    this.onmessage({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) })
  }
}

type Answer = { on: boolean; group?: string; room?: string; stun?: string[] }

/** A page with a player that has ten seconds buffered, and a clock that goes as it is told. */
function page({
  answer = { on: true, group: 'peers', room: 'wss://c.example/peers/x', stun: [] } as Answer,
  sum = SUM,
  scope: more = {},
} = {}) {
  let clock = 0
  const timers: { at: number; run: () => void }[] = []
  const channels: Channel[] = []
  const connections: { closed: boolean }[] = []
  const sockets: { onmessage(event: { data: string }): void; onclose(event: { code: number }): void }[] = []
  const fetched: string[] = []
  const fromCdn: string[] = []
  class Connection extends EventTarget {
    closed = false
    iceGatheringState = 'complete'
    localDescription = { sdp: 'v=0' }
    constructor() {
      super()
      connections.push(this)
    }
    createDataChannel() {
      const channel = new Channel()
      channels.push(channel)
      return channel
    }
    createOffer = async () => ({ type: 'offer' })
    setLocalDescription = async () => {}
    close() {
      this.closed = true
    }
  }
  class Socket {
    readyState = 1
    onmessage = () => {}
    onclose = () => {}
    constructor() {
      sockets.push(this as never)
    }
    send() {}
    close() {}
  }
  class Plain {
    stats = { loading: { start: 0, first: 0, end: 0 }, loaded: 0, total: 0 }
    load(context: { url: string }, _: unknown, callbacks: { onSuccess: (...all: unknown[]) => void }) {
      assert.equal(this.stats.loading.start, 0, 'a loader is used once')
      fromCdn.push(context.url)
      queueMicrotask(() =>
        callbacks.onSuccess({ url: context.url, data: bufferOf(SEGMENT) }, this.stats, context, null),
      )
    }
    abort() {}
    destroy() {}
  }
  const scope = Object.assign(new EventTarget(), {
    performance: { now: () => clock },
    navigator: {},
    crypto,
    RTCPeerConnection: Connection,
    WebSocket: Socket,
    setTimeout: (run: () => void, ms: number) => timers.push({ at: clock + ms, run }),
    clearTimeout: () => {},
    setInterval: () => 0,
    fetch: async (url: string) => {
      fetched.push(url)
      return { ok: true, text: async () => sum, json: async () => answer }
    },
    ...more,
  })
  vm.runInNewContext(SOURCE, {
    window: scope,
    Uint8Array,
    DataView,
    ArrayBuffer,
    Promise,
    Math: Object.assign(Object.create(Math), { random: () => 0 }),
  })
  const Hls = { DefaultConfig: { loader: Plain }, Events: { DESTROYING: 'end' } }
  const { peerShare } = scope as unknown as {
    peerShare(
      address: string,
      Hls: unknown,
    ): {
      config: { fLoader: new (config: object) => Plain & { load(...all: unknown[]): void } }
      state(): {
        on: boolean
        group?: string
        why: string
        left: string[]
        bytes: { peers: number; cdn: number }
        refused: number
      }
      share(video: unknown, hls: unknown): void
    }
  }
  const peers = peerShare('https://c.example/p/o/asset/x/y', Hls)
  const video = Object.assign(new EventTarget(), {
    currentTime: 0,
    seeking: false,
    buffered: { length: 1, start: () => 0, end: () => 10 },
  })
  const hls: { peerShare?: () => object; on(): void } = { on() {} }
  return {
    peers,
    video,
    hls,
    channels,
    connections,
    sockets,
    fetched,
    fromCdn,
    async begin() {
      peers.share(video, hls)
      await settled()
    },
    /** One who says that it has the segment. */
    async meet(id: string): Promise<Channel> {
      sockets[0]?.onmessage({ data: JSON.stringify({ t: 'peers', p: [id] }) })
      await settled()
      const channel = channels.at(-1)
      assert.ok(channel)
      channel.hears({ t: 'have', k: [KEY] })
      return channel
    },
    load(url = URL_) {
      const got: Buffer[] = []
      const loader = new peers.config.fLoader({})
      loader.load({ url }, {}, { onSuccess: ({ data }: { data: ArrayBuffer }) => got.push(Buffer.from(data)) })
      return got
    },
    async later(ms: number) {
      clock += ms
      for (const timer of timers.splice(0)) {
        if (timer.at <= clock) timer.run()
        else timers.push(timer)
      }
      await settled()
    },
  }
}
/** Sums are made on threads of their own. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await setImmediate()
}
async function until(what: () => boolean): Promise<void> {
  while (!what()) await setImmediate()
}
const wantOf = (channel: Channel): number => channel.words().find(({ t }) => t === 'want')?.i ?? -1
function answer(channel: Channel, id: number, bytes: Uint8Array): void {
  channel.hears({ t: 'size', i: id, n: bytes.length })
  for (let at = 0; at < bytes.length; at += 16_384) {
    const part = bytes.subarray(at, at + 16_384)
    const piece = new Uint8Array(part.length + 4)
    new DataView(piece.buffer).setUint32(0, id)
    piece.set(part, 4)
    channel.hears(piece.buffer)
  }
}

test('a segment comes from a peer, is what its sum says, is passed on, and is told of', async () => {
  const at = page()
  await at.begin()
  const channel = await at.meet('a'.repeat(16))
  const got = at.load()
  await settled()
  answer(channel, wantOf(channel), SEGMENT)
  await until(() => got.length > 0)
  assert.ok(got[0]?.equals(SEGMENT))
  assert.deepEqual(at.fromCdn, [])
  assert.ok(at.fetched.includes(`http://k.example/t/token/${KEY}.sha256`))
  const told = at.hls.peerShare?.()
  assert.ok(told)
  assert.deepEqual(JSON.parse(JSON.stringify(told)), { o: 'peers', u: SEGMENT.length })
  assert.ok(PlayerEvent.safeParse({ k: 'beat', a: 0, ...JSON.parse(JSON.stringify(told)) }).success)
  channel.hears({ t: 'want', i: 7, k: KEY })
  const given = channel.sent
    .filter((data) => typeof data !== 'string')
    .map((piece) => Buffer.from(piece as Uint8Array).subarray(4))
  assert.ok(Buffer.concat(given).equals(SEGMENT))
})

test('what is not what its sum says never reaches the player: its peer is left, and after two the session goes on without', async () => {
  const at = page()
  await at.begin()
  for (const id of ['a', 'b']) {
    const channel = await at.meet(id.repeat(16))
    const got = at.load()
    await settled()
    answer(channel, wantOf(channel), crypto.randomBytes(SEGMENT.length))
    await until(() => got.length > 0)
    assert.ok(got[0]?.equals(SEGMENT))
  }
  assert.equal(at.fromCdn.length, 2)
  const { on, why, left, refused, bytes } = at.peers.state()
  assert.deepEqual([on, why, left.join(), refused, bytes.peers], [false, 'bad', 'bad,bad', 2, 0])
  assert.ok(at.connections.every(({ closed }) => closed))
})

test('without a sum nothing of a peer is taken, and nobody is blamed', async () => {
  const at = page({ sum: '<html>' })
  await at.begin()
  const channel = await at.meet('a'.repeat(16))
  const got = at.load()
  await settled()
  answer(channel, wantOf(channel), SEGMENT)
  await until(() => got.length > 0)
  assert.deepEqual([at.fromCdn.length, at.peers.state().refused, at.peers.state().on], [1, 0, true])
})

test('a slow peer costs no more than what is buffered above three seconds, and is left when it is late again', async () => {
  const at = page()
  await at.begin()
  await at.meet('a'.repeat(16))
  for (const left of ['', 'slow']) {
    const got = at.load()
    await settled()
    await at.later(3_900)
    assert.equal(got.length, 0)
    await at.later(200)
    await until(() => got.length > 0)
    assert.equal(at.peers.state().left.join(), left)
  }
  assert.equal(at.fromCdn.length, 2)
})

test('whoever says what nobody says is left', async () => {
  const id = 'a'.repeat(16)
  for (const message of [
    { t: 'have', k: ['../../etc/passwd'] },
    { t: 'have', k: [{}] },
    { t: 'want', i: -1, k: KEY },
    { t: 'dance' },
    null,
    bufferOf(new Uint8Array(3)),
    bufferOf(new Uint8Array(900)),
    { t: 'have', k: 'x'.repeat(50_000) },
  ]) {
    const at = page()
    await at.begin()
    const channel = await at.meet(id)
    channel.hears(message)
    assert.deepEqual([at.peers.state().left.join(), at.connections[0]?.closed], ['bad', true], JSON.stringify(message))
  }
  for (const size of [0, -1, 1.5, 2 ** 40, '9']) {
    const at = page()
    await at.begin()
    const channel = await at.meet(id)
    const got = at.load()
    await settled()
    channel.hears({ t: 'size', i: wantOf(channel), n: size })
    await until(() => got.length > 0)
    assert.deepEqual([at.peers.state().left.join(), at.fromCdn.length], ['bad', 1], String(size))
  }
  const long = page()
  await long.begin()
  const channel = await long.meet(id)
  const got = long.load()
  await settled()
  channel.hears({ t: 'size', i: wantOf(channel), n: 10 })
  const piece = new Uint8Array(20)
  new DataView(piece.buffer).setUint32(0, wantOf(channel))
  channel.hears(piece.buffer)
  await until(() => got.length > 0)
  assert.deepEqual([long.peers.state().left.join(), long.fromCdn.length], ['bad', 1])
})

test('who has just been introduced is waited for with what is buffered; who then says nothing is left', async () => {
  const at = page()
  await at.begin()
  const early = at.load()
  await settled()
  assert.deepEqual([early.length, at.fromCdn.length], [0, 0])
  const channel = await at.meet('a'.repeat(16))
  await settled()
  answer(channel, wantOf(channel), SEGMENT)
  await until(() => early.length > 0)
  assert.deepEqual([at.fromCdn.length, at.peers.state().bytes.peers], [0, SEGMENT.length])
  const other = page()
  await other.begin()
  other.sockets[0]?.onmessage({ data: JSON.stringify({ t: 'peers', p: ['b'.repeat(16)] }) })
  await settled()
  const got = other.load()
  await settled()
  assert.equal(got.length, 0)
  await other.later(2_100)
  await until(() => got.length > 0)
  await other.later(1_000)
  assert.deepEqual([other.fromCdn.length, other.peers.state().left.join()], [1, 'slow'])
})

test('a picture that stands twice after pieces of peers ends it for the session; the room’s end does, too', async () => {
  const at = page()
  await at.begin()
  const channel = await at.meet('a'.repeat(16))
  at.video.dispatchEvent(new Event('waiting'))
  assert.equal(at.peers.state().on, true)
  const got = at.load()
  await settled()
  answer(channel, wantOf(channel), SEGMENT)
  await until(() => got.length > 0)
  for (let time = 0; time < 2; time++) at.video.dispatchEvent(new Event('waiting'))
  assert.deepEqual([at.peers.state().on, at.peers.state().why], [false, 'stall'])
  const other = page()
  await other.begin()
  other.sockets[0]?.onclose({ code: 4001 })
  assert.deepEqual([other.peers.state().on, other.peers.state().why], [false, 'off'])
})

test('who is there to compare with, has a line that counts bytes, or an old browser, asks nobody', async () => {
  for (const [made, group] of [
    [page({ answer: { on: true, group: 'control' } }), 'control'],
    [page({ answer: { on: false } }), undefined],
    [page({ scope: { navigator: { connection: { saveData: true } } } }), undefined],
    [page({ scope: { navigator: { connection: { type: 'cellular' } } } }), undefined],
    [page({ scope: { crypto: {} } }), undefined],
    [page({ scope: { RTCPeerConnection: undefined } }), undefined],
  ] as const) {
    await made.begin()
    const got = made.load()
    await until(() => got.length > 0)
    const { on, group: told } = made.peers.state()
    assert.deepEqual([on, told, made.sockets.length, made.fromCdn.length], [false, group, 0, 1])
    assert.equal(made.hls.peerShare !== undefined, group === 'control')
  }
})

test('the script stays below six kilobytes', () => assert.ok(zlib.gzipSync(SOURCE, { level: 9 }).length < 6_000))
