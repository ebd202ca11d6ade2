import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import vm from 'node:vm'
import zlib from 'node:zlib'
import { PlayerPost } from '@fairway/contract'

const SOURCE = fs.readFileSync(path.join(import.meta.dirname, 'views.js'), 'utf8')

type Range = { start: number; end: number }
const ranges = (list: Range[]) => ({
  length: list.length,
  start: (at: number) => list[at]?.start,
  end: (at: number) => list[at]?.end,
})

/** A page with a video, and a clock that goes as it is told. */
function page() {
  let clock = 1_000
  const posts: { url: string; body: string }[] = []
  const ticks = new Set<() => void>()
  const scope = Object.assign(new EventTarget(), {
    performance: { now: () => clock },
    crypto,
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    setInterval: (tick: () => void) => (ticks.add(tick), tick),
    clearInterval: (tick: () => void) => ticks.delete(tick),
    fetch: (url: string, { body }: { body: string }) => {
      posts.push({ url, body })
      return Promise.resolve()
    },
  })
  const video = Object.assign(new EventTarget(), {
    currentTime: 0,
    duration: 100,
    videoHeight: 720,
    paused: true,
    seeking: false,
    ended: false,
    error: null,
    buffered: ranges([{ start: 0, end: 30 }]),
    played: ranges([]),
  })
  const listeners = new Map<string, (name: string, data: unknown) => void>()
  class Hls {
    static version = '1.7.4'
    static Events = {
      LEVEL_SWITCHED: 'level',
      FRAG_LOADED: 'frag',
      LEVEL_UPDATED: 'updated',
      STEERING_MANIFEST_LOADED: 'steering',
      ERROR: 'error',
    }
    levels = [
      { bitrate: 800_000, height: 360, pathwayId: 'polaris' },
      { bitrate: 2_500_000, height: 720, pathwayId: 'vega' },
    ]
    bandwidthEstimate = 4_000_000
    on(name: string, listener: (name: string, data: unknown) => void) {
      listeners.set(name, listener)
    }
  }
  vm.runInNewContext(SOURCE, { window: scope, Uint8Array })
  const { viewWatch } = scope as unknown as {
    viewWatch(address: string): {
      view: string
      cmcd: object
      watch(video: unknown, hls?: unknown): (() => void) | undefined
    }
  }
  return {
    scope,
    video,
    posts,
    hls: new Hls(),
    ticks,
    views: viewWatch('https://c.example/v/o/asset/x/y'),
    later: (ms: number) => void (clock += ms),
    tick: () => {
      for (const each of ticks) each()
    },
    is: (name: string) => video.dispatchEvent(new Event(name)),
    told: (name: string, data: unknown) => listeners.get(name)?.(name, data),
    /** All events so far, each post being what the collector takes. */
    events: () => posts.flatMap(({ body }) => PlayerPost.parse(JSON.parse(body)).e),
  }
}

test('a view is told from its start to its end, with what it stood on', () => {
  const at = page()
  at.views.watch(at.video, at.hls)
  at.is('play')
  at.later(800)
  at.told('level', { level: 1 })
  at.told('frag', { frag: { level: 1 } })
  at.is('playing')
  at.later(10_000)
  at.video.currentTime = 10
  at.video.played = ranges([{ start: 0, end: 10 }])
  at.tick()
  at.later(2_000)
  at.video.currentTime = 12
  at.video.buffered = ranges([{ start: 0, end: 12 }])
  at.is('waiting')
  at.later(1_500)
  at.told('frag', { frag: { level: 0 } })
  at.is('playing')
  at.later(3_000)
  at.is('pause')
  at.is('ended')
  const events = at.events()
  assert.deepEqual(
    events.map(({ k }) => k),
    ['start', 'quality', 'first', 'beat', 'stall', 'resume', 'beat', 'end'],
  )
  const [, , first, beat, stall, resume, paused] = events
  assert.deepEqual([first?.m, first?.c, first?.b, first?.h], [800, 'vega', 2_500, 720])
  assert.deepEqual([beat?.w, beat?.r, beat?.t, beat?.l], [10_000, 10, 4_000, 20_000])
  assert.deepEqual([stall?.w, stall?.l, stall?.c], [2_000, 0, 'vega'])
  assert.deepEqual([resume?.m, resume?.c, resume?.w], [1_500, 'polaris', undefined])
  assert.equal(paused?.w, 3_000)
  const posts = at.posts.map(({ body }) => PlayerPost.parse(JSON.parse(body)))
  assert.deepEqual(
    posts.map(({ n, i, p }) => [n, i === at.views.view, p]),
    posts.map((_, index) => [index, true, 'hls.js-1.7.4']),
  )
})

