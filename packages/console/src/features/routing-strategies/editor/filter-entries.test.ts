import { expect, test } from 'vitest'
import { asNumbersOf, entriesOf, wrongCidr } from './filter-entries.ts'

test('entries are parted by lines, commas or spaces and come once', () => {
  expect(entriesOf(' 203.0.113.0/24\n203.0.113.0/24, 2001:db8::/32;10.0.0.1 ')).toEqual([
    '203.0.113.0/24',
    '2001:db8::/32',
    '10.0.0.1',
  ])
  expect(entriesOf('\n  ')).toEqual([])
})

test('the first entry that is no address or network is named', () => {
  expect(wrongCidr(['203.0.113.0/24', '10.0.0.1', '2001:db8::/48'])).toBeNull()
  expect(wrongCidr(['203.0.113.0/24', '203.0.113.0/33', 'x'])).toBe('203.0.113.0/33')
})

test('an autonomous system may be typed with or without its letters', () => {
  expect(asNumbersOf('3462 as13335 AS15169')).toEqual({ networks: ['AS3462', 'AS13335', 'AS15169'], wrong: null })
  expect(asNumbersOf('AS0').wrong).toBe('AS0')
  expect(asNumbersOf('hinet').wrong).toBe('HINET')
})
