import { CandidateReason, CdnState, DECLINE_CODES, ERRORS, StepReason } from '@fairway/contract'
import { describe, expect, test } from 'vitest'
import { PILL_STATES } from '../ui/marks/states.ts'
import { loadCatalog } from './catalogs.ts'
import { LOCALES } from './locale.ts'
import { usedTexts } from './used-texts.ts'

const catalogs = {
  en: await loadCatalog('en'),
  zhHant: await loadCatalog('zhHant'),
  zhHans: await loadCatalog('zhHans'),
}
const sources: Record<string, string> = import.meta.glob(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!./used-texts.ts'],
  { query: '?raw', import: 'default', eager: true },
)
const rules: Record<string, string> = import.meta.glob(
  ['../../../contract/src/**/*.ts', '../../../domain/src/**/*.ts'],
  { query: '?raw', import: 'default', eager: true },
)

/** `feature:path.of.text` → text. */
function textsOf(catalog: object, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(catalog)) {
    const path = prefix === '' ? `${key}:` : prefix.endsWith(':') ? prefix + key : `${prefix}.${key}`
    if (typeof value === 'string') texts.set(path, value)
    else for (const [inner, text] of textsOf(value, path)) texts.set(inner, text)
  }
  return texts
}

/** A language has the plural forms it has; the key is the same. */
const withoutPlural = (key: string) => key.replace(/_(one|other)$/, '')
const keysOf = (locale: (typeof LOCALES)[number]) => new Set([...textsOf(catalogs[locale]).keys()].map(withoutPlural))
const english = keysOf('en')

describe.each(['zhHant', 'zhHans'] as const)('%s', (locale) => {
  test('has the same keys as English', () => {
    expect([...keysOf(locale)].sort()).toEqual([...english].sort())
  })

  test('has the same values to fill in as English', () => {
    const own = textsOf(catalogs[locale])
    const placesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()
    for (const [key, text] of textsOf(catalogs.en)) {
      if (key.endsWith('_one')) continue
      expect({ key, places: placesIn(own.get(key) ?? '') }).toEqual({ key, places: placesIn(text) })
    }
  })

  test('puts a thin space, not a wide one, between Chinese and Latin', () => {
    const wide = [...textsOf(catalogs[locale])].filter(([, text]) =>
      /[\u3400-\u9fff] +[A-Za-z0-9{]|[A-Za-z0-9}%] +[\u3400-\u9fff]/.test(text),
    )
    expect(wide).toEqual([])
  })

  test('is not English left behind', () => {
    const own = textsOf(catalogs[locale])
    const same = [...textsOf(catalogs.en)].filter(
      ([key, text]) => own.get(key) === text && /[a-z]{3,} [a-z]{3,}/.test(text),
    )
    expect(same).toEqual([])
  })
})

test.each(LOCALES)('no text names a brand: partners put their own on the console (%s)', (locale) => {
  expect([...textsOf(catalogs[locale])].filter(([, text]) => /fairway/i.test(text))).toEqual([])
})

test('English is written one way', () => {
  expect([...textsOf(catalogs.en)].filter(([, text]) => /organiz/i.test(text.replaceAll(/\{\{\w+\}\}/g, '')))).toEqual(
    [],
  )
})

test('every error code has its sentence', () => {
  for (const code of Object.keys(ERRORS)) expect(english).toContain(`errors:errorMessage.${code}`)
})

test('every decline of a card has its sentence', () => {
  for (const code of DECLINE_CODES) expect(english).toContain(`errors:errorMessage.${code}`)
})

test('every reason of a decision has its words', () => {
  for (const reason of StepReason.options) expect(english).toContain(`why:step.${reason}`)
  for (const reason of CandidateReason.options) expect(english).toContain(`why:candidate.${reason}`)
})

test('every state has its words', () => {
  for (const state of PILL_STATES) expect(english).toContain(`states:state.${state}`)
  expect(CdnState.options.filter((state) => !PILL_STATES.some((known) => known === state))).toEqual([])
})

test('every message of the contract and the domain has its words', () => {
  const messages = Object.values(rules).flatMap((text) =>
    [...text.matchAll(/'validation\.(\w+)'/g)].map(([, key]) => `validation:${key}`),
  )
  expect(messages.length).toBeGreaterThan(5)
  expect(messages.filter((key) => !english.has(key))).toEqual([])
})

test('every change that a route writes into the audit log has its words', () => {
  const actions = Object.entries(rules).flatMap(([file, text]) =>
    [...(file.includes('.test.') ? '' : text).matchAll(/\baudit: '([\w.-]+)'/g)].map(
      ([, action]) => `audit-log:action.${action}`,
    ),
  )
  expect(actions.length).toBeGreaterThan(100)
  expect(actions.filter((key) => !english.has(key))).toEqual([])
})

const used = usedTexts(sources)

test('every text that a screen asks for exists', () => {
  expect(used.keys.length).toBeGreaterThan(100)
  expect(used.keys.filter(({ key }) => !english.has(key))).toEqual([])
  expect(used.prefixes.filter(({ key }) => ![...english].some((other) => other.startsWith(key)))).toEqual([])
})

test('every text is asked for somewhere', () => {
  const asked = new Set(used.keys.map(({ key }) => key))
  const byMessage = /^(validation|errors:errorMessage|geo:region)/
  const unused = [...english].filter(
    (key) => !asked.has(key) && !byMessage.test(key) && !used.prefixes.some((prefix) => key.startsWith(prefix.key)),
  )
  expect(unused).toEqual([])
})
