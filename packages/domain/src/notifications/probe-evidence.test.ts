import assert from 'node:assert/strict'
import test from 'node:test'
import { notificationWords } from './notification-words.ts'

const TABLE: [string, string][] = [
  [
    'vm/collector: 8 good; vm/edge: 1 failed (ECONNRESET); vm/dns: 1 failed (ECONNRESET)',
    '2 of 3 checks could not connect (connection reset), one failed sample each',
  ],
  [
    'a/dns: 3 failed (ECONNREFUSED); b/dns: 2 failed (no answer)',
    '2 of 2 checks could not connect (connection refused, no answer in time)',
  ],
  ['a/dns: 2 failed (status 503)', '1 of 1 checks could not connect (status 503)'],
  ['2 of 3 nodes', '2 of 3 nodes'],
  ['', ''],
]
for (const [evidence, expected] of TABLE)
  test(`what probes saw is told in words: ${evidence}`, () =>
    assert.equal(notificationWords('en', 'cdn-down', { cdn: 'Swiftlane', evidence }).cause, expected))

test('every language has the sentence', () => {
  for (const locale of ['zhHant', 'zhHans'] as const)
    assert.match(
      notificationWords(locale, 'cdn-down', { cdn: 'S', evidence: TABLE[0]?.[0] ?? '' }).cause ?? '',
      /3.*2.*1/s,
    )
})
