import type { LoggedRequest, TrafficBreakdown, TrafficReport } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page, platforms } from '../../testing/steering-answers.ts'
// Pages are fetched when they are opened; here they are there before the first test begins to wait.
import './requests-drawer.tsx'
import './screen.tsx'

const AT = Date.parse('2026-11-21T10:00:00Z')
const counts = {
  requests: 1000,
  bytes: 5_000_000,
  hits: 900,
  hitBytes: 4_000_000,
  cacheTold: 1000,
  cacheToldBytes: 5_000_000,
  clientErrors: 10,
  serverErrors: 5,
  statusTold: 1000,
  leftOut: 0,
  leftOutBytes: 0,
}
const none = {
  requests: 0,
  bytes: 0,
  hits: 0,
  hitBytes: 0,
  cacheTold: 0,
  cacheToldBytes: 0,
  clientErrors: 0,
  serverErrors: 0,
  statusTold: 0,
  leftOut: 0,
  leftOutBytes: 0,
}
const report: TrafficReport = {
  intervalSeconds: 600,
  points: [
    { at: AT, ...counts },
    { at: AT + 600_000, ...none },
  ],
  totals: counts,
  before: {
    points: [
      { at: AT - 1_200_000, ...counts },
      { at: AT - 600_000, ...none },
    ],
    totals: { ...counts, requests: 500, hits: 450, cacheTold: 500, clientErrors: 5, serverErrors: 0, statusTold: 500 },
  },
  marks: [],
  vendors: [],
}
const breakdown: TrafficBreakdown = {
  intervalSeconds: 600,
  totals: { requests: 1000, bytes: 5_000_000, hits: 900, cacheTold: 1000 },
  series: [{ value: 'a', other: false, points: [{ at: AT, requests: 1000, bytes: 5_000_000 }] }],
  shares: [{ value: 'a', requests: 1000, bytes: 5_000_000, hits: 900, cacheTold: 1000 }],
  distinct: 1,
  untold: null,
}
const request: LoggedRequest = {
  id: 'abc123',
  at: AT + 1000,
  siteId: 's1',
  domainId: 'd1',
  cdnId: 'a',
  node: 'n/edge',
  host: 'www.example.com',
  method: 'GET',
  path: '/slow',
  status: 503,
  bytes: 700,
  ms: 12,
  cacheStatus: 'MISS',
  why: 'set-cookie',
  client: '80.147.0.0',
  country: 'DE',
}
const world = (answer: object = report) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/domains/': () => page([{ ...domainOf(), siteName: 'example.com' }]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /analytics/v2/multi-cdn/': () => answer,
  'GET /analytics/v2/multi-cdn/breakdown/': () => breakdown,
  'GET /analytics/v2/multi-cdn/paths/': () => ({
    data: [
      { path: '/slow', requests: 600, bytes: 1000, hits: 0 },
      { path: '', requests: 400, bytes: 1000, hits: 400 },
    ],
  }),
  'GET /analytics/v2/multi-cdn/requests/': () => ({ data: [request], total: 250 }),
})
const PAGE = '/example.com/analytics/multi-cdn'

test('key figures stand beside those of the period before', async () => {
  stubApi(world())
  openScreen(PAGE)
  const figures = await screen.findByLabelText('Key figures')
  expect(figures.textContent).toContain('1K')
  expect(figures.textContent).toContain('100%')
  expect(figures.textContent).toContain('80% of the bytes')
  expect(figures.textContent).toContain('0.5 pt')
})

test('at most four metrics are chosen, and the address keeps them', async () => {
  stubApi(world())
  const { router } = openScreen(PAGE)
  const boxes = within(await screen.findByRole('group', { name: 'Metrics, at most 4 at once' }))
  expect(boxes.getByRole('checkbox', { name: 'Client errors' })).toHaveProperty('disabled', true)
  fireEvent.click(boxes.getByRole('checkbox', { name: 'Traffic' }))
  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ metrics: ['requests', 'hitRatio', 'serverErrors'] }),
  )
  fireEvent.click(screen.getByRole('switch', { name: 'Compare with the period before' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ compare: true }))
})

test('a point of a chart and a path lead to the single requests behind them', async () => {
  stubApi(world())
  const { router } = openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: '/slow' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ path: '/slow' }))
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText('The newest 1 of 250 requests')).toBeDefined()
  expect(within(drawer).getByText(/the answer sets a cookie$/)).toBeDefined()
  expect(within(drawer).getByText('503').closest('li')?.textContent).toContain('Germany')
  fireEvent.click(within(drawer).getByRole('button', { name: 'Close' }))
  // Where nothing can be painted, charts are tables, whose times are the points.
  const table = (await screen.findAllByRole('group', { name: 'Requests' }))[0]
  fireEvent.click(within(table ?? document.body).getAllByRole('button')[0] ?? document.body)
  await waitFor(() => expect(router.state.location.search).toMatchObject({ at: AT / 1000 + 600 }))
})

test('a share narrows the page, a chip takes it off', async () => {
  stubApi(world())
  const { router } = openScreen(PAGE)
  fireEvent.click(await screen.findByTitle('Show Alpha only'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ cdn: 'a' }))
  fireEvent.click(await screen.findByRole('button', { name: 'No longer only Alpha' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('cdn'))
})

test('an empty window says so, and a store that is away can be asked again', async () => {
  stubApi(world({ ...report, totals: none }))
  openScreen('/analytics/multi-cdn')
  expect(await screen.findByText('Nothing was fetched in this window')).toBeDefined()
  stubApi({ ...world(), 'GET /analytics/v2/multi-cdn/': () => refusal(503, 503) })
  openScreen(PAGE)
  expect(await screen.findByRole('button', { name: /again|Retry/i })).toBeDefined()
})

test('what vendors do not tell, and how far they have told, is said beside the figures', async () => {
  const half = {
    ...counts,
    cacheTold: 500,
    hits: 450,
    statusTold: 0,
    clientErrors: 0,
    serverErrors: 0,
    leftOut: 40,
    leftOutBytes: 2000,
  }
  const vendors = [{ cdnId: 'a', readUntil: '2026-11-21T10:05:00Z', problem: 'Alpha answers 503' }]
  const points = breakdown.series[0]?.points ?? []
  stubApi({
    ...world({ ...report, totals: half, vendors }),
    'GET /analytics/v2/multi-cdn/breakdown/': () => ({
      ...breakdown,
      totals: { ...breakdown.totals, requests: 2000 },
      untold: { requests: 1000, bytes: 0, points },
    }),
  })
  openScreen(PAGE)
  const figures = await screen.findByLabelText('Key figures')
  expect(figures.textContent).toContain('90%')
  expect(figures.textContent).toContain('told of 50% of the requests')
  expect(figures.textContent).toContain('—')
  const note = (await screen.findByText('Figures that come from CDN vendors')).closest('[role=note]')
  expect(note?.textContent).toMatch(/Alpha: up to .*, then: Alpha answers 503/)
  expect(note?.textContent).toContain('Up to 40 requests and 2 kB more may fit')
  expect((await screen.findByRole('rowheader', { name: 'Not told by the CDN' })).closest('tr')?.textContent).toContain(
    '50%',
  )
})
