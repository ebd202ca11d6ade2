import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareAnswers, isDifference } from './compare-answers.ts'
import { delegationProblem } from './delegation.ts'
import { allowedTtl, chosenRecords, domainCandidates, reviewRecord, type ReviewRecord } from './found-records.ts'
import { siteNameProblem } from './site-eligibility.ts'

const record = (change: Partial<ReviewRecord>): ReviewRecord => ({
  type: 'A',
  name: 'www',
  value: '8.8.8.8',
  preference: null,
  ttlSeconds: 300,
  multiCdn: false,
  ...change,
})

test('what a server makes itself, and what is outside of the site, is not reviewed', () => {
  const review = (name: string, type: string) =>
    reviewRecord({ name, type, ttlSeconds: 60, rdata: 'ns.example.net.' }, 'shop.example')
  assert.deepEqual(
    [
      review('shop.example', 'SOA'),
      review('shop.example', 'NS'),
      review('shop.example', 'RRSIG'),
      review('othershop.example', 'CNAME'),
    ],
    [null, null, null, null],
  )
  assert.equal(review('eu.shop.example', 'NS')?.name, 'eu')
})

test('raw records become what people write', () => {
  const value = (type: string, rdata: string) =>
    reviewRecord({ name: 'shop.example', type, ttlSeconds: 60, rdata }, 'shop.example')
  assert.deepEqual(
    [value('MX', '10 mail.shop.example.')?.value, value('MX', '10 mail.shop.example.')?.preference],
    ['mail.shop.example', 10],
  )
  assert.equal(value('TXT', '"v=spf1 -all"')?.value, 'v=spf1 -all')
  assert.equal(value('TXT', '"one" "two"')?.value, '"one" "two"')
})

test('a TTL stays within the plan and the limits, and a set gets one', () => {
  assert.deepEqual(
    [allowedTtl(5, 300), allowedTtl(600, 300), allowedTtl(604_800, 30), allowedTtl(null, 300)],
    [300, 600, 86_400, null],
  )
  assert.deepEqual(
    chosenRecords([record({ ttlSeconds: 600 }), record({ value: '8.8.4.4', ttlSeconds: 60 })]).map(
      ({ ttlSeconds }) => ttlSeconds,
    ),
    [60, 60],
  )
})

test('multi-CDN takes names with exactly one address record that can be an origin', () => {
  const zone = [
    record({}),
    record({ name: 'two' }),
    record({ name: 'two', value: '8.8.4.4' }),
    record({ name: '*' }),
    record({ name: '_x', type: 'CNAME', value: 'a.example.net' }),
    record({ name: 'home', value: '127.0.0.1' }),
    record({ name: 'note', type: 'TXT', value: 'x' }),
  ]
  assert.deepEqual(
    domainCandidates(zone, 'shop.example').map(({ name, problem }) => [name, problem]),
    [
      ['www', null],
      ['two', 900018],
      ['*', 900020],
      ['_x', 900028],
      ['home', 900023],
    ],
  )
})

test('answers are compared as sets; another TTL is no difference, silence is one', () => {
  const set = (rdata: string[], ttlSeconds = 60) => ({ rdata, ttlSeconds })
  const kinds = [
    compareAnswers(set(['a', 'b']), set(['b', 'a']), false),
    compareAnswers(set(['a']), set(['a'], 30), false),
    compareAnswers(set([]), set([]), false),
    compareAnswers(set(['a']), set([]), false),
    compareAnswers(set([]), set(['a']), false),
    compareAnswers(set(['a']), set(['b']), false),
    compareAnswers(set(['a']), set(['b']), true),
    compareAnswers(null, set([]), false),
  ]
  assert.deepEqual(kinds, ['same', 'ttl', 'same', 'missing', 'extra', 'different', 'steered', 'unanswered'])
  assert.deepEqual(kinds.map(isDifference), [false, false, false, true, true, true, false, true])
})

test('a site is verified only when the parent names our servers and no other', () => {
  const ours = ['ns1.fairway.test', 'ns2.fairway.test']
  assert.deepEqual(
    [[], ['ns.old.example'], ['ns.old.example', 'ns1.fairway.test'], ['ns2.fairway.test']].map((names) =>
      delegationProblem(names, ours),
    ),
    ['notDelegated', 'otherNameservers', 'mixedNameservers', null],
  )
})

test('a name that cannot be a site says why', () => {
  const why = (name: string) => {
    const found = siteNameProblem(name)
    return found && ('problem' in found ? found.problem : found.message)
  }
  assert.deepEqual(
    [
      '*.a.com',
      '_a.com',
      'localhost',
      'x.localdomain',
      '10.0.0.1',
      'google.com',
      'www.shop.example',
      'co.uk',
      'a..b',
      'shop.example',
    ].map(why),
    [
      900020,
      'validation.siteUnderscore',
      'validation.siteLocal',
      'validation.siteLocal',
      'validation.siteAddress',
      900027,
      'validation.rootDomain',
      'validation.rootDomain',
      'validation.fqdn',
      null,
    ],
  )
})
