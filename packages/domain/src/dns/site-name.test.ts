import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRootDomain } from './site-name.ts'

test('a root domain is one label below a public suffix', () => {
  for (const name of ['example.com', 'example.co.uk', 'example.com.tw', 'shop.test', 'someone.github.io'])
    assert.ok(isRootDomain(name), name)
  for (const name of [
    'www.example.com',
    'com',
    'co.uk',
    'github.io',
    'test',
    'a.shop.test',
    'example.notasuffix',
    '192.0.2.1',
    '',
    '*.example.com',
  ])
    assert.ok(!isRootDomain(name), name)
})
