import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { partFrames } from '@fairway/domain'
import { FragmentReader } from './fragments.ts'
import { type MadePart, type MadeSegment, Packager } from './packager.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-packager-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

const FRAGMENTS = '-f mp4 -movflags +empty_moov+default_base_moof+skip_trailer -frag_duration 1 -flush_packets 1 pipe:1'
async function packaged(fps: number, seconds: number, sound: string) {
  const [parts, segments, inits] = [[] as MadePart[], [] as MadeSegment[], [] as Buffer[]]
  const packager = new Packager(
    { fps, frames: partFrames(fps, 1) },
    {
      init: (bytes) => void inits.push(bytes),
      part: (part) => void parts.push(part),
      segment: (segment) => void segments.push(segment),
    },
  )
  const words = `-v error -f lavfi -i testsrc2=size=160x90:rate=${fps}:duration=${seconds} ${sound} -c:v libx264 -preset ultrafast -tune zerolatency -g ${Math.round(fps)} -keyint_min ${Math.round(fps)} -sc_threshold 0 -pix_fmt yuv420p ${FRAGMENTS}`
  const encoder = spawn('ffmpeg', words.split(' ').filter(Boolean), { stdio: ['ignore', 'pipe', 'inherit'] })
  // However the bytes happen to come.
  for await (const chunk of encoder.stdout)
    for (let at = 0; at < (chunk as Buffer).length; at += 701) packager.push((chunk as Buffer).subarray(at, at + 701))
  packager.finish()
  return { parts, segments, init: inits[0] ?? Buffer.alloc(0) }
}
const SOUND = '-f lavfi -i sine=duration=5 -c:a aac -ar 48000'

test('parts are whole frames of one length, segments are their parts, and nothing of picture and sound is lost', async () => {
  for (const [fps, sound] of [
    [25, SOUND],
    [24, ''],
    [29.97, SOUND],
  ] as const) {
    const { parts, segments, init } = await packaged(fps, 5, sound)
    const { perPart, perSegment } = partFrames(fps, 1)
    for (const { index, seconds, isIndependent, at, segment } of parts) {
      const frames = Math.round(seconds * fps)
      const isLast = (index + 1) * perPart >= perSegment
      if (segment < 4) assert.equal(frames, isLast ? perSegment - index * perPart : perPart, `${fps}: ${index}`)
      assert.ok(Math.abs(seconds - frames / fps) < 0.001, `${seconds} s of ${frames} frames`)
      assert.equal(isIndependent, index === 0)
      assert.ok(Math.abs(at - (segment * perSegment + index * perPart) / fps) < 0.002)
    }
    for (const { number, bytes } of segments)
      assert.deepEqual(
        bytes,
        Buffer.concat(parts.filter(({ segment }) => segment === number).map((part) => part.bytes)),
      )
    const file = path.join(folder, 'whole.mp4')
    fs.writeFileSync(file, Buffer.concat([init, ...segments.map(({ bytes }) => bytes)]))
    for (const stream of sound === '' ? ['v'] : ['v', 'a']) {
      const words = `-v error -select_streams ${stream} -show_entries packet=pts_time,duration_time -of csv=p=0`
      const { stdout, stderr } = spawnSync('ffprobe', [...words.split(' '), file], { encoding: 'utf8' })
      assert.equal(stderr, '')
      const packets = stdout
        .trim()
        .split('\n')
        .map((line) => line.split(',').map(Number))
      if (stream === 'v') assert.equal(packets.length, Math.round(5 * fps))
      for (const [index, [at = 0]] of packets.entries()) {
        const [before = 0, lasts = 0] = packets[index - 1] ?? []
        if (index > 0)
          assert.ok(Math.abs(at - before - lasts) < 0.002, `${stream} at ${at} after ${before} and ${lasts}`)
      }
    }
    const { stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], { encoding: 'utf8' })
    assert.equal(stderr, '')
  }
})

test('bytes that are no fragments are refused, and none is waited for without end', () => {
  const take = { init: () => {}, samples: () => {} }
  for (const bytes of [
    Buffer.alloc(64),
    Buffer.from('ffffffff6d6f6f66', 'hex'),
    Buffer.from('000000206d6f6f76'.padEnd(64, 'f'), 'hex'),
    Buffer.concat([
      Buffer.from('000000106d6f6f66', 'hex'),
      Buffer.from('000000087472616600000008', 'hex').subarray(0, 8),
      Buffer.from('000000086d646174', 'hex'),
    ]),
  ])
    assert.throws(() => new FragmentReader(take).push(bytes))
})
