import { describe, expect, test } from 'vitest'
import { accountOf } from '../../testing/answers.ts'
import {
  canGoHome,
  closed,
  draft,
  feature,
  firstSite,
  maintenance,
  payment,
  plan,
  signIn,
  signedInAlready,
  survey,
  verdictOn,
  verify,
  wholeAccount,
} from './guards.ts'
import { isPathInside, landingOf } from './landing.ts'
import { targetOf } from './route-rules.ts'
import type { Guard, Situation } from './situation.ts'

const owner = accountOf({
  permissions: ['ViewSite', 'AddSite', 'EditSite', 'ViewSubscription', 'ViewUser', 'ViewAuditLog'],
})
const enterprise = accountOf({ organizationCode: 'EnterpriseCustomer' })
const sandbox = accountOf({
  sandboxMode: true,
  hasEmailVerified: false,
  organizationIndustry: null,
  organizationJobTitle: null,
  planChosen: false,
  organizationStatus: 'payment_failed',
  siteCount: 0,
})

/** Who asks for an address, and what is known besides. */
function asking(href: string, account: Situation['account'], more: Partial<Situation> = {}): Situation {
  const url = new URL(href, 'https://console.test')
  const { rules, site, domain } = targetOf(url.pathname)
  return {
    href,
    rules,
    place: { site, domain },
    supportMode: url.searchParams.get('soc') === '1',
    next: url.searchParams.get('next') ?? undefined,
    account,
    partner: { ignoreMaintenanceMode: false, hideFeature: [] },
    maintenanceMode: false,
    ...more,
  }
}

type Row = [situation: Situation, to: string | number | null, why: string]
const table = (guard: Guard, rows: readonly Row[]) =>
  test.each(
    rows.map(([situation, to, why]) => ({
      situation,
      to,
      title: `${situation.account ? 'signed in' : 'signed out'}, ${situation.href} leads to ${to ?? 'itself'}${why && `: ${why}`}`,
    })),
  )('$title', ({ situation, to }) => {
    const verdict = guard(situation)
    expect(verdict === null ? null : 'to' in verdict ? verdict.to : verdict.status).toBe(to)
  })

describe('maintenance', () => {
  const now = { maintenanceMode: true }
  const ignoring = { ...now, partner: { ignoreMaintenanceMode: true, hideFeature: [] } }
  table(maintenance, [
    [asking('/home', owner), null, 'nothing is closed'],
    [asking('/home', owner, now), '/maintenance', 'closed'],
    [asking('/login', null, now), '/maintenance', 'for people without a session as well'],
    [asking('/maintenance', owner, now), null, 'it is open itself'],
    [asking('/maintenance', owner), '/', 'and leads back when it is over'],
    [asking('/home', { ...owner, impostor: 'op@example.com' }, now), null, 'not for who looks on as somebody'],
    [asking('/loginas/u/o/t', null, now), null, 'nor for the way there'],
    [asking('/home', owner, ignoring), null, 'nor for customers of a partner that ignores it'],
    [asking('/maintenance', owner, ignoring), '/', 'who have nothing to wait for'],
    [asking('/operator', { ...owner, isOperator: true }, now), null, 'the operator ends it'],
    [asking('/operator', owner, now), '/maintenance', 'nobody else does'],
    [asking('/home', { ...owner, isOperator: true }, now), '/maintenance', 'and sees what everyone sees elsewhere'],
    [asking('/login?next=%2Foperator', null, now), null, 'for which one may sign in'],
    [asking('/login?next=%2Fhome', null, now), '/maintenance', 'but not for the rest'],
  ])
})

