import type { InstalledPowerUp, PowerUp, PowerUpDetail } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { cdnOf, domainOf, page } from '../../testing/steering-answers.ts'
import { countShelves, onShelf, shelfAt } from './shelves.ts'

const AT = '2026-11-21T10:00:00Z'
const same = (text: string) => ({ en: text, zhHant: text, zhHans: text })
const powerUp = (change: Partial<PowerUp> & Pick<PowerUp, 'id'>): PowerUp => ({
  kind: 'cdn',
  type: 'managed',
  category: 'global-cdn',
  name: same(change.id),
  introduction: null,
  referenceUrl: null,
  logo: null,
  driver: 'simulated',
  cname: null,
  series: 1,
  features: { websocket: true, wildcard: false, icpCheck: false },
  review: false,
  needs: null,
  included: false,
  monthlyMinor: null,
  status: null,
  installs: 0,
  since: null,
  ...change,
})
const swiftlane = powerUp({ id: 'swiftlane', name: same('Swiftlane'), status: 'installed', installs: 2 })
const jade = powerUp({
  id: 'jade',
  name: same('Jade'),
  category: 'china-cdn',
  review: true,
  features: { websocket: false, wildcard: false, icpCheck: true },
})
const fastly = powerUp({
  id: 'vendor-fastly',
  kind: 'vendor',
  name: same('Fastly'),
  driver: 'fastly',
  features: null,
  series: null,
  needs: 'key',
})
const shield = powerUp({
  id: 'origin-shield',
  kind: 'add-on',
  type: 'service',
  category: 'origin-shield',
  name: same('Shield'),
  introduction: same('Stands between.'),
  driver: null,
  features: null,
  series: null,
  monthlyMinor: 20_000,
})
const all = [swiftlane, jade, fastly, shield]
const detail = (of: PowerUp, change: Partial<PowerUpDetail> = {}): PowerUpDetail => ({
  ...of,
  installed: [],
  capabilities: null,
  allowances: null,
  currency: 'USD',
  rates: null,
  ...change,
})
const row: InstalledPowerUp = {
  id: 'dc1',
  powerUpId: 'jade',
  name: same('Jade'),
  category: 'china-cdn',
  series: 2,
  status: 'review-failed',
  detail: 'The licence is of another site',
  site: { id: 's1', name: 'example.com' },
  domain: { id: 'd1', name: 'www.example.com' },
  enabled: true,
  monthlyMinor: null,
  statusSince: AT,
  createdAt: AT,
}
const world = {
  'GET /billing/v2/power-ups/': () => ({ currency: 'USD', categories: [], data: all }),
  'GET /billing/v2/power-ups/jade/': () => detail(jade),
  'GET /billing/v2/power-ups/swiftlane/': () =>
    detail(swiftlane, { rates: [{ meter: 'cdnTraffic', included: 1e12, rate: { units: 1e9, minor: 4 } }] }),
  'GET /billing/v2/power-ups/vendor-fastly/': () => detail(fastly),
  'GET /billing/v2/installed/': () => page([row]),
  'GET /web/v2/domains/': () => page([{ ...domainOf(), siteName: 'example.com' }]),
}
const user = accountOf({ permissions: ['ViewSite', 'EditSite'] })

test('shelves hold what stands on them, and only those with something are shown', () => {
  expect(countShelves(all).map(({ key, count }) => [key, count])).toEqual([
    ['managed-cdn', 3],
    ['origin-shield', 1],
  ])
  expect(onShelf(all, { category: 'managed-cdn', childCategory: 'china-cdn' })).toEqual([jade])
  expect(onShelf(all, {})).toEqual(all)
  expect(onShelf(all, { category: 'nowhere' })).toEqual([])
  // What is reached by an account of one's own is a custom CDN, in the category of its vendor.
  const ours = powerUp({ id: 'ours', type: 'custom', driver: 'fastly', category: 'global-cdn' })
  expect(onShelf([...all, ours], { category: 'custom-cdn' })).toEqual([ours])
  expect(onShelf([...all, ours], { category: 'managed-cdn', childCategory: 'global-cdn' })).not.toContain(ours)
})

test('the areas of the console name shelves too, and an address of none says so', async () => {
  expect(onShelf(all, { category: 'multi-cdn' })).toEqual(onShelf(all, { category: 'managed-cdn' }))
  for (const category of ['DEM', 'multi-cdn', 'origin-shield', 'analytics', 'stream', 'dns'])
    expect(shelfAt(category), category).toBeDefined()
  stubApi(world, user)
  openScreen('/marketplace/nowhere')
  expect(await screen.findByText('There is no such shelf')).toBeDefined()
})

