import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecurityPolicy } from '@fairway/contract'
import { accessRemarks, isNobodys } from './access-remarks.ts'

const NOW = 1_800_000_000
type Entry = SecurityPolicy['access'][number]
const of = (list: Entry['list'], value: string, more: object = {}): Entry => ({
  id: `${list} ${value}`,
  list,
  kind: value.includes('.') || value.includes(':') ? 'address' : 'place',
  value,
  network: null,
  exclude: false,
  until: 0,
  ...more,
})
const white = (value: string, more: object = {}) => of('whitelist', value, more)
const black = (value: string, more: object = {}) => of('blacklist', value, more)
const told = (saved: Entry[], added: Entry[]) =>
  accessRemarks(saved, added, NOW).map(({ kind, value, other, count }) => [kind, value, other ?? count])

const CASES: [name: string, saved: Entry[], added: Entry[], expected: (string | number)[][]][] = [
  ['an ordinary network', [], [black('8.8.8.0/24')], []],
  ['the same entry once more', [black('8.8.8.0/24')], [black('8.8.8.0/24')], []],
  ['all of IPv4', [], [white('0.0.0.0/0')], [['lets-everybody-in', '0.0.0.0/0', 1]]],
  [
    'all of IPv4 in two halves',
    [white('0.0.0.0/1')],
    [white('128.0.0.0/1')],
    [
      ['lets-everybody-in', '0.0.0.0/0', 1],
      ['very-wide', '128.0.0.0/1', 1],
    ],
  ],
  [
    'all of IPv6 that is given out',
    [],
    [black('2000::/3')],
    [
      ['keeps-everybody-out', '::/0', 1],
      ['very-wide', '2000::/3', 1],
    ],
  ],
  ['the world', [], [white('world')], [['lets-everybody-in', 'world', 1]]],
  ['the lists as they are', [white('0.0.0.0/0')], [], [['lets-everybody-in', '0.0.0.0/0', 1]]],
  ['what has ended says nothing', [white('0.0.0.0/0', { until: NOW - 1 })], [], []],
  ['a private network', [], [black('192.168.4.0/22')], [['private', '192.168.4.0/22', 1]]],
  ['an address of examples', [], [white('2001:db8::1')], [['documentation', '2001:db8::1', 1]]],
  [
    'one that lies in another of its list',
    [black('8.8.0.0/16')],
    [black('8.8.8.8')],
    [['covered', '8.8.8.8', '8.8.0.0/16']],
  ],
  ['one that outlasts the one around it', [black('8.8.0.0/16', { until: NOW + 60 })], [black('8.8.8.8')], []],
  [
    'one around others',
    [black('8.8.8.8'), black('8.8.4.4'), black('9.9.9.9')],
    [black('8.8.0.0/16')],
    [['covers', '8.8.0.0/16', 2]],
  ],
  [
    'what the whitelist goes before',
    [white('8.8.0.0/16')],
    [black('8.8.8.8')],
    [['overruled', '8.8.8.8', '8.8.0.0/16']],
  ],
  ['a whitelist before what is there', [black('8.8.8.8')], [white('8.8.0.0/16')], [['overrules', '8.8.0.0/16', 1]]],
  [
    'a place taken out of none',
    [],
    [black('country:JP', { kind: 'place', exclude: true })],
    [['excludes-nothing', 'country:JP', 1]],
  ],
]
for (const [name, saved, added, expected] of CASES)
  test(`what there is to know of entries before they are saved: ${name}`, () =>
    assert.deepEqual(told(saved, added), expected))

test('ten thousand lines beside ten thousand entries are looked through in one go', () => {
  const many = (first: number) => Array.from({ length: 10_000 }, (_, n) => black(`${first}.${n >> 8}.${n & 255}.0/24`))
  assert.deepEqual(told(many(8), [...many(9), black('8.0.0.0/7')]).slice(-1), [['covers', '8.0.0.0/7', 10_000]])
})

test('addresses within blocks of every length are told with the widest of them', () => {
  const nested = Array.from({ length: 90 }, (_, n) => black(`2a00:1:2:3:4:5:6:0/${n + 22}`))
  const within = Array.from({ length: 5_000 }, (_, n) => black(`2a00:1:2:3:4:5:6:${n.toString(16)}`))
  const found = told([], [...within, ...nested])
  assert.equal(found.length, within.length + nested.length - 1)
  assert.ok(found.every(([kind, , other]) => kind === 'covered' && other === nested[0]?.value))
})

test('what can be nobody’s address is told from what is only not on the internet', () => {
  for (const text of ['224.0.0.1', '240.0.0.0/4', '255.255.255.255', '0.1.2.3', '::', 'ff02::1'])
    assert.ok(isNobodys(text), text)
  for (const text of ['0.0.0.0/0', '::/0', '10.0.0.1', '127.0.0.1', '100.64.0.1', '203.0.113.9', 'fe80::1', '8.8.8.8'])
    assert.ok(!isNobodys(text), text)
})
