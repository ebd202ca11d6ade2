import { FEATURES } from '@fairway/contract'
import { describe, expect, test } from 'vitest'
import { FEATURE_OF_PATH, featureOfPath } from './features-of-paths.ts'

describe('what a page is about', () => {
  test('is known below a site, in the account, and on the pages below a page', () => {
    expect(featureOfPath('/$site/{-$domain}/dns/dns-records')).toBe('dns-records')
    expect(featureOfPath('/$site/{-$domain}/dem/routing-strategies/edit/$id')).toBe('routing-strategies')
    expect(featureOfPath('/account/audit-log')).toBe('audit-log')
  })

  test('is nothing for pages of everybody', () => {
    for (const path of ['/', '/home', '/support', '/account/user-profile', '/$site/{-$domain}/home-page'])
      expect(featureOfPath(path), path).toBeNull()
  })

  test('is a feature that the contract has', () => {
    const names = new Set<string>(Object.values(FEATURES).map(({ name }) => name))
    for (const feature of Object.values(FEATURE_OF_PATH)) expect(names.has(feature), feature).toBe(true)
  })
})
