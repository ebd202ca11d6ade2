import { expect, test } from 'vitest'
import { GLOSSARY } from './glossary.ts'

const hant: Record<string, string> = import.meta.glob(
  ['./zhHant/*.json', '../../../server/src/mail/*/zh-hant.ts', '../../../domain/src/notifications/words/zh-hant.ts'],
  { query: '?raw', import: 'default', eager: true },
)
const hans: Record<string, string> = import.meta.glob(
  ['./zhHans/*.json', '../../../server/src/mail/*/zh-hans.ts', '../../../domain/src/notifications/words/zh-hans.ts'],
  { query: '?raw', import: 'default', eager: true },
)

test.each([
  ['zhHant', hant],
  ['zhHans', hans],
] as const)('catalogs, letters and notifications in %s have one word for each thing', (locale, files) => {
  expect(Object.keys(files).filter((file) => file.includes('/mail/')).length).toBeGreaterThan(10)
  const stray = Object.entries(files).flatMap(([file, text]) =>
    GLOSSARY[locale].flatMap(({ say, instead }) =>
      [...text.matchAll(instead)].map(
        ({ 0: found, index }) => `${file}: ${text.slice(index - 6, index + 8)}: ${found}, say ${say}`,
      ),
    ),
  )
  expect(stray).toEqual([])
})
