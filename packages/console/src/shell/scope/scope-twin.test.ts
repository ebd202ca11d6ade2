import { expect, test } from 'vitest'
import { hrefForAllSites, hrefForSite } from './scope-twin.ts'

const ROUTES = new Set([
  '/home',
  '/guide',
  '/multi-cdn/ssl',
  '/welcome/$category/$childCategory/{-$grandChildCategory}',
  ...[
    'home',
    'dns/dns-records',
    'multi-cdn/ssl',
    'general-settings',
    'dem/routing-strategies/add',
    'welcome/$category/$childCategory/{-$grandChildCategory}',
  ].map((path) => `/$site/{-$domain}/${path}`),
])
const isRoute = (path: string) => ROUTES.has(path)

test.each([
  ['multi-cdn/ssl', '/example.com/multi-cdn/ssl', '/multi-cdn/ssl'],
  ['multi-cdn/ssl', '/example.com/www.example.com/multi-cdn/ssl', '/multi-cdn/ssl'],
  ['dns/dns-records', '/example.com/dns/dns-records', '/guide/dns/dns-records'],
  [
    'dem/routing-strategies/add',
    '/example.com/www.example.com/dem/routing-strategies/add',
    '/guide/dem/routing-strategies',
  ],
  ['home', '/example.com/home', '/guide'],
  ['general-settings', '/example.com/all/general-settings', '/guide'],
  [
    'welcome/$category/$childCategory/{-$grandChildCategory}',
    '/example.com/welcome/dns/wildcard',
    '/welcome/dns/wildcard',
  ],
])('all sites, from %s at %s: %s', (path, pathname, href) => {
  expect(hrefForAllSites({ fullPath: `/$site/{-$domain}/${path}`, pathname }, isRoute)).toBe(href)
})

test.each([
  ['/multi-cdn/ssl', '/multi-cdn/ssl', '/example.com/multi-cdn/ssl'],
  ['/guide', '/guide', '/example.com/home'],
  ['/guide/$category/$childCategory', '/guide/dns/dns-records', '/example.com/dns/dns-records'],
  ['/account/audit-log', '/account/audit-log', null],
  ['/welcome/$category/$childCategory/{-$grandChildCategory}', '/welcome/dns/wildcard', null],
  ['/$site/{-$domain}/home', '/unknown.example/home', null],
])('a site, from %s at %s: %s', (fullPath, pathname, href) => {
  expect(hrefForSite({ fullPath, pathname }, isRoute, 'example.com')).toBe(href)
})
