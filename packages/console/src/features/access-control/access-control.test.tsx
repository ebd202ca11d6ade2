import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const BASE = '/wafmgmt/v2/sites/s1/domains/d1/access-control'
const PAGE = '/example.com/www.example.com/origin-shield/access-control'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const entry = (value: string, more: object = {}) => ({
  id: value,
  list: 'blacklist',
  kind: 'address',
  value,
  network: null,
  exclude: false,
  note: 'scraper',
  expiresAt: null,
  expired: false,
  createdAt: '2026-11-21T10:00:00Z',
  ...more,
})
const effect = (more: object = {}) => ({
  requests: 1000,
  before: { least: 0, most: 0 },
  after: { least: 10, most: 30 },
  countries: [{ country: 'JP', requests: 30 }],
  you: { address: '203.0.113.9', before: false, after: true },
  ...more,
})
const world = {
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  [`GET ${BASE}/`]: (_: unknown, query: URLSearchParams) =>
    page(query.get('kind') === 'address' ? [entry('203.0.113.0/24')] : []),
  [`POST ${BASE}/effect/`]: () => effect(),
  [`POST ${BASE}/remarks/`]: ({ body }: { body: unknown }) => ({
    data: JSON.stringify(body).includes('text')
      ? [{ kind: 'covered', value: '203.0.113.9', other: '203.0.113.0/24', count: 1 }]
      : [{ kind: 'lets-everybody-in', value: '0.0.0.0/0', other: null, count: 1 }],
    more: 0,
  }),
}

const WAIT = { timeout: 10_000 }

test('before addresses are kept out it says whom that would lock out, the reader too', async () => {
  const changes = stubApi(
    {
      ...world,
      [`POST ${BASE}/import/`]: () => ({ data: { added: 1, duplicates: 0, refused: [] }, meta: { version: 4 } }),
    },
    user,
  )
  openScreen(`${PAGE}?list=blacklist`)
  expect(await screen.findByText('203.0.113.0/24', {}, WAIT)).toBeDefined()
  fireEvent.click(await screen.findByRole('button', { name: 'Add addresses' }, WAIT))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Addresses and CIDRs' }, WAIT), {
    target: { value: '203.0.113.9' },
  })
  expect(await screen.findByText('You would be locked out: your address is 203.0.113.9', {}, WAIT)).toBeDefined()
  expect(screen.getByText('1% to 3%')).toBeDefined()
  expect(
    await screen.findByText('203.0.113.9 lies within 203.0.113.0/24 of this list, so it adds nothing.', {}, WAIT),
  ).toBeDefined()
  expect(screen.getByText('The whitelist lets everybody in (0.0.0.0/0)')).toBeDefined()
  fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'loud' } })
  const [, submit] = screen.getAllByRole('button', { name: 'Add addresses' })
  fireEvent.click(submit ?? document.body)
  await waitFor(() =>
    expect(changes.find(({ path }) => path.endsWith('/import/'))?.body).toMatchObject({
      list: 'blacklist',
      text: '203.0.113.9 # loud',
      expiresAt: null,
    }),
  )
})

test('access by place is told to be of another plan where it is', async () => {
  stubApi(world, user)
  openScreen(PAGE)
  expect(await screen.findByText('Access by place is not part of your plan.', {}, WAIT)).toBeDefined()
})
