import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type LivePlaylist, emptyLivePlaylist, readLivePlaylist, writeLivePlaylist } from '@fairway/domain'
import HLS from 'hls-parser'
import { startParted, withHalfSegment, writeWhole } from './parted.ts'
import { Tail } from './tail.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-parted-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const RUNG = { name: '180p', width: 160, height: 90, fps: 25, maxBitrate: 400_000 }

function fragments(seconds: number): Buffer {
  const words = `-v error -f lavfi -i testsrc2=size=160x90:rate=25:duration=${seconds} -c:v libx264 -preset ultrafast -tune zerolatency -g 25 -keyint_min 25 -sc_threshold 0 -pix_fmt yuv420p -f mp4 -movflags +empty_moov+default_base_moof+skip_trailer -frag_duration 1 pipe:1`
  return execFileSync('ffmpeg', words.split(' '), { maxBuffer: 64 << 20 })
}

/** One session, as far as its bytes go; nothing is finished, as when the process is killed. */
function session(number: number, list: LivePlaylist, tail: Tail, bytes: Buffer): void {
  fs.mkdirSync(path.join(folder, `180p-${number}`), { recursive: true })
  const packager = startParted({
    folder,
    session: number,
    rung: RUNG,
    segmentSeconds: 1,
    windowSeconds: () => 60,
    tail,
    list,
    began: (at) => at,
    finished: (now) => writeWhole(path.join(folder, '180p.m3u8'), writeLivePlaylist(now)),
  })
  packager.push(bytes)
}
const onDisk = () => readLivePlaylist(fs.readFileSync(path.join(folder, '180p.m3u8'), 'utf8'))
const now = async (tail: Tail) =>
  Buffer.concat((await tail.playlist('180p', '', new AbortController().signal))?.pieces ?? []).toString()

test('a segment that was half made when the process died is whole under its number before another session begins', async () => {
  HLS.setOptions({ strictMode: true })
  const tail = new Tail()
  session(1, emptyLivePlaylist(1), tail, fragments(2.6))
  const seen = await now(tail)
  HLS.parse(seen)
  assert.match(seen, /s0000002p0\.m4s",INDEPENDENT=YES\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="180p-1\/s0000002p1\.m4s"/)
  const left = onDisk()
  assert.equal(left?.segments.length, 2)
  const mended = left && withHalfSegment(folder, RUNG, left, 60)
  const [, last, half] = mended?.segments ?? []
  assert.deepEqual(
    [half?.uri, half?.map, half?.breaks, half?.seconds, half?.at],
    ['180p-1/s0000002.m4s', '180p-1/init.mp4', false, 0.36, (last?.at ?? 0) + 1000],
  )
  const file = (name: string) => fs.readFileSync(path.join(folder, '180p-1', name))
  assert.deepEqual(file('s0000002.m4s'), file('s0000002p0.m4s'))
  // Once is enough, and what has ended is let be.
  assert.deepEqual(onDisk()?.segments, mended?.segments)
  assert.equal(mended && withHalfSegment(folder, RUNG, mended, 60), null)
  assert.equal(left && withHalfSegment(folder, RUNG, { ...left, hasEnded: true }, 60), null)
  // Whoever sends again goes on behind a discontinuity, with the numbers that follow and no time that was before.
  assert.ok(mended)
  const again = new Tail()
  session(2, mended, again, fragments(1.5))
  const text = await now(again)
  HLS.parse(text)
  const list = readLivePlaylist(text)
  assert.deepEqual(
    list?.segments.map(({ uri, breaks }) => [uri, breaks]),
    [
      ['180p-1/s0000000.m4s', false],
      ['180p-1/s0000001.m4s', false],
      ['180p-1/s0000002.m4s', false],
      ['180p-2/s0000000.m4s', true],
    ],
  )
  const times = list?.segments.map(({ at }) => at) ?? []
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
})
