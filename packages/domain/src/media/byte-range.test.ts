import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRange } from './byte-range.ts'

test('a range is read as the standard says it', () => {
  const cases: [string | undefined, ReturnType<typeof readRange>][] = [
    [undefined, 'all'],
    ['bytes=0-9', { from: 0, to: 10 }],
    ['Bytes=0-', { from: 0, to: 100 }],
    ['bytes=99-500', { from: 99, to: 100 }],
    ['bytes=100-', 'none'],
    ['bytes=-1', { from: 99, to: 100 }],
    ['bytes=-500', { from: 0, to: 100 }],
    ['bytes=-0', 'none'],
    ['bytes=9-3', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['lines=0-1', 'all'],
    ['bytes=-', 'all'],
    ['bytes=1e3-', 'all'],
  ]
  for (const [header, expected] of cases) assert.deepEqual(readRange(header, 100), expected, header ?? 'none')
})

test('whatever is asked for lies within the file', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,16}-\d{0,16}$/)),
      fc.nat(10_000),
      (header, size) => {
        const span = readRange(header, size)
        if (typeof span === 'string') return true
        return span.from >= 0 && span.from < span.to && span.to <= size
      },
    ),
  )
})
