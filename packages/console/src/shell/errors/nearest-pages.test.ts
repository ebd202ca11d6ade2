import { expect, test } from 'vitest'
import { nearestPages } from './nearest-pages.ts'

const PAGES = [
  { href: '/a.test/www.a.test/home', name: 'Home' },
  { href: '/a.test/dns/dns-records', name: 'Records' },
  { href: '/a.test/dns/settings', name: 'Settings' },
  { href: '/a.test/multi-cdn/ssl', name: 'SSL certificates' },
  { href: '/account/teammate', name: 'Teammates' },
]

test.each([
  ['/a.test/dns/record', ['/a.test/dns/dns-records', '/a.test/dns/settings']],
  ['/a.test/dns-recrods', ['/a.test/dns/dns-records', '/a.test/dns/settings']],
  ['/certificate', ['/a.test/multi-cdn/ssl']],
  ['/account/teammates/42', ['/account/teammate']],
  ['/home', ['/a.test/www.a.test/home']],
  ['/a.test/www.a.test/nothing/here', []],
  ['/', []],
])('%s', (address, near) => expect(nearestPages(address, PAGES).map(({ href }) => href)).toEqual(near))

test('a hostile address is answered at once', () => {
  const long = `/${'a'.repeat(100_000)}/${'b-'.repeat(50_000)}`
  expect(nearestPages(long, PAGES)).toEqual([])
})
