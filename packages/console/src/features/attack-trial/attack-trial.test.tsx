import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const BASE = '/wafmgmt/v2/sites/s1/domains/d1'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const shown = { method: 'GET', target: '/search?q=x', part: '', ruleId: '', reason: '' }
const trial = {
  node: 'tokyo-1',
  enabled: true,
  at: 1_790_000_000_000,
  attacks: [
    { category: 'xss', sent: 25, stopped: 24 },
    { category: 'sql-injection', sent: 25, stopped: 24 },
  ],
  harmless: [{ category: 'code-in-posts', sent: 16, touched: 1 }],
  stoppedBy: [{ part: 'crs-rules', attacks: 48 }],
  passed: [
    { ...shown, id: 'attack-1', text: "admin'--", category: 'sql-injection', change: 0 },
    { ...shown, id: 'attack-2', text: '<x onclick=alert(1)>', category: 'xss', change: null },
  ],
  touched: [
    {
      ...shown,
      id: 'harmless-1',
      text: 'SELECT name FROM orders',
      category: 'code-in-posts',
      part: 'crs-rules',
      ruleId: '942100',
      reason: 'score',
    },
  ],
  changes: [
    { kind: 'paranoia', settings: { paranoiaLevel: 2 }, stops: 1, touches: 3 },
    { kind: 'paranoia', settings: { paranoiaLevel: 3 }, stops: 1, touches: 9 },
  ],
}
const WAIT = { timeout: 10_000 }

test('one button attacks the domain; what went through is shown with what would stop it, and one click puts it in force', async () => {
  const changes = stubApi(
    {
      'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
      [`POST ${BASE}/attack-trial/`]: () => trial,
      [`PUT ${BASE}/crs-rules/`]: () => ({ data: {}, meta: { version: 4 } }),
    },
    user,
  )
  openScreen('/example.com/www.example.com/origin-shield/attack-trial')
  fireEvent.click(await screen.findByRole('button', { name: 'Attack now' }, WAIT))
  expect(await screen.findByText('48 of 50', {}, WAIT)).toBeDefined()
  const through = screen.getByRole('region', { name: 'Attacks that went through' })
  expect(within(through).getByText("admin'--")).toBeDefined()
  expect(within(through).getByText('No rule set finds it')).toBeDefined()
  expect(screen.getByText('Core rule sets · 942100')).toBeDefined()
  // A level that stops nothing more than the one before is no advice.
  const advice = within(screen.getByRole('region', { name: 'What would stop more' }))
  expect(advice.getAllByRole('button', { name: 'Apply' })).toHaveLength(1)
  expect(advice.getByText(/Would also touch 3 harmless requests/)).toBeDefined()
  fireEvent.click(advice.getByRole('button', { name: 'Apply' }))
  await waitFor(() =>
    expect(changes.find(({ path }) => path.endsWith('/crs-rules/'))?.body).toEqual({ paranoiaLevel: 2 }),
  )
})
