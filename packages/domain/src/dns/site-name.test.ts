import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteNameProblem } from './site-eligibility.ts'
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

test('a reverse zone is a site at one depth, so that none lies inside another', () => {
  const nibbles = (count: number) => `${'8.b.d.0.1.0.0.2.'.repeat(4).slice(0, 2 * count)}ip6.arpa`
  for (const name of ['2.0.192.in-addr.arpa', '0.0.10.in-addr.arpa', '255.255.255.in-addr.arpa', nibbles(12)])
    assert.deepEqual([isRootDomain(name), siteNameProblem(name)], [true, null], name)
  for (const name of [
    'in-addr.arpa',
    '192.in-addr.arpa',
    '0.192.in-addr.arpa',
    '1.2.0.192.in-addr.arpa',
    '256.0.192.in-addr.arpa',
    '02.0.192.in-addr.arpa',
    'a.0.192.in-addr.arpa',
    '0-25.2.0.192.in-addr.arpa',
    'ip6.arpa',
    nibbles(8),
    nibbles(11),
    nibbles(13),
    'g.b.d.0.1.0.0.2.8.b.d.0.ip6.arpa',
  ])
    assert.deepEqual([isRootDomain(name), siteNameProblem(name)], [false, { message: 'validation.reverseZone' }], name)
  assert.ok(!isRootDomain('2.0.192.in-addr.arpa.example.com'))
})

test('each name that cannot be a site is told its own reason', () => {
  const reasons: [string, ReturnType<typeof siteNameProblem>][] = [
    ['1.2.3.4', { message: 'validation.siteAddress' }],
    ['2001:db8::1', { message: 'validation.siteAddress' }],
    ['localhost', { message: 'validation.siteLocal' }],
    ['shop.localhost', { message: 'validation.siteLocal' }],
    ['a_b.com', { message: 'validation.siteUnderscore' }],
    ['*.example.com', { problem: 900020 }],
    ['-a.com', { message: 'validation.fqdn' }],
    ['www.example.com', { message: 'validation.rootDomain' }],
    ['google.com', { problem: 900027 }],
    ['example.com', null],
  ]
  for (const [name, reason] of reasons) assert.deepEqual(siteNameProblem(name), reason, name)
})
