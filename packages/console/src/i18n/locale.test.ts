import { expect, test } from 'vitest'
import { preferredLocale } from './locale.ts'

test.each([
  ['', ['en-GB'], 'en'],
  ['', ['zh-TW', 'en'], 'zhHant'],
  ['', ['zh-HK'], 'zhHant'],
  ['', ['zh-CN'], 'zhHans'],
  ['', ['zh'], 'zhHans'],
  ['', ['zh-Hans-TW'], 'zhHans'],
  ['', ['fr', 'de', 'zh-Hant'], 'zhHant'],
  ['', ['fr'], 'en'],
  ['', [], 'en'],
  ['a=1; i18n_redirected=zhHans; b=2', ['en'], 'zhHans'],
  ['i18n_redirected=klingon', ['zh-TW'], 'zhHant'],
] as const)('cookie %j and browser %j give %s', (cookie, browser, locale) => {
  expect(preferredLocale(cookie, browser)).toBe(locale)
})
