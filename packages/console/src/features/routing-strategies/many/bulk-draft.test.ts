import { expect, test } from 'vitest'
import { readBulkDraft } from './bulk-draft.ts'

test.each([
  ['nothing chosen is no change', {}, null],
  ['only what was chosen is changed', { 'strategy.enabled': 'off' }, { strategy: { enabled: false } }],
  [
    'a limit is set or taken away, strategies and the domain apart',
    { 'strategy.minimumMbps': '2.5', 'strategy.ttlSeconds': 'none', 'setting.ttlSeconds': ' 60 ' },
    { strategy: { minimumMbps: 2.5, ttlSeconds: null }, setting: { ttlSeconds: 60 } },
  ],
  ['what is not a number is no change', { 'setting.marginPercent': 'much' }, null],
  ['what cannot be taken away stays', { 'setting.minimumSamples': 'none' }, null],
  ['out of range is no change', { 'strategy.availabilityThreshold': '101', 'strategy.enabled': 'on' }, null],
])('%s', (_, draft, change) => {
  expect(readBulkDraft(draft).change).toEqual(change)
})

test('each field that is wrong is named', () => {
  expect(Object.keys(readBulkDraft({ 'strategy.ttlSeconds': '5', 'setting.marginPercent': '-1' }).problems)).toEqual([
    'strategy.ttlSeconds',
    'setting.marginPercent',
  ])
})
