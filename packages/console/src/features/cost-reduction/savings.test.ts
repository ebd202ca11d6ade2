import { expect, test } from 'vitest'
import { savingsOf } from './savings.ts'

test.each([
  [
    { trafficTb: 100, presentUsdPerGb: 0.08, otherUsdPerGb: 0.02, otherPercent: 50 },
    { presentUsd: 8000, futureUsd: 5000, savedUsd: 3000, savedPercent: 37.5 },
  ],
  [
    { trafficTb: 100, presentUsdPerGb: 0.08, otherUsdPerGb: 0.02, otherPercent: 0 },
    { presentUsd: 8000, futureUsd: 8000, savedUsd: 0, savedPercent: 0 },
  ],
  [
    { trafficTb: 1, presentUsdPerGb: 0.02, otherUsdPerGb: 0.04, otherPercent: 100 },
    { presentUsd: 20, futureUsd: 40, savedUsd: -20, savedPercent: -100 },
  ],
  [
    { trafficTb: 0, presentUsdPerGb: 0.08, otherUsdPerGb: 0.02, otherPercent: 50 },
    { presentUsd: 0, futureUsd: 0, savedUsd: 0, savedPercent: 0 },
  ],
])('%o costs %o', (input, costs) => {
  const found = savingsOf(input)
  for (const [key, value] of Object.entries(costs)) expect(Reflect.get(found, key)).toBeCloseTo(value, 6)
})
