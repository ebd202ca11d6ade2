import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type LiveSegment, emptyLivePlaylist, writeLivePlaylist } from '@fairway/domain'
import { liveManifest } from './live-manifest.ts'

const BEGAN = Date.UTC(2026, 5, 1)

/** A live stream whose encoder began so many times, with one segment each time. */
function streamOf(t: TestContext, times: number): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'live-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const words =
    '-v error -y -f lavfi -i testsrc2=size=64x64:rate=10:duration=1 -c:v libx264 -preset ultrafast -f hls -hls_time 1 -hls_segment_type fmp4 -hls_segment_filename s%07d.m4s all.m3u8'
  execFileSync('ffmpeg', words.split(' '), { cwd: folder })
  const segments = Array.from({ length: times }, (_, session): LiveSegment => {
    const part = `r-${session}`
    fs.mkdirSync(path.join(folder, part))
    fs.linkSync(path.join(folder, 'init.mp4'), path.join(folder, part, 'init.mp4'))
    fs.linkSync(path.join(folder, 's0000000.m4s'), path.join(folder, part, 's0000000.m4s'))
    const at = BEGAN + session * 1_000
    return { uri: `${part}/s0000000.m4s`, map: `${part}/init.mp4`, seconds: 1, at, breaks: session > 0 }
  })
  fs.writeFileSync(path.join(folder, 'r.m3u8'), writeLivePlaylist({ ...emptyLivePlaylist(1), segments }))
  fs.writeFileSync(
    path.join(folder, 'master.m3u8'),
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=64x64,FRAME-RATE=10.000,CODECS="avc1.42c00a"\nr.m3u8\n',
  )
  return folder
}

/** Files of segments that are read while something is done. */
async function readWhile(t: TestContext, doing: () => Promise<unknown>): Promise<string[]> {
  const { readFile } = fs.promises
  const files: string[] = []
  const spied = t.mock.method(fs.promises, 'readFile', (...asked: Parameters<typeof readFile>) => {
    files.push(String(asked[0]))
    return readFile.apply(fs.promises, asked)
  })
  await doing()
  spied.mock.restore()
  return files.filter((file) => file.endsWith('.m4s'))
}

test('a stream whose encoder began again and again is told by its newest periods, each of which is read once', async (t) => {
  const folder = streamOf(t, 250)
  let text: string | null = null
  const first = await readWhile(t, async () => (text = await liveManifest(folder, undefined)))
  const told = [...String(text).matchAll(/<Period id="s(\d+)"/g)].map(([, session]) => Number(session))
  assert.deepEqual(
    told,
    Array.from({ length: 200 }, (_, at) => 50 + at),
  )
  assert.equal(first.length, 200)
  // Other streams in between.
  for (let other = 0; other < 5; other++) await liveManifest(streamOf(t, 200), undefined)
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  const later = await readWhile(t, () => liveManifest(folder, undefined))
  assert.deepEqual(later, [])
})

test('who asks while a presentation is made waits for that one, however long it takes', async (t) => {
  const folder = streamOf(t, 1)
  const { readFile } = fs.promises
  let masters = 0
  t.mock.method(fs.promises, 'readFile', async (...asked: Parameters<typeof readFile>) => {
    if (String(asked[0]).endsWith('master.m3u8')) {
      masters++
      await new Promise((resolve) => setTimeout(resolve, 1_200))
    }
    return readFile.apply(fs.promises, asked)
  })
  const first = liveManifest(folder, undefined)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const second = liveManifest(folder, undefined)
  assert.equal(await first, await second)
  assert.match(String(await first), /<Period id="s0"/)
  await liveManifest(folder, undefined)
  assert.equal(masters, 1)
})
