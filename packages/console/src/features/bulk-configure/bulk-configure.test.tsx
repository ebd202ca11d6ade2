import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page, platforms } from '../../testing/steering-answers.ts'
// Pages are fetched when they are opened; here they are there before the first test begins to wait.
import './screen.tsx'

const JOB = '0b8f2c1e-5a1d-4c6e-9a55-0d6f3f6f3a01'
const WWW = '0b8f2c1e-5a1d-4c6e-9a55-0d6f3f6f3a02'
const SHOP = '0b8f2c1e-5a1d-4c6e-9a55-0d6f3f6f3a03'
const AT = '2026-11-21T10:00:00.000Z'
const enterprise = accountOf({
  organizationCode: 'EnterpriseCustomer',
  plan: { id: 'enterprise', name: 'Enterprise', ability: ['multiCdn.enable', 'bulkConfig.enable'] },
})
const item = { siteId: 's1', siteName: 'example.com', fields: [], code: null, version: null, finishedAt: AT }
const jobOf = (counts: object, items: object[]) => ({
  id: JOB,
  change: { tab: 'general', settings: { http2: false } },
  requestedBy: 'ada@example.com',
  createdAt: AT,
  finishedAt: AT,
  counts: { waiting: 0, done: 0, unchanged: 0, failed: 0, ...counts },
  items,
})
const failing = jobOf({ done: 1, failed: 1 }, [
  { ...item, domainId: WWW, name: 'www.example.com', state: 'done', version: 12 },
  { ...item, domainId: SHOP, name: 'shop.example.com', state: 'failed', code: 27_020 },
])
const world = {
  'GET /web/v2/domains/': () =>
    page([
      { ...domainOf({ id: WWW }), siteName: 'example.com' },
      { ...domainOf({ id: SHOP, name: 'shop.example.com' }), siteName: 'example.com' },
    ]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /ssl/v2/authorities/': () => ({ data: [] }),
  'GET /web/v2/bulk-configure/jobs/': () => ({ data: [] }),
  'POST /web/v2/bulk-configure/preview/': () => ({
    data: [
      {
        domainId: WWW,
        name: 'www.example.com',
        siteName: 'example.com',
        code: null,
        fields: [],
        changes: [
          { entity: 'domain', id: WWW, label: 'www.example.com', before: { http2: true }, after: { http2: false } },
        ],
      },
      { domainId: SHOP, name: 'shop.example.com', siteName: 'example.com', code: 27_020, fields: [], changes: [] },
    ],
  }),
  'POST /web/v2/bulk-configure/jobs/': () => ({ data: failing, meta: { version: null } }),
  [`GET /web/v2/bulk-configure/jobs/${JOB}/`]: () => failing,
  [`POST /web/v2/bulk-configure/jobs/${JOB}/retry/`]: () => ({ data: failing, meta: { version: null } }),
}

test('chosen domains, a setting, a review of each, and a job of those that change', async () => {
  const calls = stubApi(world, enterprise)
  const { router } = openScreen('/domains/bulk-configure?tab=security')
  for (const box of await screen.findAllByRole('checkbox', { name: /example\.com/ })) fireEvent.click(box)
  fireEvent.click(await screen.findByRole('button', { name: 'Configure 2 domains…' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Review changes' }))
  expect(await screen.findByText('Nothing is chosen yet')).toBeDefined()
  fireEvent.click(screen.getByRole('combobox', { name: 'Always HTTPS' }))
  fireEvent.click((await screen.findAllByRole('option', { name: 'On', hidden: true }))[0] ?? document.body)
  fireEvent.click(screen.getByRole('button', { name: 'Review changes' }))
  expect(await screen.findByText('1 domain changes · 0 as wanted already · 1 refused')).toBeDefined()
  expect(screen.getByText('This CDN cannot serve the domain with its present settings.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Change 1 domain' }))
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/web/v2/bulk-configure/jobs/')?.body).toEqual({
      domainIds: [WWW],
      change: { tab: 'security', alwaysHttps: true },
    }),
  )
  await waitFor(() => expect(router.state.location.search).toMatchObject({ job: JOB }))
})

test('a job tells of each domain, with the code of what failed, and tries those again', async () => {
  const calls = stubApi(world, enterprise)
  openScreen(`/domains/bulk-configure?job=${JOB}`)
  const failed = (await screen.findByText('shop.example.com')).closest('li')
  expect(
    within(failed ?? document.body).getByText('27020: This CDN cannot serve the domain with its present settings.'),
  ).toBeDefined()
  expect(screen.getByText('version 12')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Try 1 failed domain again' }))
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/retry/'))).toBe(true))
})

test('a CDN that needs the licence of a site is not installed on many, and the form says where it is', async () => {
  const china = { ...platforms.data[0], id: 'jade', name: 'Jade', category: 'china-cdn' }
  stubApi({ ...world, 'GET /web/v2/platforms/': () => page([...platforms.data, china]) }, enterprise)
  openScreen('/domains/bulk-configure?tab=multi-cdn')
  for (const box of await screen.findAllByRole('checkbox', { name: /example\.com/ })) fireEvent.click(box)
  fireEvent.click(await screen.findByRole('button', { name: 'Configure 2 domains…' }))
  expect(await screen.findByText(/In-China CDNs are installed one domain at a time/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Marketplace' }).getAttribute('href')).toBe('/marketplace')
  fireEvent.click(screen.getByRole('combobox', { name: 'Jade' }))
  const options = await screen.findAllByRole('option', { hidden: true })
  const ofJade = options.filter((one) => one.closest('[role=listbox]')?.getAttribute('aria-label') === 'Jade')
  const texts = (ofJade.length > 0 ? ofJade : options.slice(-4)).map(({ textContent }) => textContent)
  expect(texts).toContain('Disable')
  expect(texts).not.toContain('Install where it is missing')
})