describe('without a session', () => {
  table(signIn, [
    [asking('/', null), '/login', 'the bare address'],
    [
      asking('/example.com/dns/dns-records?type=A', null),
      '/login?next=%2Fexample.com%2Fdns%2Fdns-records%3Ftype%3DA',
      'one comes back to where one wanted',
    ],
    [asking('/login', null), null, ''],
    [asking('/signup', null), null, ''],
    [asking('/forgot-password', null), null, ''],
    [asking('/mfa-verify', null), null, ''],
    [asking('/reset-password?token=t', null), null, 'links of letters open'],
    [asking('/verify-invite-email?token=t', null), null, ''],
    [asking('/verify-email?token=t', null), null, ''],
    [asking('/loginas/u/o/t', null), null, ''],
    [asking('/oauth/google-callback?code=c', null), null, ''],
    [asking('/docs/errors', null), null, ''],
    [asking('/mvp/cost-reduction', null), null, ''],
    [asking('/redirect/third-party-marketplace', null), null, ''],
    [asking('/home', owner), null, 'with one'],
  ])
})

describe('with a session', () => {
  const payer = { ...owner, permissions: ['ViewSubscription' as const] }
  table(signedInAlready, [
    [asking('/', owner), '/home', 'the bare address'],
    [asking('/', payer), '/account/billing', 'who only pays'],
    [asking('/', { ...payer, hideFeature: ['billing'] }), '/home', 'nor sees invoices at this partner'],
    [asking('/login', payer), '/account/billing', ''],
    [asking('/login', owner), '/home', ''],
    [asking('/signup', owner), '/home', ''],
    [asking('/mfa-verify', owner), '/home', ''],
    [asking('/login?next=%2Fdomains', owner), '/domains', 'what was asked for'],
    [asking('/login?next=%2F%2Fevil.example', owner), '/home', 'but never elsewhere'],
    [asking('/login?soc=1', owner), null, 'support may look'],
    [asking('/?soc=1', owner), '/home', ''],
    [asking('/reset-password?token=t', owner), null, 'a letter’s link is for anybody'],
    [asking('/login', null), null, ''],
  ])
})

describe('what an account is asked', () => {
  const unverified = accountOf({ hasEmailVerified: false })
  table(verify, [
    [asking('/home', unverified), '/verify-email', ''],
    [asking('/verify-email', unverified), null, ''],
    [asking('/home', owner), null, ''],
    [asking('/home', sandbox), null, 'a demonstration asks nothing'],
  ])
  const unasked = accountOf({ organizationIndustry: null, organizationJobTitle: null })
  table(survey, [
    [asking('/home', unasked), '/survey', ''],
    [asking('/account/user-profile', unasked), '/survey', ''],
    [asking('/survey', unasked), null, ''],
    [asking('/support', unasked), null, 'help is always there'],
    [asking('/home', { ...unasked, organizationJobTitle: 'developer' }), null, 'one of the two is an answer'],
    [asking('/home', { ...unasked, organizationCode: 'EnterpriseCustomer' }), null, 'enterprise customers are known'],
    [asking('/home', sandbox), null, ''],
  ])
  const planless = accountOf({ planChosen: false })
  table(plan, [
    [asking('/home', planless), '/select-plan', ''],
    [asking('/account/billing', planless), '/select-plan', ''],
    [asking('/select-plan', planless), null, ''],
    [asking('/survey', planless), null, 'the survey comes first'],
    [asking('/home', sandbox), null, ''],
  ])
  const failed = accountOf({ organizationStatus: 'payment_failed', permissions: ['ViewSubscription'] })
  table(payment, [
    [asking('/home', failed), '/account/billing/payment?layout=addAssets', ''],
    [asking('/home', { ...failed, permissions: ['ViewSite'] }), '/on-hold', 'who may not see bills'],
    [asking('/home', { ...failed, hideFeature: ['billing'] }), '/on-hold', 'nor sees them at this partner'],
    [asking('/on-hold', { ...failed, permissions: [] }), null, ''],
    [asking('/home', { ...failed, organizationStatus: 'locked' }), '/account/billing/payment?layout=addAssets', ''],
    [asking('/home?soc=1', failed), null, 'support mode'],
    [asking('/account/billing/payment?layout=addAssets', failed), null, ''],
    [asking('/account/billing', failed), null, ''],
    [asking('/support', failed), null, ''],
    [asking('/home', sandbox), null, ''],
  ])
  const siteless = { ...owner, siteCount: 0 }
  table(firstSite, [
    [asking('/home', siteless), '/add-site', ''],
    [asking('/example.com/home', siteless), '/add-site', ''],
    [asking('/add-site', siteless), null, ''],
    [asking('/account/user-profile', siteless), null, 'an account needs no site'],
    [asking('/welcome/stream/assets', siteless), null, ''],
    [asking('/stream/live-streams', siteless), null, 'videos need no site'],
    [asking('/stream/signed-urls', siteless), null, 'nor do their keys'],
    [asking('/guide', siteless), null, ''],
    [asking('/home', { ...siteless, organizationMasterApp: 'stream' }), null, 'who came for video'],
    [asking('/home', { ...siteless, permissions: ['ViewSite'] }), null, 'who may not add any'],
    [asking('/home', sandbox), null, ''],
  ])
})

