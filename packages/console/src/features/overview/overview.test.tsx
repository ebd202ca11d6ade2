import { type Overview, account } from '@fairway/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, explanation, page, platforms } from '../../testing/steering-answers.ts'

const AT = Date.parse('2026-11-21T10:00:00Z')
const now: Overview = {
  at: AT,
  windowSeconds: 10,
  queriesPerSecond: 21.34,
  queriesTrend: [
    { at: AT - 600_000, value: 20 },
    { at: AT, value: 21 },
  ],
  beaconsPerMinute: 3816,
  analyticsAvailable: true,
  countries: [
    { country: 'JP', cdns: [{ cdnId: 'a', answers: 9 }] },
    {
      country: 'DE',
      cdns: [
        { cdnId: 'b', answers: 6 },
        { cdnId: 'a', answers: 4 },
      ],
    },
  ],
  cdns: [
    {
      cdnId: 'a',
      name: 'Alpha',
      series: 1,
      state: 'operational',
      backSince: null,
      windowSeconds: 600,
      threshold: 90,
      hardDown: true,
      since: new Date(AT).toISOString(),
      share: 68.4,
      availability: 0,
      latencyMs: null,
      samples: 4,
      trend: [],
    },
    {
      cdnId: 'b',
      name: 'Bravo',
      series: 2,
      state: 'operational',
      backSince: null,
      windowSeconds: 600,
      threshold: 90,
      hardDown: false,
      since: null,
      share: 31.6,
      availability: 99.5,
      latencyMs: 41,
      samples: 900,
      trend: [],
    },
  ],
  nodes: [{ name: 'dns-1', role: 'dns', state: 'up', lastSeenAt: new Date(AT).toISOString() }],
  events: [
    {
      id: 'e1',
      kind: 'cdn-down',
      cdnId: 'a',
      title: 'Alpha',
      detail: { evidence: '2 of 3 nodes' },
      startedAt: new Date(AT).toISOString(),
      endedAt: null,
    },
  ],
}
const world = (body: Overview = now) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /analytics/v2/sites/s1/overview/': () => body,
  'GET /decisive/v2/why/': () => explanation,
  'GET /decisive/v2/sites/s1/domains/d1/strategies/': () => ({ ...page([]), warnings: [] }),
})

test('each CDN says whether it is well and by how many samples, and an outage is told with its evidence', async () => {
  stubApi(world())
  openScreen('/example.com/home')
  const health = await screen.findByRole('region', { name: 'Health of the CDNs' })
  const [alpha, bravo] = within(health).getAllByRole('article')
  expect(alpha?.textContent).toContain('Down since')
  expect(alpha?.textContent).toContain('Fewer than the 20 samples that a decision needs')
  expect(bravo?.textContent).toContain('Operational')
  expect(screen.getByText('Alpha stopped answering; its visitors were sent elsewhere')).toBeDefined()
  expect(screen.getByText('2 of 3 nodes')).toBeDefined()
  expect(screen.getByText('Ongoing')).toBeDefined()
})

test('the map is there as a table too, whose countries ask why', async () => {
  stubApi(world())
  openScreen('/example.com/home')
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table' }))
  const table = await screen.findByRole('table', { name: 'DNS answers by country and CDN' })
  expect(
    within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['CountryCDNs', 'GermanyBravo 60% · 6 answersAlpha 40% · 4 answers', 'JapanAlpha 100% · 9 answers'])
  fireEvent.click(within(table).getByRole('button', { name: 'Germany' }))
  expect(await within(await screen.findByRole('dialog')).findByText('Frankfurt am Main, Germany')).toBeDefined()
})

test('without the store of measurements it says so, and shows no counts that nobody made', async () => {
  stubApi(world({ ...now, analyticsAvailable: false, countries: [], queriesPerSecond: 0, queriesTrend: [] }))
  openScreen('/example.com/home')
  expect(await screen.findByText('Counts are not available at the moment')).toBeDefined()
  const [answers] = within(screen.getByLabelText('Key figures')).getAllByText('—')
  expect(answers).toBeDefined()
})

test('before anything is steered it teaches the way', async () => {
  stubApi(world({ ...now, cdns: [], countries: [] }))
  openScreen('/example.com/home')
  expect(await screen.findByRole('link', { name: 'Attach CDNs' })).toBeDefined()
})

test('when it cannot be read, the reason stands where the figures would be', async () => {
  stubApi({ ...world(), 'GET /analytics/v2/sites/s1/overview/': () => refusal(500, 500) }, accountOf())
  openScreen('/example.com/home')
  expect(await screen.findByText('This cannot be shown now')).toBeDefined()
})

test('the first steps of a new site lead on from what is done, and go for good when they are hidden', async () => {
  let showTutorial = true
  const changes = stubApi({
    ...world({ ...now, cdns: [] }),
    'GET /web/v2/sites/s1/domains/': () => page([]),
    [`GET ${account.routes.settings.path}`]: () => ({ showTutorial }),
    [`PUT ${account.routes.setSettings.path}`]: ({ body }) => {
      showTutorial = false
      return body
    },
  })
  openScreen('/example.com/home')
  const steps = await screen.findByRole('region', { name: 'First steps' })
  expect(within(steps).getByText('2 of 4 done')).toBeDefined()
  expect(
    within(steps)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a record'])
  expect(screen.queryByText('Nothing of this site is steered yet.')).toBeNull()
  fireEvent.click(within(steps).getByRole('button', { name: 'Hide' }))
  expect(await screen.findByText('Nothing of this site is steered yet.')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ showTutorial: false }])
})

test('an origin that does not answer stands among the events and in the strip, with how that is known', async () => {
  const detail = { domain: 'www.example.com', origin: '198.41.0.4', failed: 118, asked: 120, isSilent: false }
  const event = { id: 'e2', kind: 'origin-down' as const, cdnId: null, title: 'www.example.com', detail }
  const startedAt = new Date(AT).toISOString()
  stubApi(world({ ...now, events: [...now.events, { ...event, startedAt, endedAt: null }] }))
  openScreen('/example.com/home')
  expect(await screen.findByText('The origin of www.example.com does not answer')).toBeDefined()
  expect(screen.getByText('118 of 120 requests within two minutes found no connection')).toBeDefined()
  expect((await screen.findByText('Origin does not answer')).getAttribute('data-tone')).toBe('bad')
})

test('when health cannot be read, the strip says so and does not go on asking for patience', async () => {
  stubApi({ ...world(), 'GET /analytics/v2/sites/s1/overview/': () => refusal(403, 403) }, accountOf())
  openScreen('/example.com/home')
  expect(await screen.findByText('Health could not be read')).toBeDefined()
})
