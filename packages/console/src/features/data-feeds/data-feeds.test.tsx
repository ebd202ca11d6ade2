import type { DataFeed, DataFeeds, FeedMoves, OutsideFeed, SteeringSetting } from '@fairway/contract'
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
    feedOf('outside-feeds'),
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
  'GET /measure/v2/feeds/': () => ({ data: [], limit: 10 }),
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

const ID = '5b0f2c1e-8a53-4a0e-9a0b-4f6f4d1f0c11'
const outside: OutsideFeed = {
  id: ID,
  name: 'Own monitoring',
  weightPercent: 40,
  enabled: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  oldKeyUntil: null,
  url: `http://collector.test/feeds/${ID}/`,
  seen: {
    feed: ID,
    state: 'contradicts',
    since: 1,
    cdnId: 'a',
    place: 'country:JP',
    entries: 3,
    samples: 1200,
    newestAt: Date.now() - 5000,
    compared: 3,
    agreeing: 1,
    posts: [
      {
        at: Date.now(),
        bytes: 400,
        refused: null,
        problem: null,
        entries: 3,
        verdicts: { taken: 2, 'unknown-cdn': 1 },
      },
      { at: Date.now(), bytes: 9, refused: 'wrong-form', problem: 'the body is not JSON', entries: 0, verdicts: {} },
    ],
  },
}

test('an outside feed says why it is left out, and what became of its posts; unknown is no zero', async () => {
  const away = { ...outside, id: ID.replace(/1$/, '2'), name: 'Away', seen: null }
  stubApi({ ...world(), 'GET /measure/v2/feeds/': () => ({ data: [outside, away], limit: 10 }) }, EDITOR)
  openScreen(PAGE)
  const table = await screen.findByRole('group', { name: 'Outside feeds' })
  const row = (name: RegExp) => within(table).getByRole('row', { name })
  expect(row(/^Own monitoring/).textContent).toContain('Contradicts')
  expect(row(/^Own monitoring/).textContent).toContain('1 of 3')
  expect(row(/^Away/).textContent).toContain('Not known now')
  expect(within(row(/^Away/)).getAllByText('—').length).toBe(3)
  fireEvent.click(within(table).getByRole('button', { name: 'Own monitoring' }))
  const drawer = await screen.findByRole('dialog', { name: 'Own monitoring' })
  expect(await within(drawer).findByText(/Most clearly Alpha, Japan/)).toBeDefined()
  expect(within(drawer).getByText('2 taken · 1 of a CDN that no domain has')).toBeDefined()
  expect(within(drawer).getByText('the body is not JSON')).toBeDefined()
})

test('a feed is made, its key is shown once with the code to post', async () => {
  const changes = stubApi(
    { ...world(), 'POST /measure/v2/feeds/': () => ({ data: { ...outside, seen: null }, key: 'fwf_shown-once' }) },
    EDITOR,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Add a feed…' }))
  const drawer = await screen.findByRole('dialog', { name: 'New outside feed' })
  fireEvent.change(within(drawer).getByRole('textbox', { name: 'Name' }), { target: { value: 'Own monitoring' } })
  fireEvent.click(within(drawer).getByRole('button', { name: 'Make the feed' }))
  const dialog = await screen.findByRole('dialog', { name: 'Key of Own monitoring' })
  expect(within(dialog).getByText('fwf_shown-once')).toBeDefined()
  expect(within(dialog).getByText(/openssl dgst/)).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ name: 'Own monitoring', weightPercent: 100, enabled: true }])
})

test('who would move is shown before an outside feed is switched off', async () => {
  const changes = stubApi(
    {
      ...world(),
      'GET /measure/v2/feeds/': () => ({ data: [outside], limit: 10 }),
      [`PUT /measure/v2/feeds/${ID}/`]: () => ({ ...outside, enabled: false }),
    },
    EDITOR,
  )
  openScreen(`${PAGE}?outside=${ID}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Switch off…' }))
  const drawer = await screen.findByRole('dialog', { name: 'Without Own monitoring' })
  expect(await within(drawer).findByText(/1 of 4 places would be sent elsewhere/)).toBeDefined()
  fireEvent.click(within(drawer).getByRole('button', { name: 'Switch off' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([{ name: 'Own monitoring', weightPercent: 40, enabled: false }]),
  )
})

test('who may only look sees the feeds and changes none', async () => {
  stubApi(
    { ...world(), 'GET /measure/v2/feeds/': () => ({ data: [outside], limit: 10 }) },
    accountOf({ permissions: ['ViewSite', 'ViewPerformancePolicy'] }),
  )
  openScreen(`${PAGE}?outside=${ID}`)
  const drawer = await screen.findByRole('dialog', { name: 'Own monitoring' })
  expect(within(drawer).queryByRole('button', { name: 'Delete' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add a feed…' })).toBeNull()
})