describe('closed pages', () => {
  table(closed, [
    [asking('/account/billing', { ...owner, hideFeature: ['billing'] }), 404, 'hidden by the partner'],
    [asking('/support', { ...owner, hideFeature: ['support'] }), null, 'says how to write to the partner'],
    [asking('/my-tickets', { ...owner, hideFeature: ['support'] }), 404, ''],
    [
      asking('/pricing', null, { partner: { ignoreMaintenanceMode: false, hideFeature: ['price'] } }),
      404,
      'for visitors the host name’s partner counts',
    ],
    [asking('/pricing', null), null, ''],
    [asking('/operator', owner), 404, ''],
    [asking('/operator', { ...owner, isOperator: true }), null, ''],
    [asking('/operator', { ...owner, administersPartner: true }), null, 'people of a partner see their own there'],
    [asking('/domains', owner), 403, 'enterprise only'],
    [asking('/domains', enterprise), null, ''],
    [asking('/account/bring-my-cdn-account/add', owner), 403, ''],
    [asking('/account/bring-my-cdn-account', enterprise), null, ''],
    [asking('/account/audit-log', { ...owner, permissions: ['ViewSite'] }), 403, ''],
    [asking('/account/teammate', { ...owner, permissions: ['ViewSite'] }), 403, ''],
    [asking('/account/billing/payment', { ...owner, permissions: ['ViewSite'] }), 403, ''],
    [asking('/account/audit-log', owner), null, ''],
  ])
})

describe('places', () => {
  table(wholeAccount, [
    [asking('/all/home', owner), '/home', 'all sites are the account'],
    [asking('/all', owner), '/home', ''],
    [asking('/no-site/home', owner), '/home', ''],
    [asking('/all/dns/dns-records?type=A', owner), '/guide/dns/dns-records', ''],
    [asking('/no-site/no-domain/multi-cdn/cdn-management', owner), '/guide/multi-cdn/cdn-management', ''],
    [asking('/example.com/no-domain/multi-cdn/cdn-management', owner), null, 'the screen itself guides to a domain'],
    [asking('/example.com/home', owner), null, ''],
  ])
  const small = accountOf({ plan: { id: 'p', name: 'Small', ability: [] } })
  table(feature, [
    [asking('/example.com/multi-cdn/cdn-management', small), '/example.com/welcome/multi-cdn/cdn-management', ''],
    [
      asking('/example.com/www.example.com/multi-cdn/cdn-management', small),
      '/example.com/www.example.com/welcome/multi-cdn/cdn-management',
      'the place is kept',
    ],
    [asking('/example.com/multi-cdn/cdn-management', owner), null, ''],
    [asking('/example.com/dns/dns-records', small), null, ''],
    [asking('/account/teammate', small), '/welcome/account/teammate', 'pages of the account have one, too'],
    [
      asking('/account/teammate', accountOf({ plan: { id: 'e', name: 'Enterprise', ability: ['teammate.enable'] } })),
      null,
      '',
    ],
  ])

  test('a draft goes on where it was left', () => {
    expect(draft({ id: 's 1', domainName: 'example.com', zoneStatus: 0 }, accountOf({}))).toEqual({
      to: '/add-site/review-domains?zone_id=s%201&zone_name=example.com',
    })
    expect(draft({ id: 's1', domainName: 'example.com', zoneStatus: 1 }, accountOf({}))).toBeNull()
    const viewer = accountOf({ permissions: ['ViewSite'] })
    expect(draft({ id: 's1', domainName: 'example.com', zoneStatus: 0 }, viewer)).toEqual({
      to: '/draft-site?zone_name=example.com',
    })
  })
})

