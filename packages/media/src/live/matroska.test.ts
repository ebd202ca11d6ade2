import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { asMatroska } from './matroska.ts'
import { AUDIO, VIDEO } from './rtmp/publisher.ts'
import { type Tag, enhanced, enhancedTags } from './testing/enhanced-encoder.ts'

const SIZE = { width: 320, height: 180 }
const wrapped = (tags: readonly Tag[]): Buffer => {
  const wrapping = asMatroska(SIZE)
  return Buffer.concat(tags.map(({ type, time, body }) => wrapping.take(type, time, body)))
}
/** Codec and times in ms of what a player would read. */
function read(bytes: Buffer, stream: 'v' | 'a'): { codec: string; times: number[] } {
  const words = `-v error -f matroska -select_streams ${stream} -show_entries stream=codec_name:packet=pts_time -of csv=p=0 pipe:0`
  const { stdout, stderr } = spawnSync('ffprobe', words.split(' '), { input: bytes, encoding: 'utf8' })
  assert.equal(stderr, '')
  const lines = stdout.trim().split('\n').filter(Boolean)
  const times = lines.map(Number.parseFloat).filter((time) => !Number.isNaN(time))
  return {
    codec: lines.find((line) => Number.isNaN(Number.parseFloat(line))) ?? '',
    times: times.map((time) => Math.round(time * 1000)).toSorted((a, b) => a - b),
  }
}
const steps = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0))

test('every frame and its time arrive, over the end of a 32-bit clock too; sound that comes late or never holds nothing up', async () => {
  const tags = await enhancedTags('hvc1', 3)
  const late = tags.map((tag) => ({ ...tag, time: (tag.time + 2 ** 32 - 1_500) % 2 ** 32 }))
  for (const [what, all] of [
    ['as it is', tags],
    ['over the end of the clock', late],
  ] as const) {
    const bytes = wrapped(all)
    const [picture, sound] = [read(bytes, 'v'), read(bytes, 'a')]
    assert.deepEqual([picture.codec, sound.codec], ['hevc', 'aac'], what)
    assert.equal(picture.times.length, 75, what)
    assert.deepEqual(new Set(steps(picture.times)), new Set([40]), what)
    // 1024 samples of 44.1 kHz each; ffmpeg puts a hole behind the first, as long as pictures are held back.
    const heard = steps(sound.times).slice(1)
    assert.ok(heard.length > 100 && heard.every((step) => step > 20 && step < 27), `${what}: ${heard.join(' ')}`)
  }
  const silent = read(wrapped(tags.filter(({ type }) => type === VIDEO)), 'v')
  assert.equal(silent.times.length, 75)
  const sounds = tags.filter(({ type }) => type === AUDIO)
  const pictures = tags.filter(({ type }) => type === VIDEO)
  const afterwards = wrapped([...pictures, ...sounds])
  assert.deepEqual([read(afterwards, 'v').times.length, read(afterwards, 'a').codec], [75, ''])
})

test('a picture or sound that begins anew ends the connection when it is another one', async () => {
  const tags = await enhancedTags('vp09', 2)
  const [soundHead, pictureHead] = tags
  assert.ok(soundHead && pictureHead)
  assert.deepEqual(wrapped([...tags, soundHead, pictureHead]), wrapped(tags), 'said again, it changes nothing')
  for (const body of [
    enhanced('vp09', 0, true, Buffer.from('another')),
    enhanced('hvc1', 0, true, Buffer.from('another')),
    enhanced('av01', 1, true, Buffer.from('frame')),
    Buffer.from([0x17, 0, 0, 0, 0]),
  ])
    assert.throws(() => wrapped([...tags, { type: VIDEO, time: 2000, body }]), /its (?:picture|codec)/)
  assert.throws(() => wrapped([...tags, { type: AUDIO, time: 2000, body: Buffer.from([0xaf, 0, 1]) }]), /its sound/)
})

test('whatever is sent, no more is held than can be waited for, and nothing fails but that one connection', () => {
  const body = fc.oneof(
    fc.uint8Array({ minLength: 2, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom('hvc1', 'av01', 'vp09', 'vvc1'), fc.nat(7), fc.boolean(), fc.uint8Array({ maxLength: 20 }))
      .map(([name, packet, key, data]) => enhanced(name, packet, key, Buffer.from(data))),
  )
  const tag = fc.record({ type: fc.constantFrom(AUDIO, VIDEO), time: fc.nat(0xffff_ffff), body })
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 40 }), (tags) => {
      try {
        wrapped(tags)
      } catch (error) {
        assert.match(String(error), /its (?:picture|sound|codec)|RangeError/)
      }
    }),
    { numRuns: 1_000 },
  )
  // A clock that stands still makes nobody wait for sound without end.
  const wrapping = asMatroska(SIZE)
  wrapping.take(VIDEO, 0, enhanced('av01', 0, true, Buffer.from('config')))
  const frame = enhanced('av01', 1, true, Buffer.alloc(1 << 20))
  const out = Array.from({ length: 20 }, () => wrapping.take(VIDEO, 0, frame).length)
  assert.ok(out.some((length) => length > 15 << 20))
})
