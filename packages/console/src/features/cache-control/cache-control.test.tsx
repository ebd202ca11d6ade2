import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const SITE = '/web/v2/sites/s1'
const DOMAIN = `${SITE}/domains/d1`
const PAGE = '/example.com/www.example.com/multi-cdn/cache-control'
const AT = '2026-11-21T10:00:00Z'
const RULES = [
  {
    id: 'r1',
    type: 'directory',
    path: '/images/',
    expiry: { value: 3, unit: 'day' },
    ttlSeconds: 259_200,
    honorOrigin: false,
    everything: true,
    createdAt: AT,
  },
  {
    id: 'd1',
    type: 'default',
    path: '/',
    expiry: { value: 2, unit: 'hour' },
    ttlSeconds: 7200,
    honorOrigin: true,
    everything: false,
    createdAt: AT,
  },
]
const COMPILED = {
  cdns: [
    {
      cdnId: 'a',
      name: 'Alpha',
      series: 1,
      enabled: true,
      problem: null,
      against: [],
      settings: [
        { setting: 'cacheRule /images/', level: 'approximate', reason: 'ttlList', wanted: '259200', given: '86400' },
      ],
    },
  ],
}
const receipt = (change: object) => ({
  cdnId: 'a',
  name: 'Alpha',
  series: 1,
  status: 'completed',
  detail: { code: 'seen-gone', count: 2 },
  looked: true,
  objects: 2,
  bytes: 4000,
  finishedAt: AT,
  ...change,
})
const purgeOf = (change: object = {}) => ({
  id: 'p1',
  domainId: 'd1',
  domain: 'www.example.com',
  kind: 'directory',
  targets: ['/images/'],
  soft: true,
  status: 'failed',
  receipts: [
    receipt({}),
    receipt({
      cdnId: 'b',
      name: 'Bravo',
      status: 'failed',
      detail: { code: 'still-old', path: '/images/a', date: 'Sat, 21 Nov 2026 09:00:00 GMT' },
    }),
  ],
  requestedBy: 'Ada',
  undoneAt: null,
  createdAt: AT,
  ...change,
})
const world = {
  [`GET ${SITE}/domains/`]: () => page([domainOf()]),
  [`GET ${DOMAIN}/caches/`]: () => page(RULES),
  [`GET ${DOMAIN}/no-caches/`]: () => page([]),
  [`GET ${SITE}/purges/`]: () => page([purgeOf()]),
  [`POST ${DOMAIN}/compile/`]: () => COMPILED,
}
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['multiCdn.enable', 'cache.advancedRules', 'cache.honorOrigin'] },
})

test('rules stand in the order in which they decide, beside what each CDN makes of them; the default cannot be removed', async () => {
  stubApi(world, user)
  openScreen(PAGE)
  expect(await screen.findByText('3 days', {}, { timeout: 10_000 })).toBeDefined()
  expect(screen.getByText('Everything else: static content')).toBeDefined()
  expect(await screen.findByText('1 day instead')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Remove /' })).toBeNull()
})

test('a path of the wrong form is told before anything is sent', async () => {
  const calls = stubApi(
    { ...world, [`POST ${DOMAIN}/caches/`]: () => ({ data: RULES[0], meta: { version: 4 } }) },
    user,
  )
  openScreen(`${PAGE}?add=true`)
  const path = await screen.findByRole('textbox', { name: 'Path' })
  fireEvent.change(path, { target: { value: 'images' } })
  fireEvent.submit(path.closest('form') ?? path)
  expect(await screen.findByText(/Begin and end with a slash/)).toBeDefined()
  expect(calls.some(({ path: called }) => called.endsWith('/caches/'))).toBe(false)
  fireEvent.change(path, { target: { value: '/images/' } })
  fireEvent.submit(path.closest('form') ?? path)
  await waitFor(() =>
    expect(calls.find(({ path: called }) => called.endsWith('/caches/'))?.body).toEqual({
      type: 'directory',
      path: '/images/',
      expiry: { value: 1, unit: 'day' },
      honorOrigin: true,
    }),
  )
})

test('a lifetime outside of what its unit allows says the range, and nothing is sent', async () => {
  const calls = stubApi(world, user)
  openScreen(`${PAGE}?add=true`)
  const path = await screen.findByRole('textbox', { name: 'Path' })
  fireEvent.change(path, { target: { value: '/images/' } })
  fireEvent.change(screen.getByRole('textbox', { name: 'Keep for' }), { target: { value: '366' } })
  expect(await screen.findByText('Enter a number from 1 to 365')).toBeDefined()
  fireEvent.submit(path.closest('form') ?? path)
  expect(calls.some(({ path: called }) => called.endsWith('/caches/'))).toBe(false)
})

test('a plan without patterns says so and offers none', async () => {
  stubApi(
    world,
    accountOf({
      permissions: ['ViewSite', 'EditSite'],
      plan: { id: 'd', name: 'Developer', ability: ['multiCdn.enable'] },
    }),
  )
  openScreen(`${PAGE}?add=true`)
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Pattern' })).disabled).toBe(true)
  fireEvent.change(screen.getByRole('textbox', { name: 'Keep for' }), { target: { value: '60' } })
  expect(await screen.findByText(/The plan Developer allows lifetimes from 2 hours to 28 days/)).toBeDefined()
})

test('receipts say what was seen, and a soft purge can be taken back', async () => {
  const calls = stubApi(
    {
      ...world,
      [`POST ${SITE}/purges/p1/undo/`]: () => ({ data: purgeOf({ undoneAt: AT }), meta: { version: null } }),
    },
    user,
  )
  openScreen(`${PAGE}/purge?purge=p1`)
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText('Looked at 2 objects: the old ones are gone.')).toBeDefined()
  expect(within(drawer).getByText(/It says done, but still serves \/images\/a/)).toBeDefined()
  fireEvent.click(within(drawer).getByRole('button', { name: 'Undo purge' }))
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/undo/'))).toBe(true))
})

test('a purge shows what it takes, and the line that is wrong', async () => {
  const preview = {
    objects: 12,
    bytes: 48_000,
    top: [{ target: '/images/a', host: 'www.example.com', bytes: 40_000, cdns: 2 }],
    cdns: [{ cdnId: 'a', name: 'Alpha', series: 1, objects: 12, bytes: 48_000 }],
    complete: true,
    nodes: 1,
  }
  const wrong = refusal(400, 27026)
  Object.assign((wrong.body as { meta: object }).meta, {
    fields: [{ path: 'targets.1', message: 'errorMessage.27026' }],
  })
  stubApi({ ...world, [`POST ${SITE}/purges/preview/`]: () => preview, [`POST ${SITE}/purges/`]: () => wrong }, user)
  openScreen(`${PAGE}/purge/add`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'Paths' }), {
    target: { value: '/a\nhttps://other.example/b' },
  })
  expect(await screen.findByText('48 kB')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Purge' }))
  expect(await screen.findByText(/Line 2: This address belongs to none of the chosen domains/)).toBeDefined()
})
