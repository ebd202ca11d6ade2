import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Location, SecurityPolicy } from '@fairway/contract'
import { accessJudge, networkJudges } from './access-effect.ts'

const NOW = 1_800_000_000
const JAPAN: Location = { continent: 'AS', country: 'JP', region: null, city: null, network: 'AS2500', asn: 2500 }
const entry = (
  list: 'whitelist' | 'blacklist',
  value: string,
  more: object = {},
): SecurityPolicy['access'][number] => ({
  id: `${list} ${value}`,
  list,
  kind: value.includes(':JP') ? 'place' : 'address',
  value,
  network: null,
  exclude: false,
  until: 0,
  ...more,
})

// Of the network 203.0.113.0/24: whether some of it is surely, and may be, kept out.
const CASES: [string, SecurityPolicy['access'], [least: boolean, most: boolean]][] = [
  ['nothing', [], [false, false]],
  ['the whole network', [entry('blacklist', '203.0.113.0/24')], [true, true]],
  ['one address of it', [entry('blacklist', '203.0.113.9')], [false, true]],
  ['another network', [entry('blacklist', '198.51.100.0/24')], [false, false]],
  ['its country', [entry('blacklist', 'country:JP')], [true, true]],
  [
    'its country, but one address of it is let in',
    [entry('blacklist', 'country:JP'), entry('whitelist', '203.0.113.9')],
    [false, true],
  ],
  [
    'its country, but the whole network is let in',
    [entry('blacklist', 'country:JP'), entry('whitelist', '203.0.112.0/23')],
    [false, false],
  ],
  ['an entry whose time is over', [entry('blacklist', '203.0.113.0/24', { until: NOW - 1 })], [false, false]],
  [
    'its country without its network',
    [entry('blacklist', 'country:JP'), entry('blacklist', 'country:JP', { network: 'AS2500', exclude: true })],
    [false, false],
  ],
]
for (const [name, entries, expected] of CASES)
  test(`of a network that is only known as a whole it is told who is kept out at least and at most: ${name}`, () => {
    const { least, most } = networkJudges(entries, NOW)
    assert.deepEqual([least('203.0.113.0', JAPAN), most('203.0.113.0', JAPAN)], expected)
  })

test('a whole address is judged exactly', () => {
  const judge = accessJudge([entry('blacklist', '203.0.113.9')], NOW)
  assert.deepEqual([judge('203.0.113.9', JAPAN), judge('203.0.113.10', JAPAN)], [true, false])
})
