import { expect, test } from 'vitest'
import { isOld } from './use-enter.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')

test.each([
  ['2026-08-20T10:00:00Z', true],
  ['2026-08-22T10:00:00Z', false],
  ['2026-11-21T09:59:00Z', false],
])('a password of %s is old: %s', (at, old) => {
  expect(isOld({ passwordMtime: Date.parse(at), sandboxMode: false, hideFeature: [] }, NOW)).toBe(old)
})

test('a demonstration asks for no new password', () => {
  expect(isOld({ passwordMtime: 0, sandboxMode: true, hideFeature: [] }, NOW)).toBe(false)
})

test('where the partner hides the page for it, nobody is asked', () => {
  expect(isOld({ passwordMtime: 0, sandboxMode: false, hideFeature: ['account'] }, NOW)).toBe(false)
})
