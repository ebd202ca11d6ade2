import type { ShieldBreakdown, ShieldReport, Threat } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi as stubWith } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page, platforms } from '../../testing/steering-answers.ts'
// Pages are fetched when they are opened; here they are there before the first test begins to wait.
import './incident-drawer.tsx'
import './screen.tsx'

const account = accountOf({ plan: { id: 'p', name: 'Business', ability: ['waf.enable'] } })
const stubApi = (answers: Parameters<typeof stubWith>[0]) => stubWith(answers, account)
const AT = Date.parse('2026-11-21T10:00:00Z')
const counts = {
  requests: 1000,
  bytes: 5_000_000,
  stopped: 50,
  stoppedBytes: 20_000,
  challenged: 10,
  solved: 8,
  simulated: 3,
}
const report: ShieldReport = {
  intervalSeconds: 600,
  points: [{ at: AT, ...counts }],
  totals: counts,
  before: { ...counts, stopped: 25 },
  marks: [],
}
const breakdown: ShieldBreakdown = {
  intervalSeconds: 600,
  total: 53,
  series: [{ value: 'r1', name: 'No scanners', other: false, points: [{ at: AT, requests: 53, bytes: 20_000 }] }],
  shares: [{ value: 'r1', name: 'No scanners', requests: 53, bytes: 20_000 }],
  distinct: 1,
}
const threat: Threat = {
  incident: 'c0ffee00c0ffee00c0ffee0012345678',
  at: AT,
  siteId: 's1',
  domainId: 'd1',
  domain: 'www.example.com',
  node: 'n/edge',
  category: 'firewall-rules',
  action: 'block',
  ruleId: 'r1',
  ruleName: 'No scanners',
  reason: 'rule',
  address: '203.0.113.9',
  country: 'DE',
  network: 'AS64496',
  method: 'GET',
  path: '/wp-login.php',
  query: 'a=1&password=\u0001redacted',
  agent: 'sqlmap/1.7',
  status: 403,
  bytes: 700,
  matched: { field: 'path', name: '', text: '/wp-' },
  weight: 200,
}
const world = (more: object = {}) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/domains/': () => page([{ ...domainOf(), siteName: 'example.com' }]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /analytics/v2/origin-shield/': () => report,
  'GET /analytics/v2/origin-shield/breakdown/': () => breakdown,
  'GET /analytics/v2/origin-shield/threats/': () => ({ data: [threat], total: 200 }),
  [`GET /analytics/v2/origin-shield/threats/${threat.incident}/`]: () => ({
    threat,
    others: [threat, { ...threat, incident: 'feed', path: '/xmlrpc.php' }],
    visitor: { requests: 201, stopped: 200, firstAt: AT, lastAt: AT, paths: 2 },
  }),
  ...more,
})
const PAGE = '/example.com/analytics/origin-shield'

test('what was asked and stopped stands beside the window before, in five tabs that the address keeps', async () => {
  stubApi(world())
  const { router } = openScreen(PAGE)
  const figures = await screen.findByLabelText('Key figures')
  await waitFor(() => expect(figures.textContent).toContain('5% of all'))
  expect(figures.textContent).toContain('80% of those asked')
  expect(figures.textContent).toContain('100%')
  expect(screen.getAllByRole('tab')).toHaveLength(5)
  fireEvent.click(screen.getByRole('tab', { name: 'Firewall rules / Core rule sets' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`${PAGE}/waf`))
  fireEvent.click(await screen.findByTitle('Show No scanners only'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ rule: 'r1' }))
})

test('a threat opens: which rule, which bytes, what else this visitor did; secrets are left out', async () => {
  stubApi(world())
  const { router } = openScreen(`${PAGE}/threat-log`)
  fireEvent.click(await screen.findByRole('button', { name: /GET www\.example\.com\/wp-login\.php/ }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ incident: threat.incident }))
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText('No scanners')).toBeDefined()
  expect(drawer.querySelector('mark')?.textContent).toBe('/wp-')
  expect(drawer.textContent).toContain('password=[left out]')
  expect(drawer.textContent).toContain('201 events, 200 stopped, on 2 paths')
  expect(drawer.textContent).toContain('/xmlrpc.php')
})

test('the log of one domain shows what was asked for, not its own name in every row', async () => {
  stubApi(world())
  openScreen('/example.com/www.example.com/analytics/origin-shield/threat-log')
  const row = await screen.findByRole('button', { name: /wp-login/ })
  expect(row.textContent).toBe('GET /wp-login.php')
})

test('the log is searched by what a visitor reads out, and says when nothing fits or the store is away', async () => {
  stubApi(world({ 'GET /analytics/v2/origin-shield/threats/': () => ({ data: [], total: 0 }) }))
  const { router } = openScreen(`${PAGE}/threat-log`)
  expect(await screen.findByText('No threats in this window')).toBeDefined()
  fireEvent.change(screen.getByLabelText('Incident, address, rule, path'), { target: { value: 'c0ffee' } })
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'c0ffee' }))
  expect(await screen.findByText('Nothing fits')).toBeDefined()
  stubApi(world({ 'GET /analytics/v2/origin-shield/': () => refusal(503, 503) }))
  openScreen(PAGE)
  expect(await screen.findByRole('button', { name: /again|Retry/i })).toBeDefined()
})

test('a finding of a rule set is let pass by the narrowest exclusion, once its effect on the last day is seen', async () => {
  const found: Threat = {
    ...threat,
    category: 'crs-rules',
    ruleId: '942100',
    ruleName: null,
    path: '/posts',
    matched: { field: 'parameter', name: 'body', text: "' or 1=1" },
    weight: 3,
  }
  const elsewhere = { ...found, incident: 'feed', path: '/login', weight: 4 }
  const changes = stubApi(
    world({
      'GET /analytics/v2/origin-shield/threats/': () => ({ data: [found, elsewhere], total: 7 }),
      [`GET /analytics/v2/origin-shield/threats/${found.incident}/`]: () => ({
        threat: found,
        others: [found],
        visitor: { requests: 3, stopped: 3, firstAt: AT, lastAt: AT, paths: 1 },
      }),
      'POST /wafmgmt/v2/sites/s1/domains/d1/crs-rules/exclusions/': () => ({
        data: { id: 'x1', ruleId: 942_100, path: '/posts', parameter: 'body', note: '' },
        meta: { version: 5 },
      }),
    }),
  )
  openScreen(`${PAGE}/threat-log?incident=${found.incident}`)
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText(/Rule 942100 looks away from body at \/posts/)).toBeDefined()
  fireEvent.click(within(drawer).getByRole('button', { name: 'Show the effect' }))
  expect(await within(drawer).findByText(/kept this rule from 3 of 7 requests/)).toBeDefined()
  fireEvent.click(within(drawer).getByRole('button', { name: 'Add this exclusion' }))
  await waitFor(() =>
    expect(changes.find(({ method }) => method === 'POST')?.body).toMatchObject({
      ruleId: 942_100,
      path: '/posts',
      parameter: 'body',
    }),
  )
})
