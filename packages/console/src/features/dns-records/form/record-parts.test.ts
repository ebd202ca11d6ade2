import { expect, test } from 'vitest'
import { validateRecord } from '@fairway/domain'
import { firstValue, joinParts, partsOf, splitParts } from './record-parts.ts'

const samples = {
  SRV: '10 5 443 sip.example.net',
  CAA: '0 issue "letsencrypt.org; validationmethods=dns-01"',
  HTTPS: '1 . alpn="h3,h2" port="443"',
  SVCB: '0 dns.example.net',
  TLSA: `3 1 1 ${'AB'.repeat(32)}`,
  SSHFP: `4 2 ${'AB'.repeat(32)}`,
  DS: `12345 13 2 ${'AB'.repeat(32)}`,
  NAPTR: '10 20 "U" "E2U+sip" "!^.*$!sip:\\\\1@example.net!" .',
} as const

test.each(Object.entries(samples))('a value of %s comes apart and together again', (type, value) => {
  const known = type as keyof typeof samples
  const parts = splitParts(known, value)
  expect(parts).toHaveLength(partsOf(known)?.length ?? 0)
  expect(joinParts(known, parts)).toBe(value)
})

test('parts keep their places while others are still empty', () => {
  const written = joinParts('SRV', ['', '5', '', 'sip.example.net'])
  expect(splitParts('SRV', written)).toEqual(['', '5', '', 'sip.example.net'])
  expect(
    validateRecord({ type: 'SRV', name: '_sip._tcp', value: written, preference: null }, 'example.com'),
  ).not.toEqual([])
})

test('a new record begins with what is chosen most', () => {
  expect(splitParts('TLSA', firstValue('TLSA'))).toEqual(['3', '1', '1', ''])
  expect(splitParts('CAA', firstValue('CAA'))).toEqual(['0', 'issue', ''])
  expect(firstValue('A')).toBe('')
})

test('quotes and backslashes inside a part are the part’s own', () => {
  expect(splitParts('CAA', joinParts('CAA', ['0', 'issue', 'a "quoted" \\ text']))).toEqual([
    '0',
    'issue',
    'a "quoted" \\ text',
  ])
})
