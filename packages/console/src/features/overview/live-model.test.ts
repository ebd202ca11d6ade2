import type { HealthEvent, Overview } from '@fairway/contract'
import { expect, test } from 'vitest'
import { feedOf, mapCountries, overallAvailability, rememberCountries, withCounts } from './live-model.ts'

const cdn = (over: object) => ({
  cdnId: 'a',
  name: 'Alpha',
  series: 1,
  state: 'operational' as const,
  backSince: null,
  windowSeconds: 600,
  threshold: 90,
  hardDown: false,
  since: null,
  share: 0,
  availability: 100,
  latencyMs: 10,
  samples: 10,
  trend: [],
  ...over,
})
const event = (id: string, kind: HealthEvent['kind'], startedAt: string): HealthEvent => ({
  id,
  kind,
  cdnId: null,
  title: id,
  detail: {},
  startedAt,
  endedAt: null,
})

test('availability over all CDNs weighs each by its samples', () => {
  expect(
    overallAvailability([
      cdn({ availability: 100, samples: 30 }),
      cdn({ availability: 60, samples: 10 }),
      cdn({ availability: null, samples: 0 }),
    ]),
  ).toEqual({ availability: 90, samples: 40 })
  expect(overallAvailability([])).toEqual({ availability: null, samples: 0 })
})

test('a CDN that was removed meanwhile still has its answers on the map, in the colour of other', () => {
  const [japan] = mapCountries({
    cdns: [cdn({})],
    countries: [
      {
        country: 'JP',
        cdns: [
          { cdnId: 'a', answers: 3 },
          { cdnId: 'gone', answers: 1 },
        ],
      },
    ],
  })
  expect(japan?.shares.map(({ name, series }) => [name, series])).toEqual([
    ['Alpha', 1],
    ['gone', 6],
  ])
})

test('the feed has the newest first and tells an outage once', () => {
  const feed = feedOf([
    event('old', 'cdn-down', '2026-11-20T10:00:00Z'),
    event('up', 'cdn-up', '2026-11-21T10:01:00Z'),
    event('new', 'change', '2026-11-21T10:00:00Z'),
  ])
  expect(feed.map(({ id }) => id)).toEqual(['new', 'old'])
})

test('a country keeps its last answers until they are too old, and new ones replace them at once', () => {
  const row = (country: string, cdnId: string) => ({ country, cdns: [{ cdnId, answers: 1 }] })
  const first = rememberCountries(new Map(), { at: 1000, countries: [row('JP', 'a'), row('KE', 'a')] }, 60)
  const second = rememberCountries(first, { at: 3000, countries: [row('JP', 'b')] }, 60)
  expect([...second.values()].map(({ row: { country, cdns } }) => [country, cdns[0]?.cdnId])).toEqual([
    ['JP', 'b'],
    ['KE', 'a'],
  ])
  expect([...rememberCountries(second, { at: 61_500, countries: [] }, 60).keys()]).toEqual(['JP'])
})

test('when the store misses once, the counts of a moment ago stand in; after that nothing is claimed', () => {
  const figures = (at: number, available: boolean): Overview => ({
    at,
    windowSeconds: 10,
    countries: [],
    cdns: [cdn({ share: available ? 60 : 0, hardDown: !available })],
    queriesPerSecond: available ? 21 : 0,
    queriesTrend: [],
    beaconsPerMinute: 0,
    nodes: [],
    events: [],
    analyticsAvailable: available,
  })
  const soon = withCounts(figures(5000, false), figures(1000, true))
  expect([soon.analyticsAvailable, soon.queriesPerSecond, soon.cdns[0]?.share, soon.cdns[0]?.hardDown]).toEqual([
    true,
    21,
    60,
    true,
  ])
  expect(withCounts(figures(30_000, false), figures(1000, true)).analyticsAvailable).toBe(false)
})
