import { describe, expect, test } from 'vitest'
import { makeFormat } from './format.ts'

const en = makeFormat('en')
const NOW = Date.UTC(2026, 10, 21, 12)
const MINUTE = 60_000

test.each([
  [30, '30 sec'],
  [60, '1 min'],
  [90, '90 sec'],
  [300, '5 min'],
  [3600, '1 hr'],
  [86_400, '24 hr'],
])('a TTL of %i s is read as %s', (seconds, text) => {
  expect(en.seconds(seconds)).toBe(text)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [41_234_000_000_000, '41.2 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(en.bytes(bytes)).toBe(text)
})

describe('an age', () => {
  test.each([
    [2 * MINUTE, '2 min ago'],
    [5 * 60 * MINUTE, '5 hr ago'],
    [24 * 60 * MINUTE, 'Yesterday'],
    [3 * 24 * 60 * MINUTE, '3 days ago'],
  ])('of %i ms is %s', (age, text) => {
    expect(en.ago(NOW - age, NOW)).toBe(text)
  })

  test('of more than a week is a date, with the year when it is another one', () => {
    expect(en.ago(NOW - 30 * 24 * 60 * MINUTE, NOW)).toBe('Oct 22')
    expect(en.ago(NOW - 400 * 24 * 60 * MINUTE, NOW)).toMatch(/2025/)
  })
})

test('percent has two decimals at most and counts to 100', () => {
  expect(en.percent(33.333_33)).toBe('33.33%')
  expect(en.percent(100)).toBe('100%')
})

test('countries are named in the language, an unknown code stays', () => {
  expect(makeFormat('zh-Hant').country('JP')).toBe('日本')
  expect(en.country('!!')).toBe('!!')
})

test('words of a list stand apart as the language writes it', () => {
  expect(en.list(['HTTP/2', 'Purge'])).toBe('HTTP/2, Purge')
  expect(makeFormat('zh-Hant').list(['壓縮', '清除'])).toBe('壓縮、清除')
})
