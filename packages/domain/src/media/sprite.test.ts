import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { imageFormat } from './image-format.ts'
import { spriteOf, tileAt } from './sprite.ts'

test('a sprite has a picture for every second of a short film, a hundred of a long one, and never none', () => {
  const of = (seconds: number, width = 640, height = 360) => spriteOf({ width, height, seconds })
  assert.deepEqual(of(0.2), { count: 1, columns: 1, width: 160, height: 90, everySeconds: 1 })
  assert.deepEqual(of(42), { count: 42, columns: 10, width: 160, height: 90, everySeconds: 1 })
  assert.deepEqual(of(7_200), { count: 100, columns: 10, width: 160, height: 90, everySeconds: 72 })
  assert.deepEqual(of(3, 1080, 1920), { count: 3, columns: 3, width: 160, height: 284, everySeconds: 1 })
  assert.deepEqual(tileAt(of(42), 13.9), { x: 480, y: 90 })
})

test('whatever time is asked for, the picture lies within the sprite', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.04, max: 43_200, noNaN: true }), fc.double({ noNaN: true }), (seconds, at) => {
      const sprite = spriteOf({ width: 640, height: 360, seconds })
      const { x, y } = tileAt(sprite, at)
      const rows = Math.ceil(sprite.count / sprite.columns)
      assert.ok(x >= 0 && x < sprite.columns * sprite.width && y >= 0 && y < rows * sprite.height)
    }),
  )
})

test('a picture is what its first bytes say, and anything else is none', () => {
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  for (const [text, format] of [
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', null],
    ['GIF89a', null],
    ['#EXTM3U\n', null],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
    ['', null],
  ] as const)
    assert.equal(imageFormat(bytes(text)), format, JSON.stringify(text))
})
