import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDoubled, relativeName } from './names.ts'

test('a typed name is relative to its site, whole names are understood, and a last dot makes one whole', () => {
  const typed: [string, string][] = [
    ['www', 'www'],
    ['@', '@'],
    [' WWW.Example.COM ', 'www'],
    ['www.example.com.', 'www'],
    ['example.com', '@'],
    ['Example.com.', '@'],
    ['*.example.com.', '*'],
    ['notexample.com', 'notexample.com'],
    ['www.example.net.', 'www.example.net.'],
    ['www.', 'www.'],
    ['example.com.example.com.', 'example.com'],
  ]
  for (const [given, name] of typed) assert.equal(relativeName(given, 'example.com'), name, given)
})

test('a name in a zone file that says the site twice', () => {
  assert.deepEqual(
    ['example.com', 'www.Example.com', 'www', '@', 'notexample.com'].map((name) => isDoubled(name, 'example.com')),
    [true, true, false, false, false],
  )
})
