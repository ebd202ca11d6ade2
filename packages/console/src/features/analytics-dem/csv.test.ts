import { expect, test } from 'vitest'
import { chartCsv, rowsCsv } from './csv.ts'

test('each point is a row with its samples, and a gap has an empty value', () => {
  const csv = chartCsv(
    [
      {
        key: 'a',
        name: 'Alpha',
        series: 1,
        points: [
          { at: 0, value: 12.5, samples: 3 },
          { at: 60_000, value: null, samples: 0 },
        ],
      },
    ],
    'latencyMs',
  )
  expect(csv).toBe(
    'time,cdn,latencyMs,samples\r\n1970-01-01T00:00:00.000Z,Alpha,12.5,3\r\n1970-01-01T00:01:00.000Z,Alpha,,0\r\n',
  )
})

test('a name cannot break out of its cell nor become a formula', () => {
  const csv = chartCsv(
    [{ key: 'a', name: '=1+1, "x"', series: 1, points: [{ at: 0, value: -4, samples: 1 }] }],
    'value',
  )
  expect(csv.split('\r\n')[1]).toBe('1970-01-01T00:00:00.000Z,"\'=1+1, ""x""",-4,1')
  expect(rowsCsv([['\t=1+1', '\r=1+1']])).toBe(`'\t=1+1,"'\r=1+1"\r\n`)
})
