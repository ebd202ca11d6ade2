import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { cdnOf, domainOf, page, platforms } from '../../testing/steering-answers.ts'

const CDNS = '/web/v2/sites/s1/domains/d1/cdns/'
const PAGE = '/example.com/www.example.com/multi-cdn/cdn-management'
const share = (a: number) => ({
  at: 0,
  windowSeconds: 300,
  countries: [],
  queriesPerSecond: 1,
  queriesTrend: [],
  beaconsPerMinute: 0,
  nodes: [],
  events: [],
  analyticsAvailable: true,
  cdns: [
    {
      cdnId: 'a',
      name: 'Alpha',
      series: 1,
      state: 'operational',
      backSince: null,
      windowSeconds: 600,
      threshold: 90,
      hardDown: false,
      since: null,
      share: a,
      availability: 99,
      latencyMs: 40,
      samples: 500,
      trend: [],
    },
  ],
})
const world = (cdns = [cdnOf('a'), cdnOf('b')], alphaShare = 0) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /analytics/v2/sites/s1/overview/': () => share(alphaShare),
  [`GET ${CDNS}`]: () => page(cdns),
})
const user = accountOf({ permissions: ['ViewSite', 'EditSite'] })

test('without a domain the screen offers the domains to choose from', async () => {
  stubApi(world(), user)
  openScreen('/example.com/multi-cdn/cdn-management')
  const list = await screen.findByRole('list', { name: 'Domains' })
  expect(within(list).getByRole('link').getAttribute('href')).toBe(PAGE)
})

test('the last CDN in use stays in use, and the reason is said', async () => {
  stubApi({ ...world(), [`PATCH ${CDNS}dc-b/`]: () => refusal(409, 27906) }, user)
  openScreen(PAGE)
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: 'Bravo in use' })
  fireEvent.click(toggle)
  // How much it answers is not known: that is no reason not to ask.
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/how many is not known yet/)).toBeDefined()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Take out of use' }))
  expect(await screen.findByRole('alert')).toBeDefined()
  await waitFor(() => expect(toggle.checked).toBe(true))
})

test('before visitors are moved away from a CDN it says how many', async () => {
  const changes = stubApi(
    {
      ...world(undefined, 39.4),
      [`PATCH ${CDNS}dc-a/`]: () => ({ data: cdnOf('a', { enabled: false }), meta: { version: 4 } }),
    },
    user,
  )
  openScreen(PAGE)
  await screen.findByText('39.4%')
  fireEvent.click(screen.getByRole('switch', { name: 'Alpha in use' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/Alpha answers 39% of this domain’s visitors now/)).toBeDefined()
  expect(changes).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Take out of use' }))
  await waitFor(() => expect(changes[0]?.body).toEqual({ enabled: false }))
})

test('a latency increment is shown as the formula that ranks, and one that makes it negative is told', async () => {
  stubApi(world(), user)
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'none: latency increment of Alpha' }))
  const dialog = await screen.findByRole('dialog')
  const add = within(dialog).getByLabelText('Addition')
  fireEvent.change(add, { target: { value: '8' } })
  expect((await within(dialog).findByRole('status')).textContent).toBe('40 ms × 1 + 8 ms = 48 ms')
  fireEvent.change(add, { target: { value: '-40' } })
  expect(await within(dialog).findByText('With this the ranked latency would not be positive.')).toBeDefined()
})

test('a CDN of one’s own is made and installed in one go', async () => {
  const [first] = platforms.data
  const changes = stubApi(
    {
      ...world([cdnOf('a'), cdnOf('b')]),
      'POST /web/v2/platforms/': () => ({
        data: {
          ...first,
          id: 'c',
          name: 'Charlie',
          driver: 'custom',
          category: 'custom-cdn',
          cname: 'c.example.net',
          series: 3,
        },
        meta: { version: null },
      }),
      [`POST ${CDNS}`]: () => ({ data: cdnOf('c', { name: 'Charlie', state: 'deploying' }), meta: { version: 4 } }),
    },
    user,
  )
  openScreen(`${PAGE}?install=true`)
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Charlie' } })
  fireEvent.change(screen.getByLabelText('Host name'), { target: { value: 'c.example.net' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add and install' }))
  expect(await screen.findByText('Charlie is being installed; it answers once its nodes confirm')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ name: 'Charlie', cname: 'c.example.net' }, { cdnId: 'c' }])
})

test('an origin that is not well is said where the CDN was installed, and that WebSocket is off', async () => {
  stubApi(
    {
      ...world([cdnOf('a')]),
      [`POST ${CDNS}`]: () => ({ data: { ...cdnOf('b'), originSeen: 'redirects' }, meta: { version: 4 } }),
    },
    user,
  )
  openScreen(`${PAGE}?install=true`)
  expect(await screen.findByText('WebSocket connections are not passed on')).toBeDefined()
  fireEvent.click(await screen.findByRole('button', { name: 'Install Bravo' }))
  expect(await screen.findByText('Visitors would go round in a circle')).toBeDefined()
})
