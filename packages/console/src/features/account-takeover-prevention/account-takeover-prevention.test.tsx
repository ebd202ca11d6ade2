import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'
import { successLines } from './logins-model.ts'

const AT = '/wafmgmt/v2/sites/s1/domains/d1/account-takeover-prevention'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const counts = (succeeded: number, failed: number, keptOut = 0) => ({
  attempts: succeeded + failed + keptOut,
  succeeded,
  failed,
  unjudged: 0,
  keptOut,
})
const HOUR = 3_600_000
const begin = Math.floor(Date.now() / HOUR - 3) * HOUR

test('logins are shown by path, and what nobody counts is a dash', async () => {
  stubApi(
    {
      'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
      [`GET ${AT}/failed-login/`]: () => page([]),
      'GET /analytics/v2/origin-shield/logins/': () => ({
        intervalSeconds: 3600,
        data: [
          {
            path: '/login',
            logins: counts(30, 10, 200),
            leaked: 4,
            points: [{ at: begin, logins: counts(30, 10), leaked: 4 }],
          },
          {
            path: '/quiet',
            logins: counts(0, 0),
            leaked: null,
            points: [{ at: begin, logins: counts(0, 0), leaked: 0 }],
          },
          { path: '/old/*', logins: null, leaked: 7, points: [{ at: begin, logins: null, leaked: 7 }] },
        ],
      }),
    },
    user,
  )
  openScreen('/example.com/www.example.com/origin-shield/account-takeover-prevention')
  const table = await screen.findByRole('group', { name: 'Logins by path' }, { timeout: 10_000 })
  expect([...table.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
    '/login2403010200075%10%',
    '/quiet00000——',
    '/old/*——————7',
  ])
})

test('a moment without a judged login is a gap, and no success of zero', () => {
  const points = [counts(3, 1), counts(0, 0, 50), null].map((logins, index) => ({
    at: begin + index * HOUR,
    logins,
    leaked: 0,
  }))
  const [line, ...others] = successLines(
    [
      { path: '/login', logins: counts(3, 1, 50), leaked: 0, points },
      { path: '/old/*', logins: null, leaked: 3, points },
    ],
    HOUR,
    'gone',
  )
  expect(line?.points.map(({ value }) => value)).toEqual([75, null, null])
  expect(others).toEqual([])
})