test('the first guard that objects decides', () => {
  const everything = accountOf({
    hasEmailVerified: false,
    organizationIndustry: null,
    organizationJobTitle: null,
    planChosen: false,
    organizationStatus: 'payment_failed',
    siteCount: 0,
    permissions: ['AddSite', 'ViewSubscription'],
  })
  const steps = [
    '/maintenance',
    '/verify-email',
    '/survey',
    '/select-plan',
    '/account/billing/payment?layout=addAssets',
    '/add-site',
    null,
  ]
  const fixes: Partial<typeof everything>[] = [
    {},
    { hasEmailVerified: true },
    { organizationIndustry: 'media' },
    { planChosen: true },
    { organizationStatus: 'active' },
    { siteCount: 1 },
  ]
  let account = everything
  const seen = [verdictOn(asking('/home', account, { maintenanceMode: true }))]
  for (const fix of fixes) {
    account = { ...account, ...fix }
    seen.push(verdictOn(asking('/home', account)))
  }
  expect(seen.map((verdict) => (verdict && 'to' in verdict ? verdict.to : null))).toEqual(steps)
})

test.each([
  ['active', 'web', false, [1], true],
  ['active', 'web', false, [0], false],
  ['active', 'web', false, [], false],
  ['active', 'stream', false, [], true],
  ['payment_failed', 'web', false, [1], false],
  ['payment_failed', 'web', true, [1], true],
  ['locked', 'stream', false, [], false],
] as const)(
  'the header without navigation leads home: %s, %s, support %s, sites %o: %s',
  (organizationStatus, organizationMasterApp, supportMode, sites, may) => {
    expect(
      canGoHome(
        { organizationStatus, organizationMasterApp },
        supportMode,
        sites.map((zoneStatus) => ({ zoneStatus })),
      ),
    ).toBe(may)
  },
)

test.each([
  [accountOf(), '/home'],
  [accountOf({ organizationMasterApp: 'stream' }), '/stream/analytics/audience'],
  [accountOf({ organizationAwsCustomerId: 'aws-1' }), '/home'],
  [
    accountOf({ organizationAwsCustomerId: 'aws-1', plan: { id: 'e', name: 'Enterprise', ability: ['waf.enable'] } }),
    '/origin-shield/assets',
  ],
  [accountOf({ permissions: ['ViewSubscription', 'EditSubscription'] }), '/account/billing'],
  [accountOf({ permissions: ['ViewSubscription'], organizationMasterApp: 'stream' }), '/account/billing'],
  [accountOf({ permissions: ['ViewSubscription'], hideFeature: ['billing'] }), '/home'],
  [accountOf({ permissions: ['ViewUser'] }), '/home'],
])('%# signing in lands where the organisation works', (account, path) => {
  expect(landingOf(account)).toBe(path)
})

test.each([
  ['/home', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['https://evil.example', false],
  ['', false],
  [undefined, false],
])('%s is a path of ours: %s', (path, inside) => {
  expect(isPathInside(path)).toBe(inside)
})

test.each([
  ['/example.com/www.example.com/dns/dns-records', 'example.com', 'www.example.com'],
  ['/example.com/dns/dns-records', 'example.com', undefined],
  ['/example.com/all/home', 'example.com', 'all'],
  [
    '/b3c1f6c0-0000-4000-8000-000000000001/b3c1f6c0-0000-4000-8000-000000000002/home',
    'b3c1f6c0-0000-4000-8000-000000000001',
    'b3c1f6c0-0000-4000-8000-000000000002',
  ],
  ['/account/billing/invoice', undefined, undefined],
  ['/%E0%A4%A', '%E0%A4%A', undefined],
])('%s is about site %s, domain %s', (path, site, domain) => {
  const found = targetOf(path)
  expect([found.site, found.domain]).toEqual([site, domain])
})
