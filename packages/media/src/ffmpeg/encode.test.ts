import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { spriteOf, tileAt } from '@fairway/domain'
import { takeSprite } from './encode.ts'
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
