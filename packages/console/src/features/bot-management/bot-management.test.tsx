import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const BASE = '/wafmgmt/v2/sites/s1/domains/d1'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const settings = {
  securityLevel: 'medium',
  challengeMode: 'browser-standard',
  integrityCheck: 'off',
  clearanceSeconds: 1800,
  verifiedCrawlers: true,
}
const verdict = (action: string, status: number) => ({
  verdict: {
    action,
    part: status === 0 ? null : 'bot-management',
    ruleId: '',
    reason: status === 0 ? '' : 'under-attack',
    status,
    location: '',
    trace: [],
    headers: [],
    originRuleId: '',
  },
  origin: { address: 'o.test', port: 443, protocol: 'https', hostHeader: 'o.test', sni: 'o.test', ruleName: '' },
})

const WAIT = { timeout: 10_000 }

test('a level is tried on a request before it is saved, and saved alone', async () => {
  const location = { continent: 'AS', country: 'JP', region: null, city: null, network: null, asn: null }
  const changes = stubApi(
    {
      'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
      [`GET ${BASE}/bot-management/`]: () => settings,
      [`GET ${BASE}/bot-management/friction/`]: () => ({
        softening: true,
        data: [
          {
            rule: 'level',
            name: null,
            mode: 'human',
            softened: { mode: 'browser-standard', since: '2026-11-21T10:00:00.000Z', people: 80, gaveUp: 40 },
            lastDay: { challenged: 5000, people: 1200, gaveUp: 310 },
          },
          { rule: 'r1', name: 'Logins', mode: 'browser-no-delay', softened: null, lastDay: null },
        ],
      }),
      [`PUT ${BASE}/bot-management/friction/`]: () => ({ data: { softening: false }, meta: { version: 5 } }),
      'GET /analytics/v2/origin-shield/crawlers/': () => ({
        data: [{ agent: 'bingbot', name: 'Bingbot', verified: 1200, unverified: 3, false: 41 }],
      }),
      [`POST ${BASE}/web-security/try/`]: () => ({
        ...verdict('pass', 0),
        enabled: true,
        location,
        withDraft: verdict('challenge', 403),
      }),
      [`PUT ${BASE}/bot-management/`]: () => ({
        data: { ...settings, securityLevel: 'under-attack' },
        meta: { version: 4 },
      }),
    },
    user,
  )
  openScreen('/example.com/www.example.com/origin-shield/bot-management')
  fireEvent.click(await screen.findByRole('radio', { name: 'Under attack' }, WAIT))
  expect(await screen.findByText('Programs are challenged too', {}, WAIT)).toBeDefined()
  expect(await screen.findByText('Challenged · 403', {}, WAIT)).toBeDefined()
  expect(screen.getByText('Bot management · everybody is asked')).toBeDefined()
  const rowOf = async (text: string) => (await screen.findByText(text, {}, WAIT)).closest('tr')?.textContent
  expect(await rowOf('Now: Browser, standard')).toMatch(/40 of 80 gave up\.1,2003105,000$/)
  expect(await rowOf('Logins')).toBe('LoginsBrowser, no delay———')
  expect(await rowOf('Bingbot')).toBe('Bingbot1,200341')
  fireEvent.click(screen.getByLabelText('Soften what people give up'))
  await waitFor(
    () => expect(changes.find(({ path }) => path.endsWith('/friction/'))?.body).toEqual({ softening: false }),
    WAIT,
  )
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() =>
    expect(changes.find(({ path }) => path.endsWith('/bot-management/'))?.body).toEqual({
      securityLevel: 'under-attack',
    }),
  )
})
