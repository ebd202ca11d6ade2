import type { DecisionsReport, DemReport } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page, platforms } from '../../testing/steering-answers.ts'

const AT = Date.parse('2026-11-21T10:00:00Z')
const points = (values: (number | null)[]) =>
  values.map((value, index) => ({ at: AT + index * 60_000, value, samples: value === null ? 0 : 30 }))
const dem: DemReport = {
  intervalSeconds: 60,
  latency: [
    { cdnId: 'a', points: points([40, 42]) },
    { cdnId: 'b', points: points([50, null]) },
  ],
  availability: [
    { cdnId: 'a', points: points([99, 100]) },
    { cdnId: 'b', points: points([98, 0]) },
  ],
  totals: [
    { cdnId: 'a', p50Ms: 41, p75Ms: 60, p95Ms: 120, availability: 99.5, samples: 1200 },
    { cdnId: 'b', p50Ms: 50, p75Ms: 70, p95Ms: 130, availability: 49, samples: 12 },
  ],
  countries: [
    { country: 'JP', cdnId: 'a', p50Ms: 20, availability: 99, samples: 800 },
    { country: 'JP', cdnId: 'b', p50Ms: 15, availability: 90, samples: 12 },
    { country: 'DE', cdnId: 'a', p50Ms: 60, availability: 100, samples: 400 },
  ],
  marks: [{ from: AT, to: null, kind: 'failover', label: 'Bravo', cdnId: 'b', version: null }],
}
const decisions: DecisionsReport = {
  intervalSeconds: 60,
  answers: [{ cdnId: 'a', points: points([30, 10]) }],
  totals: [
    { cdnId: 'a', answers: 30 },
    { cdnId: 'b', answers: 10 },
  ],
  countries: [{ country: 'JP', cdnId: 'a', answers: 30 }],
  marks: [],
}
const world = (report: DemReport = dem) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /analytics/v2/sites/s1/dem/': () => report,
  'GET /analytics/v2/sites/s1/dem/decisions/': () => decisions,
  'GET /analytics/v2/dem/views/': () => ({ data: [], limit: 50 }),
})
const PAGE = '/example.com/analytics/dem'

test('each CDN has its figure with tails and samples, each country its best in bold', async () => {
  stubApi(world())
  openScreen(PAGE)
  const figures = await screen.findByLabelText('Key figures by CDN')
  expect(figures.textContent).toContain('p75 60 ms · p95 120 ms')
  expect(figures.textContent).toContain('12 samples, Fewer than the 20 samples that a decision needs')
  const japan = (await screen.findByRole('button', { name: /Japan/ })).closest('tr')
  expect(japan?.querySelector('[data-best]')?.textContent).toBe('15 ms')
  expect(screen.getByText('1 failover')).toBeDefined()
})

test('a country narrows the page by the address, and the chip takes it away', async () => {
  stubApi(world())
  const { router } = openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: /Japan/ }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ country: 'JP' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show all countries, not only Japan' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('country'))
})

test('decisions are shares of all answers', async () => {
  stubApi(world())
  openScreen(`${PAGE}?tab=decisions`)
  const figures = await screen.findByLabelText('Key figures by CDN')
  expect(within(figures).getByText('75%')).toBeDefined()
  expect(within(figures).getByText('30 answers')).toBeDefined()
})

test('the chart goes out as CSV with its samples', async () => {
  stubApi(world())
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:x'
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'CSV' }))
  const text = await saved[0]?.text()
  expect(text?.split('\r\n').slice(0, 3)).toEqual([
    'time,cdn,medianLatencyMs,samples',
    '2026-11-21T10:00:00.000Z,Alpha,40,30',
    '2026-11-21T10:00:00.000Z,Bravo,50,30',
  ])
})

test('up to four lines stand beside each other, each asked for where it is about, and the address says which', async () => {
  const asked: (string | null)[] = []
  stubApi({
    ...world(),
    'GET /analytics/v2/sites/s1/dem/': (_, query) => {
      asked.push(query.get('country'))
      return query.get('country') === 'JP'
        ? { ...dem, totals: dem.totals.slice(0, 1).map((row) => ({ ...row, p50Ms: 20 })) }
        : dem
    },
  })
  const { router } = openScreen(`${PAGE}?compare=${encodeURIComponent('["a@JP","b@JP","b"]')}`)
  const figures = await screen.findByLabelText('Key figures by CDN')
  await waitFor(() => expect(figures.textContent).toContain('Alpha, Japan20 ms'))
  // Of Bravo the report of Japan says nothing: that is no zero.
  expect(figures.textContent).toContain('Bravo, Japan—')
  expect(asked).toContain('JP')
  fireEvent.click(screen.getByRole('button', { name: 'Do not compare Bravo, Japan' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ compare: ['a@JP', 'b'] }))
  fireEvent.click(screen.getByRole('button', { name: 'Compare' }))
  fireEvent.click(await screen.findByRole('combobox', { name: 'CDN' }))
  fireEvent.click(await screen.findByRole('option', { name: 'Alpha', hidden: true }))
  fireEvent.click(screen.getByRole('button', { name: 'Add line' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ compare: ['a@JP', 'b', 'a'] }))
})

test('a comparison of five, or of what is none, in the address is left out', async () => {
  stubApi(world())
  const { router } = openScreen(`${PAGE}?compare=${encodeURIComponent('["a","b","c","d","e"]')}`)
  await screen.findByLabelText('Key figures by CDN')
  expect(router.state.location.search).not.toHaveProperty('compare')
})

test('a view is kept under a name, opened by a click, and taken away', async () => {
  const saved = {
    id: 'v1',
    name: 'Japan',
    page: { tab: 'availability', country: 'JP' },
    createdAt: '2026-11-21T10:00:00Z',
  }
  const changes = stubApi({
    ...world(),
    'GET /analytics/v2/dem/views/': () => ({ data: [saved], limit: 50 }),
    'POST /analytics/v2/dem/views/': () => ({ data: { ...saved, id: 'v2', name: 'Probes' }, meta: { version: null } }),
    'DELETE /analytics/v2/dem/views/v1/': () => ({ data: { id: 'v1' }, meta: { version: null } }),
  })
  const { router } = openScreen(`${PAGE}?source=sum&range=7d`)
  fireEvent.click(await screen.findByRole('button', { name: 'Views' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save this view…' }))
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: ' Probes ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }))
  await waitFor(() => expect(changes).toHaveLength(1))
  expect(changes[0]?.body).toEqual({ name: 'Probes', page: { source: 'sum', range: '7d' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Views' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Japan' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'availability', country: 'JP' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Views' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove view Japan' }))
  await waitFor(() => expect(changes.at(-1)?.path).toBe('/analytics/v2/dem/views/v1/'))
})

test('a window without measurements says where they come from', async () => {
  stubApi(world({ ...dem, totals: dem.totals.map((row) => ({ ...row, samples: 0 })) }))
  openScreen(PAGE)
  expect(await screen.findByText('Nothing was measured in this window')).toBeDefined()
})

test('a store of measurements that is away is told with a way to try again', async () => {
  stubApi({ ...world(), 'GET /analytics/v2/sites/s1/dem/': () => refusal(503, 503) })
  openScreen(PAGE)
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined()
})
