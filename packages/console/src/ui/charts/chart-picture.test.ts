import { expect, test } from 'vitest'
import { legendRows } from './chart-picture.ts'

test.each([
  [[], []],
  [[40, 40], [[40, 40]]],
  [
    [60, 60, 30],
    [[60], [60, 30]],
  ],
  [
    [400, 10],
    [[400], [10]],
  ],
])('names %j stand in rows %j of a picture 100 wide', (widths, rows) => {
  expect(legendRows(widths, (width) => width, 100)).toEqual(rows)
})
