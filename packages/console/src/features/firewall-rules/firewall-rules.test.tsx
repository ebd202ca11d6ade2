import { MAXIMA } from '@fairway/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'
import { expressionOf, groupOf, newCondition, withField, withOperator } from './expression-tree.ts'

const BASE = '/wafmgmt/v2/sites/s1/domains/d1'
const PAGE = '/example.com/www.example.com/origin-shield/firewall-rules'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const condition = { ...newCondition(), values: ['/admin'] }
const ruleOf = (id: string, change: object = {}) => ({
  id,
  name: `Rule ${id}`,
  enabled: true,
  expression: condition,
  action: { type: 'block' },
  position: 1,
  createdAt: '2026-11-21T10:00:00Z',
  shadowedBy: null,
  hits: 12,
  lastHitAt: '2026-11-21T10:00:00Z',
  ...change,
})
const world = {
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  [`GET ${BASE}/firewall-rules/`]: () => page([ruleOf('1'), ruleOf('2', { shadowedBy: '1' })]),
}

test('rules stand in their order, and one that is never reached names the one before it', async () => {
  stubApi(world, user)
  openScreen(PAGE)
  expect((await screen.findAllByText('Path starts with /admin')).length).toBe(2)
  expect(screen.getByText('Never reached: “Rule 1” takes all its requests first')).toBeDefined()
})

const planOf = (name: string, rank: number, most: number, more: object = {}) => ({
  id: name,
  name,
  category: 'standard',
  rank,
  ability: ['waf.enable'],
  price: { monthlyMinor: 0, rates: {} },
  allowances: {},
  overUsage: 'bill',
  siteLimit: 1,
  recordLimit: 1,
  cdnLimit: 1,
  minimumTtlSeconds: 30,
  maxima: { ...MAXIMA, firewallRulesPerDomain: most },
  trialDays: 0,
  trialCreditMinor: 0,
  current: false,
  upgrade: true,
  ...more,
})

test('a full list names the plans that allow more, and no other', async () => {
  const none = { used: 0, most: 50 }
  stubApi(
    {
      ...world,
      [`GET ${BASE}/web-security/quotas/`]: () => ({
        'access-control': none,
        'firewall-rules': { used: 10, most: 10 },
        'api-protection': none,
        'failed-login': none,
        'credential-stuffing': none,
        'http-header-rewrite': none,
        'origin-rules': none,
      }),
      'GET /billing/v2/plans/': () => ({
        currency: 'USD',
        data: [
          planOf('Enterprise', 4, 100),
          planOf('Same', 2, 10),
          planOf('Bare', 3, 100, { ability: [] }),
          planOf('Old', 5, 100, { upgrade: false }),
          planOf('Pro', 3, 20),
        ],
      }),
    },
    user,
  )
  openScreen(PAGE)
  expect(await screen.findByText('This list is full: 10 of 10 used')).toBeDefined()
  expect(await screen.findByText('More are allowed by Pro (up to 20) or Enterprise (up to 100).')).toBeDefined()
})

test('a rule is copied to domains of this and of other sites', async () => {
  const changes = stubApi(
    {
      ...world,
      'GET /web/v2/domains/': () =>
        page([
          { ...domainOf(), siteName: 'example.com' },
          { ...domainOf({ id: 'd2', name: 'img.example.com' }), siteName: 'example.com' },
          { ...domainOf({ id: 'd3', siteId: 's2', name: 'www.example.org' }), siteName: 'example.org' },
        ]),
      [`POST ${BASE}/firewall-rules/1/copy/`]: () => ({
        data: { copied: 2, elsewhere: [{ site: 's2', version: 7 }] },
        meta: { version: 4 },
      }),
    },
    user,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Actions of Rule 1' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy to other domains…' }))
  for (const name of ['img.example.com', 'www.example.org'])
    fireEvent.click(await screen.findByRole('checkbox', { name }))
  fireEvent.click(screen.getByRole('button', { name: 'Copy rule' }))
  expect(await screen.findByText('“Rule 1” was copied to 2 domains')).toBeDefined()
  expect(changes[0]?.body).toEqual({ domains: ['d2', 'd3'] })
})

test('Alt and an arrow move a rule', async () => {
  const changes = stubApi(
    { ...world, [`PUT ${BASE}/firewall-rules/order/`]: ({ body }) => ({ data: body, meta: { version: 4 } }) },
    user,
  )
  openScreen(PAGE)
  fireEvent.keyDown(await screen.findByRole('button', { name: /^Rule 2: 2 of 2/ }), { key: 'ArrowUp', altKey: true })
  await waitFor(() => expect(changes[0]?.body).toEqual({ ids: ['2', '1'] }))
})

test('a domain past its shield says so, and one button puts it behind it', async () => {
  const changes = stubApi(
    {
      ...world,
      'PATCH /web/v2/sites/s1/domains/d1/': () => ({ data: domainOf(), meta: { version: 4 } }),
    },
    user,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Use the origin shield' }))
  await waitFor(() => expect(changes[0]?.body).toEqual({ settings: { originShield: 'use' } }))
})

test('a plan without web security leads to the page that tells of it', async () => {
  stubApi(world, accountOf())
  const { router } = openScreen(PAGE)
  await waitFor(() => expect(router.state.location.pathname).toMatch(/welcome\/origin-shield\/protection$/))
})

test('an expression with an error says at which character, and is not saved', async () => {
  const changes = stubApi(
    {
      ...world,
      [`POST ${BASE}/web-security/expressions/`]: ({ body }) => ({
        text: JSON.stringify(body),
        expression: null,
        problems: [{ path: 'text', message: 'validation.expressionOperator', column: 6 }],
      }),
    },
    user,
  )
  openScreen(`${PAGE}/add`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'Admin' } })
  fireEvent.click(screen.getByRole('radio', { name: 'Expression' }))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Expression' }), { target: { value: 'path ~~ "x"' } })
  expect(await screen.findByText('Character 6: No such operator, at character 6')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Add rule' }))
  expect(await screen.findByText('One or more fields have an error')).toBeDefined()
  expect(changes.filter(({ path }) => path.endsWith('/firewall-rules/'))).toEqual([])
})

test('what the form holds goes to the API as it came from it', () => {
  const nested = { any: [condition, { all: [condition, { ...condition, negate: true }] }] }
  expect(expressionOf(groupOf(nested))).toEqual(nested)
  expect(expressionOf(groupOf(condition))).toEqual(condition)
  expect(expressionOf(groupOf(null))).toBeNull()
})

test('another field keeps no operator, name or value that it does not have', () => {
  expect(withField(condition, 'address').operator).toBe('equals')
  expect(withField({ ...condition, field: 'header', name: 'x-a' }, 'path').name).toBe('')
  expect(withOperator(condition, 'exists').values).toEqual([])
  expect(withOperator({ ...condition, operator: 'in', values: ['a', 'b'] }, 'equals').values).toEqual(['a'])
})
