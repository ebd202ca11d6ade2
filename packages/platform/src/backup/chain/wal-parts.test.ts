import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readLsn, readWalKey, segmentName, segmentStart, stretchesOf, walKey, writeLsn } from './wal-parts.ts'

const SEGMENT = 16 << 20
const place = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffffn })

test('a place in the log is read as PostgreSQL writes it', () => {
  assert.equal(readLsn('16/B374D848'), 0x16_b374_d848n)
  assert.equal(segmentName(1, readLsn('0/3000148'), SEGMENT), '000000010000000000000003')
  assert.equal(segmentName(2, readLsn('16/B374D848'), SEGMENT), '0000000200000016000000B3')
  for (const text of ['', '1', '1/', '/1', '1/2/3', 'g/1', '1/123456789'])
    assert.throws(() => readLsn(text), RangeError)
  fc.assert(fc.property(place, (at) => readLsn(writeLsn(at)) === at))
})

test('the name of a piece says what it is, and other names are none', () => {
  fc.assert(
    fc.property(
      place,
      fc.integer({ min: 1, max: SEGMENT }),
      fc.integer({ min: 1, max: 9 }),
      (from, length, timeline) => {
        const end = segmentStart(from, SEGMENT) + BigInt(SEGMENT)
        const to = from + BigInt(length) < end ? from + BigInt(length) : end
        const key = walKey(timeline, from, to, SEGMENT)
        assert.deepEqual(readWalKey(key, 5, SEGMENT), { key, timeline, from, to, bytes: 5 })
      },
    ),
  )
  for (const key of [
    'wal-',
    'base-2026',
    'wal-0000000100000000000001FF',
    'wal-000000010000000000000003-00000010-00000010',
    'wal-000000010000000000000003-00000000-01000001',
    '../wal-000000010000000000000003',
  ])
    assert.equal(readWalKey(key, 1, SEGMENT), null, key)
  fc.assert(fc.property(fc.string(), (key) => readWalKey(key, 1, SEGMENT) === null || key.startsWith('wal-')))
})

test('pieces are put together whatever their order and overlaps, and a gap divides them', () => {
  const part = (from: number, to: number, timeline = 1) => ({
    key: `${from}-${to}`,
    timeline,
    from: BigInt(from),
    to: BigInt(to),
    bytes: 1,
  })
  const cases: [ReturnType<typeof part>[], string[]][] = [
    [[], []],
    [[part(5, 9), part(0, 5)], ['0-5 5-9']],
    [[part(0, 5), part(0, 9), part(5, 9)], ['0-9']],
    [[part(0, 5), part(3, 8)], ['0-5 3-8']],
    [
      [part(0, 5), part(6, 8)],
      ['0-5', '6-8'],
    ],
    [
      [part(0, 5), part(5, 8, 2)],
      ['0-5', '5-8'],
    ],
  ]
  for (const [parts, wanted] of cases)
    assert.deepEqual(
      stretchesOf(parts).map((stretch) => stretch.parts.map(({ key }) => key).join(' ')),
      wanted,
    )
})
