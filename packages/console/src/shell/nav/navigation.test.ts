import type { AccountInfo } from '@fairway/contract'
import { describe, expect, test } from 'vitest'
import { accountOf } from '../../testing/answers.ts'
import { accountPagesFor } from '../bar/account-pages.ts'
import { hrefOf, navEntries, navigationFor, orderedSections } from './navigation.ts'

const everything = () => true
const keysFor = (change: Partial<AccountInfo>, isBuilt: (path: string) => boolean = everything) =>
  navEntries(navigationFor({ user: accountOf(change), isBuilt })).map(({ entry }) => entry.key)

test.each([
  ['web', 'default', ['web', 'stream']],
  ['stream', 'default', ['stream', 'web']],
  ['web', 'stream', ['stream', 'web']],
  ['stream', 'web', ['web', 'stream']],
] as const)('who came for %s and prefers %s sees %o', (organizationMasterApp, menuOrder, order) => {
  expect(orderedSections({ organizationMasterApp, menuOrder }).map(({ key }) => key)).toEqual(order)
})

describe('the navigation', () => {
  test('has domains for enterprise customers only', () => {
    expect(keysFor({})).not.toContain('domains')
    expect(keysFor({ organizationCode: 'EnterpriseCustomer' })).toContain('domains')
  })

  test('has assets below Origin Shield for customers of a cloud marketplace whose plan includes it', () => {
    const plan = { id: 'e', name: 'Enterprise', ability: ['waf.enable'] }
    expect(keysFor({ plan })).not.toContain('shieldAssets')
    expect(keysFor({ organizationAwsCustomerId: 'aws-1' })).not.toContain('shieldAssets')
    expect(keysFor({ plan, organizationAwsCustomerId: 'aws-1' })).toContain('shieldAssets')
  })

  test('leaves out what the partner hides, and what is not built', () => {
    expect(keysFor({})).toContain('catalogue')
    expect(keysFor({ hideFeature: ['powerUps'] })).not.toContain('catalogue')
    expect(keysFor({}, (path) => !path.includes('dns'))).not.toContain('records')
  })
})

describe('an entry leads', () => {
  const records = { key: 'records', to: '/$site/{-$domain}/dns/dns-records' }
  const cdns = {
    key: 'cdnManagement',
    to: '/$site/{-$domain}/multi-cdn/cdn-management',
    needs: 'multiCdn.enable',
    welcome: 'multi-cdn/cdn-management',
  } as const
  const small = accountOf({ plan: { id: 's', name: 'Small', ability: [] } })
  test.each([
    [
      records,
      accountOf(),
      { site: 'example.com', domain: 'www.example.com' },
      '/example.com/www.example.com/dns/dns-records',
    ],
    [records, accountOf(), { site: 'example.com' }, '/example.com/dns/dns-records'],
    [records, accountOf(), {}, '/guide/dns/dns-records'],
    [{ key: 'home', to: '/$site/{-$domain}/home' }, accountOf(), {}, '/home'],
    [cdns, accountOf(), { site: 'example.com' }, '/example.com/multi-cdn/cdn-management'],
    [cdns, small, { site: 'example.com' }, '/example.com/welcome/multi-cdn/cdn-management'],
    [cdns, small, {}, '/welcome/multi-cdn/cdn-management'],
    [
      { key: 'streamUsage', to: null, welcome: 'stream/analytics/usage' },
      accountOf(),
      {},
      '/welcome/stream/analytics/usage',
    ],
    [{ key: 'gameDay', to: '/game-day' }, accountOf(), { site: 'example.com' }, '/game-day'],
  ])('%o from %# to the right page', (entry, user, place, href) => {
    expect(hrefOf(entry, user, place)).toBe(href)
  })
})

describe('the account menu', () => {
  const keys = (change: Partial<AccountInfo>) =>
    accountPagesFor({ user: accountOf(change), isBuilt: everything }).map(({ key }) => key)
  test.each([
    ['billing', 'ViewSubscription'],
    ['auditLog', 'ViewAuditLog'],
  ] as const)('shows %s to those with %s', (key, permission) => {
    expect(keys({ permissions: [] })).not.toContain(key)
    expect(keys({ permissions: [permission] })).toContain(key)
  })

  test('shows teammates in the plan that names them, to who may see people', () => {
    const plan = { id: 'enterprise', name: 'Enterprise', ability: ['teammate.enable'] }
    expect(keys({ permissions: ['ViewUser'] })).not.toContain('teammate')
    expect(keys({ permissions: [], plan })).not.toContain('teammate')
    expect(keys({ permissions: ['ViewUser'], plan })).toContain('teammate')
  })

  test('hides billing, support and profile where the partner does', () => {
    expect(keys({ permissions: ['ViewSubscription'], hideFeature: ['billing', 'support', 'account'] })).toEqual([
      'informationCenter',
    ])
  })

  test('has keys of own CDN accounts for enterprise customers, the operator area for operators and partners', () => {
    expect(keys({})).not.toContain('bringMyCdn')
    expect(keys({ organizationCode: 'EnterpriseCustomer' })).toContain('bringMyCdn')
    expect(keys({})).not.toContain('operator')
    expect(keys({ isOperator: true })).toContain('operator')
    expect(keys({ administersPartner: true })).toContain('operator')
  })
})
