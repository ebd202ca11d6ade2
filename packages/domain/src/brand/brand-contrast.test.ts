import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brandContrast, nearestReadable } from './brand-contrast.ts'
import { mixOklab } from './mix.ts'

test('colours mix as the browser mixes them', () => {
  // What Chromium computes for color-mix(in oklab, …).
  assert.equal(mixOklab('#3a5bff', '#000000', 1), '#3a5bff')
  assert.equal(mixOklab('#ff0000', '#ffffff', 0.5), '#ffa191')
  assert.equal(mixOklab('#3a5bff', '#ffffff', 0.58), '#85a7ff')
  assert.equal(mixOklab('#3a5bff', '#000000', 0.86), '#2e49d1')
})

test('the own brand can be read everywhere; white, black and a light yellow cannot', () => {
  const own = brandContrast('#3a5bff')
  assert.deepEqual([own.readable, own.ink], [true, '#ffffff'])
  assert.ok(own.light >= 4.5 && own.dark >= 4.5 && own.onBrand >= 4.5 && own.shape >= 3)
  assert.ok(brandContrast('#0b6e4f').readable && brandContrast('#0b3d91').readable)
  for (const color of ['#ffffff', '#000000', '#ffe14d', '#f5f5f5'])
    assert.equal(brandContrast(color).readable, false, color)
})

test('every colour has a nearest one that can be read, and one that can be read is its own', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(channel, channel, channel, (...parts) => {
      const color = `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
      const near = nearestReadable(color)
      assert.match(near, /^#[0-9a-f]{6}$/)
      assert.ok(brandContrast(near).readable, `${color} → ${near}`)
      if (brandContrast(color).readable) assert.equal(near, color)
    }),
    { numRuns: 300 },
  )
})
