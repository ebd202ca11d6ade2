import { ERRORS } from '@fairway/contract'
import { expect, test } from 'vitest'
import { areaOf, errorsByArea } from './areas.ts'

test('every code of the catalogue is listed once', () => {
  const listed = errorsByArea(() => true).flatMap(([, errors]) => errors.map(({ code }) => code))
  expect(listed.sort((one, other) => one - other)).toEqual(
    Object.keys(ERRORS)
      .map(Number)
      .sort((one, other) => one - other),
  )
})

test.each([
  [400, 'http'],
  [1521, 'account'],
  [2019, 'domains'],
  [2523, 'account'],
  [7701, 'billing'],
  [8421, 'integrations'],
  [27_020, 'delivery'],
  [28_001, 'security'],
  [29_001, 'billing'],
  [30_001, 'stream'],
  [810_001, 'steering'],
  [909_996, 'sites'],
])('%i belongs to %s', (code, area) => {
  expect(areaOf(code)).toBe(area)
})
