import { PLAN_FEATURES } from '@fairway/contract'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../i18n/catalogs.ts'
import { navEntries, orderedSections } from '../../shell/nav/navigation.ts'
import { PRODUCTS, productAt, standingOf } from './catalogue.ts'

const { welcome } = await loadCatalog('en')

test('every ability of a plan has a page that tells of it', () => {
  const told = new Set(PRODUCTS.map(({ needs }) => needs))
  expect(PLAN_FEATURES.filter((feature) => !told.has(feature))).toEqual([])
})

test('every page has its words', () => {
  const texts: unknown = welcome?.['page']
  for (const { key } of PRODUCTS) expect(texts).toHaveProperty(key)
})

test('every entry of the navigation that may be closed has its page', () => {
  const entries = navEntries(orderedSections({ organizationMasterApp: 'web', menuOrder: 'default' })).flatMap(
    ({ entry }) => (entry.welcome === undefined ? [] : [entry.welcome]),
  )
  expect(entries.length).toBeGreaterThan(5)
  expect(
    entries.filter((path) => {
      const [category, childCategory, grandChildCategory] = path.split('/')
      return !productAt({ category, childCategory, grandChildCategory })
    }),
  ).toEqual([])
})

test.each([
  [{ needs: null, to: '/x' }, [], 'included'],
  [{ needs: 'dns.vsr', to: '/x' }, ['dns.vsr'], 'included'],
  [{ needs: 'dns.vsr', to: '/x' }, [], 'not-in-plan'],
  [{ needs: 'dns.vsr', to: null }, ['dns.vsr'], 'not-here'],
  [{ needs: null, to: '/not-built' }, [], 'not-here'],
] as const)('%o with %o stands as %s', (product, ability, standing) => {
  expect(standingOf(product, ability, (path) => path === '/x')).toBe(standing)
})
