import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastRows } from './history.ts'
import { pastFaults } from './past-faults.ts'

const NOW = Date.UTC(2026, 4, 20, 14, 37, 12)
const HOUR_MS = 3_600_000
const cdnIds = ['swiftlane', 'polaris', 'tidewater']
const faults = pastFaults(NOW)
const rows = pastRows(
  {
    organizationId: 'o',
    siteId: 's',
    node: 'n/dns',
    cdnIds,
    domains: [{ id: 'd', name: 'www.a.test', cdnIds, share: 0.5 }],
    faults,
  },
  NOW,
)
const rum = [...rows.hours.measures, ...rows.minutes.measures].filter(({ source }) => source === 'rum')

test('the past ends now, begins two weeks ago, and no hour comes twice', () => {
  const times = rum.map(({ at }) => at)
  assert.ok(times.every((at) => at < NOW))
  const first = Math.min(...times)
  assert.ok(NOW - first > 13.9 * 24 * HOUR_MS && NOW - first < 14.2 * 24 * HOUR_MS)
  const hours = new Set(rows.hours.measures.map(({ at }) => at))
  assert.ok(rows.minutes.measures.every(({ at }) => !hours.has(Math.floor(at / HOUR_MS) * HOUR_MS)))
})

test('successes are never more than samples, and each has its place in the histogram', () => {
  for (const { samples, successes, rtt } of rum) {
    assert.ok(successes <= samples)
    assert.equal(
      Object.values(rtt).reduce((sum, count) => sum + count, 0),
      successes,
    )
  }
})

test('a country is busier in its evening than in its night', () => {
  const samplesAt = (hour: number) =>
    rows.hours.measures
      .filter(({ at, country }) => country === 'GB' && new Date(at).getUTCHours() === hour)
      .reduce((sum, { samples }) => sum + samples, 0)
  assert.ok(samplesAt(20) > 3 * samplesAt(4))
})

test('while a CDN was down its availability fell and nobody was sent there', () => {
  const down = faults.findLast((fault) => fault.kind === 'down')
  assert.ok(down)
  const during = rows.minutes.measures.filter(
    ({ at, cdnId, source }) => source === 'rum' && cdnId === down.cdnId && at >= down.from && at + 60_000 <= down.to,
  )
  assert.ok(during.length > 0)
  assert.ok(during.every(({ successes }) => successes === 0))
  assert.ok(
    rows.minutes.answers.every(({ at, cdnId }) => cdnId !== down.cdnId || at + 60_000 <= down.from || at >= down.to),
  )
})

test('queries are as many as answers, a few of them for names that do not exist', () => {
  const answers = [...rows.hours.answers, ...rows.minutes.answers].reduce((sum, one) => sum + one.answers, 0)
  const requests = [...rows.hours.requests, ...rows.minutes.requests]
  const existing = requests.filter(({ rcode }) => rcode === 'NOERROR').reduce((sum, one) => sum + one.requests, 0)
  const missing = requests.filter(({ rcode }) => rcode === 'NXDOMAIN').reduce((sum, one) => sum + one.requests, 0)
  assert.ok(Math.abs(existing / answers - 1) < 0.02, `${existing} of ${answers}`)
  assert.ok(missing > 0 && missing < existing / 20)
  assert.equal(new Set(requests.map((one) => `${one.at} ${one.name} ${one.type} ${one.rcode}`)).size, requests.length)
})

test('pages were fetched where people were sent, most of them from a cache, and paths add up to about the same', () => {
  const all = [...rows.hours.traffic, ...rows.minutes.traffic]
  const sum = (list: readonly { requests: number }[]) => list.reduce((total, { requests }) => total + requests, 0)
  const share = sum(all.filter(({ cache }) => cache === 'HIT')) / sum(all)
  assert.ok(share > 0.82 && share < 0.93, String(share))
  const byPath = sum([...rows.hours.paths, ...rows.minutes.paths].flatMap(({ paths }) => paths))
  assert.ok(Math.abs(byPath / sum(all) - 1) < 0.05, String(byPath / sum(all)))
  const down = faults.findLast((fault) => fault.kind === 'down')
  assert.ok(
    down &&
      rows.minutes.traffic.every(({ at, cdnId }) => cdnId !== down.cdnId || at + 60_000 <= down.from || at >= down.to),
  )
})
