import type { DataFeed, DataFeeds, FeedMoves, SteeringSetting } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page, platforms } from '../../testing/steering-answers.ts'

const feedOf = (feed: DataFeed['feed'], change: Partial<DataFeed> = {}): DataFeed => ({
  feed,
  state: 'off',
  decides: true,
  switchedOff: false,
  samples: 0,
  newestAt: null,
  placesPercent: 0,
  answersPercent: null,
  cdns: [],
  ...change,
})
const cdn = { cdnId: 'a', samples: 70, availability: 75, latencyMs: null, newestAt: null, senders: 40 }
const feeds: DataFeeds = {
  windowSeconds: 300,
  places: 4,
  unmeasured: 3,
  feeds: [
    feedOf('pulse', { state: 'feeding', samples: 70, placesPercent: 25, answersPercent: 40, cdns: [cdn] }),
    feedOf('private-data'),
    feedOf('probes', {
      state: 'feeding',
      samples: 30,
      switchedOff: true,
      cdns: [{ ...cdn, availability: 100, senders: 2 }],
    }),
    feedOf('network-errors'),
    feedOf('edge-connections', { state: 'silent', decides: false }),
  ],
  errorReporting: {
    on: true,
    secure: false,
    cdns: [
      { cdnId: 'a', asks: true },
      { cdnId: 'b', asks: false },
    ],
  },
  differences: [{ cdnId: 'a', between: ['pulse', 'probes'], points: 25 }],
  disagreements: [],
}
const moves: FeedMoves = {
  wanted: 'off',
  places: 4,
  moved: 1,
  answersPercent: 40,
  moves: [
    {
      place: 'country:JP',
      before: [{ cdnId: 'a', percent: 100 }],
      after: [{ cdnId: 'b', percent: 100 }],
      strategyId: 's',
      strategy: 'Fastest',
    },
  ],
}
const setting: SteeringSetting = {
  ttlSeconds: null,
  fallbackTtlSeconds: null,
  levels: null,
  maxAgeSeconds: null,
  minimumSamples: 20,
  marginPercent: 5,
  significance: false,
  feedsOff: ['probes'],
}
const DOMAIN = '/decisive/v2/sites/s1/domains/d1'
const world = (tried: FeedMoves = moves, put: () => unknown = () => ({})) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/platforms/': () => platforms,
  [`GET ${DOMAIN}/data-feeds/`]: () => feeds,
  [`GET ${DOMAIN}/data-feeds/moves/`]: () => tried,
  [`GET ${DOMAIN}/setting/`]: () => setting,
  [`PUT ${DOMAIN}/setting/`]: put,
})
const EDITOR = accountOf({ permissions: ['ViewSite', 'ViewPerformancePolicy', 'EditPerformancePolicy'] })
const PAGE = '/example.com/www.example.com/dem/data-feeds'

test('each feed says its state and weight, what was not measured has a dash, and contradictions are told', async () => {
  stubApi(world(), EDITOR)
  openScreen(PAGE)
  const table = await screen.findByRole('group', { name: 'Feeds' })
  const row = (name: RegExp) => within(table).getByRole('row', { name })
  expect(row(/^Pulse/).textContent).toContain('Feeding')
  expect(row(/^Private data/).textContent).toContain('Not set up')
  expect(row(/^Probes/).textContent).toContain('Switched off')
  expect(row(/^Edge connections/).textContent).toContain('Shown to compare')
  expect(within(row(/^Private data/)).getAllByText('—').length).toBeGreaterThan(1)
  expect(await screen.findByText('Probes sees Alpha 25 points more available than Pulse does.')).toBeDefined()
})

test('who would move is shown before a feed is switched off, and only the feed is changed', async () => {
  const changes = stubApi(
    world(moves, () => ({ data: { ...setting, feedsOff: ['pulse', 'probes'] }, meta: { version: 7 } })),
    EDITOR,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Switch off Pulse…' }))
  const drawer = await screen.findByRole('dialog', { name: 'Without Pulse' })
  expect(await within(drawer).findByText(/1 of 4 places would be sent elsewhere/)).toBeDefined()
  const confirm = within(drawer).getByRole('button', { name: 'Switch off' })
  await waitFor(() => expect(confirm.hasAttribute('disabled')).toBe(false))
  fireEvent.click(confirm)
  expect(await screen.findByText('Decisions leave out Pulse')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ feedsOff: ['probes', 'pulse'] }])
})

test('a feed that is off is switched on again', async () => {
  const changes = stubApi(
    world({ ...moves, wanted: 'on', moved: 0, moves: [] }, () => ({
      data: { ...setting, feedsOff: [] },
      meta: { version: 8 },
    })),
    EDITOR,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Switch on Probes…' }))
  const drawer = await screen.findByRole('dialog', { name: 'With Probes again' })
  const confirm = within(drawer).getByRole('button', { name: 'Switch on' })
  await waitFor(() => expect(confirm.hasAttribute('disabled')).toBe(false))
  fireEvent.click(confirm)
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ feedsOff: [] }]))
})

test('without probes a dead CDN is not seen, which is said; who may only look can try and not switch', async () => {
  stubApi(world(), accountOf({ permissions: ['ViewSite', 'ViewPerformancePolicy'] }))
  openScreen(`${PAGE}?without=probes`)
  const drawer = await screen.findByRole('dialog', { name: 'Without Probes' })
  expect(await within(drawer).findByText(/Probes are what sees a dead CDN/)).toBeDefined()
  expect(within(drawer).queryByRole('button', { name: 'Switch off' })).toBeNull()
})

test('it is said for each CDN whether it asks browsers for reports, and what keeps them from sending any', async () => {
  stubApi(world(), EDITOR)
  openScreen(PAGE)
  await screen.findByText('Probes sees Alpha 25 points more available than Pulse does.')
  expect(screen.getByText('Asks browsers').closest('li')?.textContent).toContain('Alpha')
  expect(screen.getByText('Cannot ask').closest('li')?.textContent).toContain('Bravo')
  expect(screen.getByText(/The collector has no HTTPS address/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Change it in the domain settings' }).getAttribute('href')).toBe(
    '/example.com/www.example.com/general-settings',
  )
})
