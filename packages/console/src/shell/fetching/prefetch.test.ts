import { expect, test } from 'vitest'
import { mayPrefetch } from './prefetch.ts'

test.each([
  [{ onLine: true }, true],
  [{ onLine: false }, false],
  [{ onLine: true, connection: { effectiveType: '4g' } }, true],
  [{ onLine: true, connection: { effectiveType: '3g' } }, false],
  [{ onLine: true, connection: { effectiveType: '2g' } }, false],
  [{ onLine: true, connection: { effectiveType: 'slow-2g' } }, false],
  [{ onLine: true, connection: { effectiveType: '4g', saveData: true } }, false],
])('with %o pages are fetched ahead: %s', (network, may) => {
  expect(mayPrefetch(network)).toBe(may)
})
