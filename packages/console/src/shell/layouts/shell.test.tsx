import { account, sites } from '@fairway/contract'
import type { AccountInfo } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { noteSignedOut } from '../access/signed-in-sign.ts'

const NONE = { data: [], meta: { total: 0, page: 1, pageSize: -1 } }

/** Opens an address as this user and answers where that ended. */
async function endOf(
  path: string,
  user: AccountInfo | null,
  answers: Parameters<typeof stubApi>[0] = {},
): Promise<string> {
  if (user === null) noteSignedOut()
  stubApi(
    { ...(user?.siteCount === 0 ? { [`GET ${sites.routes.list.path}`]: () => NONE } : {}), ...answers },
    user ?? accountOf(),
  )
  const { router } = openScreen(path)
  await waitFor(() => expect(router.state.status).toBe('idle'))
  return router.state.location.href
}

test.each([
  ['/', null, '/login'],
  ['/guide/dns/dns-records?x=1', null, '/login?next=%2Fguide%2Fdns%2Fdns-records%3Fx%3D1'],
  ['/docs/errors', null, '/docs/errors'],
  ['/welcome?soc=1', accountOf(), '/welcome?soc=1'],
  ['/no-site/dns/dns-records', accountOf(), '/guide/dns/dns-records'],
  ['/home', accountOf({ siteCount: 0, permissions: ['AddSite'] }), '/add-site'],
  ['/home', accountOf({ siteCount: 0 }), '/home'],
  [
    '/example.com/multi-cdn/cdn-management',
    accountOf({ plan: { id: 'd', name: 'Small', ability: [] } }),
    '/example.com/welcome/multi-cdn/cdn-management',
  ],
  ['/redirect/third-party-markeplace?token=t1', accountOf(), '/redirect/third-party-marketplace?token=t1'],
])('%s ends at the right page (%#)', async (path, user, end) => {
  expect(await endOf(path, user)).toBe(end)
})

test('who may only pay has the console around the invoices, and is told at home why there is no site', async () => {
  const payer = accountOf({ siteCount: 3, permissions: ['ViewSubscription', 'EditSubscription'] })
  expect(await endOf('/home', payer, { [`GET ${sites.routes.list.path}`]: () => NONE })).toBe('/home')
  expect(await screen.findByText('Your role does not include the sites of this organisation.')).toBeDefined()
  expect(screen.getByRole('navigation')).toBeDefined()
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Billing' }).getAttribute('href')).toBe(
    '/account/billing',
  )
  expect(screen.queryByText(/curl/)).toBeNull()
})

test('in maintenance everyone waits, and nobody is shown a way in', async () => {
  expect(
    await endOf('/welcome', accountOf(), {
      [`GET ${account.routes.config.path}`]: () => ({ version: '1', maintenanceMode: true }),
    }),
  ).toBe('/maintenance')
  expect(await screen.findByRole('heading', { name: 'We’ll be back soon' })).toBeDefined()
})

test('a language in front of a path is kept in the cookie and leaves the path', async () => {
  expect(await endOf('/zhHant/welcome?soc=1', accountOf())).toBe('/welcome?soc=1')
  expect(await screen.findByRole('heading', { name: '產品與功能' })).toBeDefined()
  await waitFor(() => expect(document.cookie).toContain('i18n_redirected=zhHant'))
  expect(document.documentElement.lang).toBe('zh-Hant')
  expect(await endOf('/en/welcome', accountOf())).toBe('/welcome')
})

test('support mode stays while one goes on', async () => {
  stubApi({}, accountOf({ organizationStatus: 'payment_failed' }))
  const { router } = openScreen('/welcome?soc=1')
  await screen.findByRole('heading', { name: 'Products and features' })
  await router.navigate({ to: '/guide' })
  expect(router.state.location.href).toBe('/guide?soc=1')
})

test('a page that the role does not include says so inside the shell', async () => {
  await endOf('/domains', accountOf())
  expect(await screen.findByText('403')).toBeDefined()
  expect(await screen.findByRole('navigation')).toBeDefined()
  expect(screen.getByText('403')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Go to Home' })).toBeDefined()
})

test('when nothing can be read at the start, the error page says why and offers to try again', async () => {
  await endOf('/welcome', accountOf(), { [`GET ${account.routes.info.path}`]: () => refusal(500, 500) })
  expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeDefined()
  expect(screen.getByText('req-1')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('the navigation has both sections, the organisation’s own first, and leads to welcome pages where a plan ends', async () => {
  await endOf('/welcome', accountOf({ organizationMasterApp: 'stream' }))
  const [navigation] = await screen.findAllByRole('navigation', { name: 'Main navigation' })
  if (!navigation) throw new Error('no navigation')
  const shown = within(navigation)
  expect([...navigation.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(['Video', 'Web'])
  expect(shown.getByRole('link', { name: /Live streams/ }).getAttribute('href')).toBe('/welcome/stream/live-streams')
  const group = shown.getByRole('button', { name: 'DNS' })
  expect([group.getAttribute('aria-expanded'), shown.queryByRole('link', { name: /Records/ })]).toEqual(['false', null])
  fireEvent.click(group)
  expect(group.getAttribute('aria-expanded')).toBe('true')
  expect(shown.getByRole('link', { name: /Records/ }).getAttribute('href')).toBe('/guide/dns/dns-records')
  expect(shown.queryByRole('link', { name: 'Domains' })).toBeNull()
})
