import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { loadCatalog } from './catalogs.ts'
import { READING } from './i18n.ts'

test('a text that is nothing in a language is nothing there, not its own name', async () => {
  const i18n = createInstance()
  await i18n.init({ lng: 'x', resources: { x: await loadCatalog('zhHant') }, ...READING })
  expect(i18n.t('routing-strategies:does.join')).toBe('')
})
