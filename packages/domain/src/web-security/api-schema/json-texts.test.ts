import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonTexts } from './json-fields.ts'

test('every value of a field is found, however often and however its name is written', () => {
  const cases: [string, string, string[]][] = [
    ['{"user":"a"}', 'user', ['a']],
    ['{"user":"a","user":"b"}', 'user', ['a', 'b']],
    ['{"us\\u0065r":"a","user":5}', 'user', ['a', '5']],
    ['{"login":{"user":"a"},"login":{"user":"b"}}', 'login.user', ['a', 'b']],
    ['{"user":"\\u0061\\n"}', 'user', ['a\n']],
    ['{"user":{"user":"a"}}', 'user', []],
    ['{"user":["a"]}', 'user', []],
    ['{"user":"a","other', 'user', ['a']],
    ['"a"', 'user', []],
    ['', 'user', []],
  ]
  for (const [text, name, found] of cases) assert.deepEqual(jsonTexts(text, name), found, text)
})

test('a text that JSON writes is found as it is', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(ascii, ascii, (user, password) => {
      assert.deepEqual(jsonTexts(JSON.stringify({ user, password }), 'password'), [password])
    }),
  )
})