test('the catalogue says of each what it costs and how it stands, and a shelf has its address', async () => {
  stubApi(world, user)
  openScreen('/marketplace/managed-cdn')
  const list = await within(await screen.findByRole('main')).findByRole('list', { name: 'Marketplace' })
  expect(
    within(list)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Swiftlane', 'Jade', 'Fastly'])
  expect(within(list).getByText('Needs an API key')).toBeDefined()
  expect(within(list).getByText('on 2 domains')).toBeDefined()
  expect(screen.getByRole('link', { name: 'In-China CDN 1' }).getAttribute('href')).toBe(
    '/marketplace/managed-cdn/china-cdn',
  )
  expect(screen.queryByText('$200.00 a month')).toBeNull()
})

test('a CDN in China is asked for with the licence of the site, and waits for people', async () => {
  const changes = stubApi(
    {
      ...world,
      'POST /web/v2/sites/s1/domains/d1/cdns/': () => ({
        data: cdnOf('jade', { name: 'Jade', state: 'under-review' }),
        meta: { version: 4 },
      }),
    },
    user,
  )
  openScreen('/marketplace?open=jade&tab=installed')
  const form = await screen.findByRole('form', { name: 'Install on a domain' })
  await waitFor(() =>
    expect(within(form).getByRole<HTMLInputElement>('combobox', { name: 'Domain' }).disabled).toBe(false),
  )
  fireEvent.click(within(form).getByRole('combobox', { name: 'Domain' }))
  fireEvent.click(await screen.findByRole('option', { name: 'www.example.com', hidden: true }))
  fireEvent.click(within(form).getByRole('button', { name: 'Ask for review' }))
  expect(await within(form).findByText('Required')).toBeDefined()
  expect(changes).toEqual([])
  fireEvent.change(within(form).getByRole('textbox', { name: 'ICP licence number' }), {
    target: { value: '京ICP备12345678号-1' },
  })
  fireEvent.click(within(form).getByRole('button', { name: 'Ask for review' }))
  expect(await screen.findByText('Jade waits for its review')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ cdnId: 'jade', icpNumber: '京ICP备12345678号-1' }])
})

test('rates are those of the plan; a vendor without a key says what is needed', async () => {
  stubApi(world, user)
  openScreen('/marketplace?open=swiftlane&tab=rates')
  expect(await screen.findByText('$0.04 per 1 GB')).toBeDefined()
  expect(screen.getByText('1 TB')).toBeDefined()
})

test('a vendor without a key says what is needed', async () => {
  stubApi(world, user)
  openScreen('/marketplace?open=vendor-fastly')
  expect(await screen.findByText(/With the Enterprise plan you can add an API key/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Install on a domain…' })).toBeNull()
})

test('a logo that is too large is refused before it is sent', async () => {
  const changes = stubApi(world, user)
  openScreen('/marketplace?custom=new')
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Mine' } })
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no file input')
  fireEvent.change(input, {
    target: { files: [new File([new Uint8Array(20_001)], 'logo.png', { type: 'image/png' })] },
  })
  expect(await screen.findByText('The file is larger than 20 kB')).toBeDefined()
  expect(changes).toEqual([])
})

test('a name that another CDN has is told under the field', async () => {
  stubApi(
    {
      ...world,
      'POST /web/v2/platforms/': () => ({
        status: 409,
        body: {
          meta: {
            code: 7491,
            message: 'x',
            requestId: 'r',
            fields: [{ path: 'name', message: 'validation.invalidName' }],
          },
        },
      }),
    },
    user,
  )
  openScreen('/marketplace?custom=new')
  const name = await screen.findByLabelText('Name')
  fireEvent.change(name, { target: { value: 'Swiftlane' } })
  fireEvent.change(document.querySelector('input[name=cname]') ?? name, { target: { value: 'edge.mycdn.example' } })
  fireEvent.submit(name.closest('form') ?? name)
  expect(await screen.findByText('This name is taken. Choose another')).toBeDefined()
})

test('what is installed shows its status with the reason; the last CDN stays and says so', async () => {
  stubApi({ ...world, 'DELETE /web/v2/sites/s1/domains/d1/cdns/dc1/': () => refusal(409, 27906) }, user)
  openScreen('/marketplace/installed-power-ups')
  expect(await screen.findByText('The licence is of another site')).toBeDefined()
  expect(screen.getByText('Review failed')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'More for Jade · www.example.com' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Uninstall…' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Uninstall' }))
  expect(await screen.findByText(/At least one CDN has to stay on/)).toBeDefined()
})

test('a review is refused with a reason only', async () => {
  const review = {
    id: 'r1',
    state: 'waiting',
    cdn: 'Jade',
    driver: 'fairway-edge',
    category: 'china-cdn',
    domain: 'www.example.com',
    origin: '8.8.8.8',
    organizationId: 'o1',
    organizationName: 'Example',
    icpNumber: '京ICP备12345678号-1',
    requestedBy: 'ada@example.com',
    requestedAt: AT,
    decidedBy: null,
    decidedAt: null,
    reason: null,
  }
  const changes = stubApi(
    {
      'GET /operator/v2/cdn-reviews/': () => page([review]),
      'POST /operator/v2/cdn-reviews/r1/': () => ({ ...review, state: 'refused' }),
    },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/reviews?open=r1')
  fireEvent.click(await screen.findByRole('button', { name: 'Refuse' }))
  expect(changes).toEqual([])
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Expired' } })
  fireEvent.click(screen.getByRole('button', { name: 'Refuse' }))
  expect(await screen.findByText('www.example.com refused')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ decision: 'refuse', reason: 'Expired' }])
})
