import i18next from 'i18next'
import { expect, test } from 'vitest'
import texts from '../../i18n/en/routing-strategies.json'
import { ruleSentence, weightShares } from './rule-sentence.ts'

const i18n = i18next.createInstance()
await i18n.init({
  lng: 'en',
  resources: { en: { 'routing-strategies': texts } },
  ns: ['routing-strategies'],
  interpolation: { escapeValue: false },
})
const words = {
  t: i18n.getFixedT('en', 'routing-strategies'),
  language: 'en',
  who: 'Visitors in Japan',
  nameOf: (id: string) => id.toUpperCase(),
  percent: (value: number) => `${value}%`,
}
const rule = {
  method: 'best-latency' as const,
  targets: [
    { cdnId: 'a', weight: 1 },
    { cdnId: 'b', weight: 1 },
  ],
  availabilityThreshold: 90 as number | null,
  omitRum: false,
  omitSum: false,
  requireAllData: false,
}
const say = (over: object) => ruleSentence({ ...rule, ...over }, words)

test('best latency names its CDNs, its threshold and what happens otherwise', () => {
  expect(say({})).toBe(
    'Visitors in Japan go to the fastest of A and B. A CDN below 90% availability is left out. When none qualifies, the next strategy is read.',
  )
})

test('always use says nothing of thresholds or data, since it reads none', () => {
  expect(say({ method: 'always-use', omitRum: true })).toBe(
    'Visitors in Japan always go to A, whatever is measured; to B only when it is not serving.',
  )
})

test('weights are told as shares, and zero as stand-by', () => {
  expect(
    say({
      method: 'weighted-distribution',
      targets: [
        { cdnId: 'a', weight: 3 },
        { cdnId: 'b', weight: 1 },
        { cdnId: 'c', weight: 0 },
      ],
      availabilityThreshold: null,
    }),
  ).toBe(
    'Visitors in Japan are divided: A 75% and B 25%. On stand-by, for when none of them can answer: C. When none qualifies, the next strategy is read.',
  )
})

test('options that change which data counts are told', () => {
  expect(say({ omitRum: true, requireAllData: true, availabilityThreshold: null })).toContain(
    'compared only when all of them have data. Only probes count, not visitors’ measurements.',
  )
})

test('without a target there is nothing to say, and without a positive weight all are on stand-by', () => {
  expect(say({ targets: [] })).toBe('')
  expect(
    weightShares([
      { cdnId: 'a', weight: 0 },
      { cdnId: 'b', weight: 0 },
    ]),
  ).toEqual([
    { cdnId: 'a', share: null },
    { cdnId: 'b', share: null },
  ])
})
