import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const BASE = '/wafmgmt/v2/sites/s1/domains/d1/crs-rules'
const PAGE = '/example.com/www.example.com/origin-shield/crs-rules'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const ruleOf = (ruleId: number, change: object = {}) => ({
  ruleId,
  set: 'sql-injection',
  message: `Finds ${ruleId}`,
  severity: 'critical',
  paranoiaLevel: 1,
  enabled: true,
  action: 'block',
  defaultAction: 'block',
  score: 5,
  isHint: false,
  isAsked: true,
  ...change,
})
const settings = {
  enabled: true,
  mode: 'block',
  full: true,
  sets: { xss: true, sqlInjection: true, genericInjection: true },
  paranoiaLevel: 1,
  threshold: 5,
  bodyLimitKb: 128,
  longBodies: 'inspect-beginning',
  onFailure: 'pass',
  exclusions: [],
  inspection: {
    ruleSet: 'OWASP_CRS/3.3.4',
    rules: 2,
    nodes: [{ node: 'tokyo-1', state: 'running', ruleSet: 'OWASP_CRS/3.3.4', problem: '' }],
  },
}
const world = {
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  [`GET ${BASE}/`]: () => settings,
  [`GET ${BASE}/rules/`]: () => page([ruleOf(942100), ruleOf(941100, { set: 'xss', action: 'simulate' })]),
}

test('rules are found by number, and what is said of the selected ones is sent once', async () => {
  const changes = stubApi(
    { ...world, [`PUT ${BASE}/rules/`]: () => ({ data: { count: 2 }, meta: { version: 4 } }) },
    user,
  )
  openScreen(PAGE)
  const table = await screen.findByRole('table', { name: 'Rules' })
  fireEvent.click(within(table).getAllByRole('checkbox')[0] as HTMLElement)
  fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Simulate' }))
  await waitFor(() => expect(changes[0]?.body).toEqual({ ruleIds: [942100, 941100], action: 'simulate' }))
  fireEvent.change(screen.getByRole('searchbox', { name: 'Rule id or words' }), { target: { value: '9411' } })
  await waitFor(() => expect(screen.queryByText('Finds 942100')).toBeNull())
  expect(screen.getByText('Finds 941100')).toBeDefined()
})

test('settings are a draft until they are saved', async () => {
  const changes = stubApi({ ...world, [`PUT ${BASE}/`]: () => ({ data: settings, meta: { version: 4 } }) }, user)
  openScreen(PAGE)
  const saved = () => changes.filter(({ path }) => path.endsWith('/crs-rules/'))
  fireEvent.click(await screen.findByRole('radio', { name: '3' }))
  expect(await screen.findByText('Before and after')).toBeDefined()
  expect(saved()).toEqual([])
  fireEvent.click(await screen.findByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(saved()[0]?.body).toEqual({ paranoiaLevel: 3 }))
})

test('a node that does not inspect is named at the top, with what becomes of requests', async () => {
  const failing = { node: 'tokyo-1', state: 'failed', ruleSet: '', problem: 'There is no rule set in /srv/crs.' }
  stubApi(
    { ...world, [`GET ${BASE}/`]: () => ({ ...settings, inspection: { ...settings.inspection, nodes: [failing] } }) },
    user,
  )
  openScreen(PAGE)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Requests are not inspected on tokyo-1')
  expect(alert.textContent).toContain('There is no rule set in /srv/crs.')
})
