import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { accountOf } from '../../testing/answers.ts'
import { makeRouter } from '../router.tsx'
import { verdictOn } from './guards.ts'
import { targetOf } from './route-rules.ts'
import type { Situation } from './situation.ts'

const PARAMS: Record<string, string> = { $site: 'example.com', '{-$domain}': 'www.example.com' }
/** An address of every route there is. */
const addresses = Object.keys(makeRouter(new QueryClient()).routesByPath).map((path) =>
  path
    .split('/')
    .map((part) => (part.includes('$') ? (PARAMS[part] ?? 'x') : part))
    .join('/'),
)

const leadsTo = (
  href: string,
  account: Situation['account'],
  more: Partial<Situation> = {},
): string | number | null => {
  const { rules, site, domain } = targetOf(href)
  const verdict = verdictOn({
    href,
    rules,
    place: { site, domain },
    supportMode: false,
    next: undefined,
    account,
    partner: { ignoreMaintenanceMode: false, hideFeature: [] },
    maintenanceMode: false,
    ...more,
  })
  return verdict === null ? null : 'to' in verdict ? verdict.to : verdict.status
}
const openTo = (account: Situation['account'], more: Partial<Situation> = {}) =>
  addresses.filter((href) => leadsTo(href, account, more) === null).sort()
const begins = (...starts: string[]) =>
  addresses.filter((href) => starts.some((start) => href === start || href.startsWith(`${start}/`))).sort()

const everything = accountOf({
  isOperator: true,
  organizationCode: 'EnterpriseCustomer',
  permissions: ['ViewSite', 'AddSite', 'ViewUser', 'ViewAuditLog', 'ViewSubscription'],
  plan: {
    id: 'e',
    name: 'Enterprise',
    ability: ['multiCdn.enable', 'bulkConfig.enable', 'teammate.enable', 'waf.enable', 'vsp.enable'],
  },
})
const PUBLIC = [
  '/docs',
  '/loginas',
  '/mvp',
  '/oauth',
  '/pricing',
  '/redirect',
  '/reset-password',
  '/verify-email',
  '/verify-invite-email',
]
const LOGIN = ['/forgot-password', '/login', '/mfa-verify', '/setup', '/signup']
const HELP = ['/my-tickets', '/on-hold', '/operator', '/support', '/survey']

test('every route has its address here', () => expect(addresses.length).toBeGreaterThan(80))

test.each([
  ['nobody, who has not signed in', null, [...PUBLIC, ...LOGIN]],
  ['whose address is not verified', { ...everything, hasEmailVerified: false }, PUBLIC],
  [
    'who has not answered the survey',
    { ...everything, organizationCode: '', organizationIndustry: null, organizationJobTitle: null },
    [...PUBLIC, ...HELP],
  ],
  ['whose plan is not chosen', { ...everything, planChosen: false }, [...PUBLIC, ...HELP, '/select-plan']],
  [
    'whose payment has failed',
    { ...everything, organizationStatus: 'payment_failed' as const },
    [...PUBLIC, ...HELP, '/select-plan', '/account/billing'],
  ],
])('%s gets to what is theirs, and no further', (_, account, open) => {
  expect(openTo(account)).toEqual(begins(...open))
})

test('whom nothing is asked gets everywhere but to where one signs in', () => {
  const closed = new Set(['/', '/maintenance', ...begins(...LOGIN)])
  expect(openTo(everything)).toEqual(addresses.filter((href) => !closed.has(href)).sort())
})

test('who may only view sites is refused what other rights open', () => {
  const viewer = { ...everything, isOperator: false, permissions: ['ViewSite' as const] }
  expect(addresses.filter((href) => leadsTo(href, viewer) === 403).sort()).toEqual(
    begins('/account/audit-log', '/account/billing', '/account/teammate'),
  )
  expect(addresses.filter((href) => leadsTo(href, viewer) === 404).sort()).toEqual(begins('/operator'))
})

test('during maintenance only its own page, the way of support, and the operator area to its operator are open', () => {
  expect(openTo(null, { maintenanceMode: true })).toEqual(begins('/loginas', '/maintenance'))
  expect(openTo(everything, { maintenanceMode: true })).toEqual(begins('/loginas', '/maintenance', '/operator'))
})
