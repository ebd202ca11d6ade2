import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES, LIMITS, type LiveStream } from '@fairway/contract'
import { emptyLivePlaylist, readLivePlaylist, withSegment, writeLivePlaylist } from '@fairway/domain'
import { mediaFolders, streamHost } from '@fairway/platform'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { quantile } from '../figures.ts'
import { registerOperator } from '../operator.ts'
import { startClock } from './clock-encoder.ts'
import { loadOfMachine } from './load-of-machine.ts'
import { type Watched, watchScript } from './page-scripts.ts'
import { RemotePage } from './remote-page.ts'

const { liveStreams } = FEATURES
const SECONDS = 300
const GOALS = { firstMs: 8_000, p50: 2_000, p95: 2_500, dvrMs: 20 }
const ANSWERS = 300
/** Both kinds of answer are asked for so often a second, beside an encoder that goes on. */
const PAUSE_MS = 20

/**
 * How far viewers are behind: an encoder draws the time into its picture, a browser reads it out of the pixels that it
 * shows. Low latency, and normal HLS beside it; then how soon a playlist of the longest window is answered.
 */
export async function benchLive(say: (line: string) => void, seconds = SECONDS): Promise<void> {
  await using world = await startInstallation({ command: 'up', settings: { FAIRWAY_LIVE_MOST: '4' } })
  const { organizationId } = await registerOperator(world)
  await using page = await RemotePage.open()
  for (const latency of ['low', 'normal'] as const) {
    const stream = await Stream.create(world, latency, LIMITS.rewindSeconds.min)
    say(await delayOf(stream, page, seconds))
    await stream.off()
    await page.renew()
  }
  for (const line of await dvr(world, organizationId)) say(line)
  say(loadOfMachine())
}

class Stream {
  readonly world: Installation
  readonly id: string
  readonly latency: LiveStream['latency']
  readonly #to: string

  private constructor(world: Installation, { id, latency, inputUrl }: LiveStream, key: string) {
    this.world = world
    this.id = id
    this.latency = latency
    this.#to = `${inputUrl}/${key}`
  }

  /** One that takes what an encoder sends. */
  static async create(world: Installation, latency: LiveStream['latency'], rewindSeconds: number): Promise<Stream> {
    const { data, key } = await world.api(liveStreams.routes.create, {
      name: `Clock, ${latency}, ${rewindSeconds} s`,
      protocol: 'rtmp',
      latency,
      keyFrameSeconds: 2,
      rewindSeconds,
    })
    if (key === null) throw new Error('the stream has no key')
    const stream = new Stream(world, data, key)
    while ((await stream.now()).transcoderStatus !== 1) await sleep(200)
    await world.api(liveStreams.routes.setTranscoder, { id: data.id, on: true })
    while ((await stream.now()).transcoderStatus !== 3) await sleep(200)
    return stream
  }

