import { expect, test } from 'vitest'
import { makeDuration } from './duration.ts'

test('a length of time has its two largest neighbouring units', () => {
  const duration = makeDuration('en')
  expect([0.25, 3.44, 45, 60, 252, 3600, 3605, 183_600].map(duration)).toEqual([
    '0.3 sec',
    '3.4 sec',
    '45 sec',
    '1 min',
    '4 min 12 sec',
    '1 hr',
    '1 hr',
    '2 days 3 hr',
  ])
})