test('jumping is no stall, and a hidden page tells what it has at once', () => {
  const at = page()
  at.views.watch(at.video)
  at.is('play')
  at.is('playing')
  at.later(4_000)
  at.video.seeking = true
  at.is('seeking')
  at.is('waiting')
  at.video.seeking = false
  at.later(2_000)
  at.is('playing')
  at.later(1_000)
  at.scope.document.visibilityState = 'hidden'
  at.scope.document.dispatchEvent(new Event('visibilitychange'))
  const events = at.events()
  assert.ok(events.every(({ k }) => k !== 'stall' && k !== 'resume'))
  assert.deepEqual(
    events.filter(({ w }) => w !== undefined).map(({ w }) => w),
    [4_000, 1_000],
  )
  assert.equal(PlayerPost.parse(JSON.parse(at.posts[0]?.body ?? '')).p, 'native')
})

test('errors, steering and a live stream that stands still are told within bounds, whatever the player says', () => {
  const at = page()
  at.video.duration = Number.POSITIVE_INFINITY
  at.views.watch(at.video, at.hls)
  at.is('play')
  at.is('playing')
  at.told('updated', { details: { live: true, endSN: 7 } })
  at.later(12_000)
  at.told('updated', { details: { live: true, endSN: 7 } })
  at.is('waiting')
  at.told('steering', {
    steeringManifest: { 'RELOAD-URI': `/steer/x?s=${'a'.repeat(24)}`, 'PATHWAY-PRIORITY': ['we<ird'] },
  })
  at.told('error', { details: 'fragLoadError', fatal: false })
  at.told('error', { details: 'fragLoadError', fatal: false })
  at.told('error', { details: `odd ${'x'.repeat(200)}`, fatal: true })
  at.told('steering', null)
  at.told('error', undefined)
  at.told('level', { level: 99 })
  const events = at.events()
  assert.deepEqual(
    events.map(({ k, g, s, c, f, r }) => [k, g, s?.length, c, f, r]),
    [
      ['start', undefined, undefined, undefined, undefined, undefined],
      ['first', undefined, undefined, undefined, undefined, undefined],
      ['stall', 12_000, undefined, undefined, undefined, undefined],
      ['steer', undefined, 24, 'we-ird', undefined, undefined],
      ['error', undefined, undefined, undefined, undefined, undefined],
      ['error', undefined, undefined, undefined, 1, undefined],
    ],
  )
})

test('a player that begins anew is the same view, told once', () => {
  const at = page()
  const watches = () => at.views.watch(at.video, at.hls)
  let ends = watches()
  at.is('play')
  at.is('playing')
  for (let round = 0; round < 5; round++) {
    at.later(3_000)
    ends?.()
    ends?.()
    ends = watches()
    at.is('playing')
  }
  assert.equal(at.ticks.size, 1)
  at.later(2_000)
  at.tick()
  assert.deepEqual(
    at.events().map(({ k, w }) => [k, w]),
    [['start', undefined], ['first', undefined], ...Array.from({ length: 5 }, () => ['beat', 3_000]), ['beat', 2_000]],
  )
  const posts = at.posts.map(({ body }) => PlayerPost.parse(JSON.parse(body)))
  assert.deepEqual(
    posts.map(({ i, n }) => [i, n]),
    posts.map((_, index) => [at.views.view, index]),
  )
  ends?.()
  at.posts.length = 0
  at.is('error')
  at.scope.dispatchEvent(new Event('pagehide'))
  assert.deepEqual([at.posts, at.ticks.size], [[], 0])
})

test('it stays below three kilobytes, and leaves a page without fetch alone', () => {
  assert.ok(zlib.gzipSync(SOURCE, { level: 9 }).length < 3_000)
  const at = page()
  Object.assign(at.scope, { fetch: undefined })
  at.views.watch(at.video)
  at.is('play')
  assert.deepEqual(at.posts, [])
})