  now(): Promise<LiveStream> {
    return this.world.api(liveStreams.routes.get, { id: this.id })
  }
  encode(): Disposable {
    return startClock(this.#to)
  }
  async address(): Promise<string> {
    for (;;) {
      const { outputUrl } = await this.now()
      if (outputUrl !== null) return outputUrl
      await sleep(50)
    }
  }
  async off(): Promise<void> {
    await this.world.api(liveStreams.routes.setTranscoder, { id: this.id, on: false })
  }
}

/** A viewer waits for the stream, so that the first picture is counted from the encoder's beginning. */
async function delayOf(stream: Stream, page: RemotePage, seconds: number): Promise<string> {
  const began = Date.now()
  using _clock = stream.encode()
  const { firstAt, ages, stalls, errors } = await page.evaluate<Watched>(watchScript(await stream.address(), seconds))
  const at = (share: number) => quantile(ages, share).toFixed(0)
  const first = firstAt === 0 ? 'no picture' : `first picture ${firstAt - began} ms after the encoder began`
  const goals = stream.latency === 'low' ? ` (goals p50 ${GOALS.p50}, p95 ${GOALS.p95})` : ''
  const stood =
    stalls.length === 0
      ? 'no stall'
      : `${stalls.length} stalls, after ${stalls.map((one) => one.toFixed(0)).join(', ')} s`
  const told = errors.length === 0 ? '' : `; told by hls.js: ${[...new Set(errors)].join(', ')}`
  return `${stream.latency} latency: glass to glass p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms over ${ages.length} pictures of ${seconds} s${goals}; ${stood}; ${first} (goal ${GOALS.firstMs})${told}`
}

/**
 * Nobody waits six hours for a measurement: the window behind an encoder that went away is filled with earlier times of
 * one segment of its own, the process dies and reads what lies there, and the encoder comes back.
 */
async function dvr(world: Installation, organizationId: string): Promise<string[]> {
  const stream = await Stream.create(world, 'low', LIMITS.rewindSeconds.max)
  let address: string
  {
    using _clock = stream.encode()
    address = await stream.address()
    await sleep(3_000)
  }
  while ((await stream.now()).input?.state === 'live') await sleep(100)
  const host = streamHost(world.config, organizationId)
  const folder = path.join(mediaFolders(world.config).assets, host.slice(0, host.indexOf('.')), stream.id)
  const rungs = (await stream.now()).renditions.map(({ name }) => name)
  for (const rung of rungs) plant(path.join(folder, `${rung}.m3u8`), LIMITS.rewindSeconds.max)
  const killed = world.kill('media')
  await world.restarted('media', killed, 60_000)
  using _clock = stream.encode()
  const list = `${new URL(address).pathname.replace('master', rungs[0] ?? '')}`
  const asked = (query: string) => ask(world, host, `${list}${query}`)
  // Parts come again: the answer is made anew several times a second.
  while (!(await asked('')).body.includes('CAN-BLOCK-RELOAD=YES')) await sleep(100)
  const lines: string[] = []
  for (const [what, query] of [
    ['the whole', ''],
    ['an update', '?_HLS_skip=YES'],
  ] as const) {
    const answers: { ms: number; body: string }[] = []
    while (answers.length < ANSWERS) {
      answers.push(await asked(query))
      await sleep(PAUSE_MS)
    }
    const times = answers.map(({ ms }) => ms)
    const last = answers.at(-1)?.body ?? ''
    const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(last)?.[1] ?? 0)
    const segments = [...last.matchAll(/^#EXTINF/gm)].length + skipped
    lines.push(
      `window of ${(LIMITS.rewindSeconds.max / 3600).toFixed(0)} h, ${segments} segments: ${what} playlist (${(last.length / 1024).toFixed(0)} kB) answered by the origin after p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms of ${ANSWERS} (goal p99 ${GOALS.dvrMs})`,
    )
  }
  await stream.off()
  return lines
}

/** Puts so many seconds before what a playlist names. */
function plant(file: string, seconds: number): void {
  const list = readLivePlaylist(fs.readFileSync(file, 'utf8'))
  const [first] = list?.segments ?? []
  if (!list || !first) throw new Error('the stream has no segment')
  const count = Math.floor(seconds / first.seconds)
  const folder = path.join(path.dirname(file), path.dirname(first.uri))
  let planted = emptyLivePlaylist(list.targetSeconds)
  for (let index = 0; index < count; index++) {
    const name = `planted${index}.m4s`
    fs.linkSync(path.join(path.dirname(file), first.uri), path.join(folder, name))
    planted.segments.push({
      ...first,
      uri: `${path.dirname(first.uri)}/${name}`,
      at: first.at - (count - index) * first.seconds * 1000,
    })
  }
  for (const segment of list.segments) planted = withSegment(planted, segment, seconds)
  fs.writeFileSync(file, writeLivePlaylist(planted))
}

function ask(world: Installation, host: string, target: string): Promise<{ ms: number; body: string }> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    http
      .get({ ...world.config.mediaListen, path: target, headers: { host } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => {
          const body = Buffer.concat(pieces)
          resolve({ ms: performance.now() - began, body: body.toString() })
        })
        response.on('error', reject)
      })
      .once('error', reject)
  })
}
