import { expect, test, vi } from 'vitest'
import { isChunkFailure, mayReload, reloadOnce } from './chunk-reload.ts'

const NOW = 1_800_000_000_000

test.each([
  [null, true],
  [NOW - 59_999, false],
  [NOW - 60_000, true],
  [NOW, false],
  [Number.NaN, true],
  // A clock that was put back must not stop it for good.
  [NOW + 5000, true],
])('reloaded last at %s: may again %s', (lastAt, may) => {
  expect(mayReload(lastAt, NOW)).toBe(may)
})

test.each([
  [new TypeError('Failed to fetch dynamically imported module: https://c.test/assets/screen-1.js'), true],
  [new TypeError('error loading dynamically imported module: https://c.test/assets/screen-1.js'), true],
  [new TypeError('Importing a module script failed.'), true],
  [new Error('Unable to preload CSS for /assets/screen-1.css'), true],
  [new TypeError('x is undefined'), false],
  ['Failed to fetch dynamically imported module', false],
])('%s is a file of the program that is gone: %s', (error, is) => {
  expect(isChunkFailure(error)).toBe(is)
})

test('offline the page stays: there is nothing to load, and what it shows would be lost', () => {
  sessionStorage.clear()
  using offline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(reloadOnce()).toBe(false)
  expect(offline).toHaveBeenCalled()
  expect(sessionStorage).toHaveLength(0)
})
