import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { type Rung, spriteOf, tileAt } from '@fairway/domain'
import { encodeVideos, takeSprite } from './encode.ts'
import { keep } from './kept.ts'
import { segmentsOf } from './measure.ts'
import { probe } from './probe.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-sprite-'))
test.after(() => fs.rmSync(folder, { recursive: true, force: true }))

/** One line of a command. */
const words = (...line: string[]): string[] => line

/** A white film with one key frame every so many frames, ten a second. */
function film(name: string, seconds: number, keyFrameEvery: number): string {
  const file = path.join(folder, name)
  execFileSync('ffmpeg', [
    ...words('-v', 'error', '-y', '-f', 'lavfi', '-i', `color=white:s=320x180:r=10:d=${seconds}`),
    ...words('-c:v', 'libx264', '-preset', 'ultrafast', '-g', `${keyFrameEvery}`, '-keyint_min', `${keyFrameEvery}`),
    file,
  ])
  return file
}

for (const [what, seconds, keyFrameEvery] of [
  ['a short film with one key frame', 12, 1000],
  ['a longer film whose last key frame is long before its end', 45, 300],
] as const)
  test(`${what} has a picture at every moment, and none is black`, async () => {
    const file = film(`${seconds}.mp4`, seconds, keyFrameEvery)
    const source = await probe(file, AbortSignal.timeout(60_000))
    await takeSprite({ file, source, folder, signal: AbortSignal.timeout(60_000), progress() {} })
    const gray = execFileSync('ffmpeg', [
      ...words('-v', 'error', '-i', path.join(folder, 'sprite.jpg'), '-f', 'rawvideo', '-pix_fmt', 'gray', '-'),
    ])
    const sprite = spriteOf(source)
    const shades = Array.from({ length: sprite.count }, (_, at) => {
      const { x, y } = tileAt(sprite, at * sprite.everySeconds)
      return gray[(y + sprite.height / 2) * sprite.columns * sprite.width + x + sprite.width / 2] ?? 0
    })
    assert.equal(shades.length, seconds)
    for (const shade of shades) assert.ok(shade > 200, `${shade}`)
  })

/** Presentation times of all pictures of a quality as viewers get it, and how long its segments say they are. */
function madeIn(part: string): { times: number[]; segments: { name: string; seconds: number }[]; hasEnded: boolean } {
  const index = fs.readFileSync(path.join(part, 'index.m3u8'), 'utf8')
  const segments = segmentsOf(index)
  const file = path.join(folder, 'whole.mp4')
  const names = ['init.mp4', ...segments.map(({ name }) => name)]
  fs.writeFileSync(file, Buffer.concat(names.map((name) => fs.readFileSync(path.join(part, name)))))
  const said = execFileSync('ffprobe', [
    ...words('-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file),
  ])
  const times = said.toString().trim().split('\n').map(Number)
  return { times: times.toSorted((a, b) => a - b), segments, hasEnded: index.includes('#EXT-X-ENDLIST') }
}

/** What an attempt leaves that was ended after so many segments. */
function cutOff(from: string, to: string, segments: number): void {
  fs.cpSync(from, to, { recursive: true })
  const index = path.join(to, 'index.m3u8')
  const lines = fs.readFileSync(index, 'utf8').split('\n')
  const last = lines.indexOf(`s${String(segments - 1).padStart(5, '0')}.m4s`)
  fs.writeFileSync(index, `${lines.slice(0, last + 1).join('\n')}\n`)
  // Half a segment more, that nobody was told of.
  fs.writeFileSync(path.join(to, `s${String(segments).padStart(5, '0')}.m4s.tmp`), 'half')
}

for (const fps of ['25', '30000/1001'])
  test(`at ${fps} pictures a second, qualities that were cut off go on with the very next picture, and all are read at once`, async () => {
    const home = fs.mkdtempSync(path.join(folder, 'resumed-'))
    const file = path.join(home, 'film.mp4')
    const picture = `testsrc2=size=160x90:rate=${fps}:duration=14.3`
    execFileSync('ffmpeg', [
      ...words('-v', 'error', '-f', 'lavfi', '-i', picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'),
      ...words('-g', '60', '-pix_fmt', 'yuv420p', file),
    ])
    const signal = AbortSignal.timeout(120_000)
    const source = await probe(file, signal)
    const rung = (height: number): Rung => ({
      name: `${height}p`,
      width: Math.round((height * 16) / 9),
      height,
      fps: source.fps ?? 0,
      maxBitrate: 400_000,
    })
    const rungs = [rung(54), rung(90), rung(72)]
    const names = rungs.map(({ name }) => name)
    for (const name of names) for (const number of [1, 3]) fs.mkdirSync(path.join(home, `${name}-${number}`))
    const shares: number[] = []
    const work = { file, source, folder: home, signal, progress: (share: number) => void shares.push(share) }
    await encodeVideos({ ...work, outputs: rungs.map((one) => ({ rung: one, part: `${one.name}-1`, kept: null })) })
    // One had come further than the other, and one was whole.
    cutOff(path.join(home, '54p-1'), path.join(home, '54p-2'), 3)
    cutOff(path.join(home, '90p-1'), path.join(home, '90p-2'), 1)
    fs.cpSync(path.join(home, '72p-1'), path.join(home, '72p-2'), { recursive: true })
    const kept = (name: string) => keep(path.join(home, `${name}-2`), path.join(home, `${name}-3`))
    const outputs = rungs.map((one) => ({ rung: one, part: `${one.name}-3`, kept: kept(one.name) }))
    assert.deepEqual(
      outputs.map((output) => [output.kept?.segments, output.kept?.isWhole]),
      [
        [3, false],
        [1, false],
        [4, true],
      ],
    )
    await encodeVideos({ ...work, outputs })
    for (const name of names) {
      const [once, resumed] = [madeIn(path.join(home, `${name}-1`)), madeIn(path.join(home, `${name}-3`))]
      assert.deepEqual(resumed, once, name)
      assert.ok(resumed.hasEnded && resumed.times.length === Math.round(14.3 * (source.fps ?? 0)), name)
      assert.deepEqual(
        fs.readdirSync(path.join(home, `${name}-3`)).sort(),
        fs.readdirSync(path.join(home, `${name}-1`)).sort(),
      )
    }
    assert.ok(shares.every((share) => share >= 0 && share <= 1))
    // Left by another encoder: it is no beginning of what this one makes.
    const init = path.join(home, '90p-2', 'init.mp4')
    const bytes = fs.readFileSync(init)
    const at = bytes.indexOf('avcC') + 12
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    fs.rmSync(init)
    fs.writeFileSync(init, bytes)
    fs.mkdirSync(path.join(home, '90p-4'))
    const foreign = keep(path.join(home, '90p-2'), path.join(home, '90p-4'))
    await encodeVideos({ ...work, outputs: [{ rung: rung(90), part: '90p-4', kept: foreign }] })
    assert.deepEqual(madeIn(path.join(home, '90p-4')), madeIn(path.join(home, '90p-1')))
  })
