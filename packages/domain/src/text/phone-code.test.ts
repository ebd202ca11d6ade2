import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneCodeOf } from './phone-code.ts'

for (const [number, code] of [
  ['+49 30 1234567', '+49'],
  ['+886 2 1234 5678', '+886'],
  ['+1 (212) 555-0100', '+1'],
  ['+7 495 123-45-67', '+7'],
  ['+852 1234 5678', '+852'],
  ['030 1234567', null],
  ['+886', null],
  ['', null],
  [null, null],
] as const) {
  test(`the country code of ${number} is ${code}`, () => assert.equal(phoneCodeOf(number), code))
}
