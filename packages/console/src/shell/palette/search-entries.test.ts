import { IconPlus } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import type { PaletteEntry } from './palette-entry.ts'
import { argumentsOf, matchingEntries } from './search-entries.ts'
import { VERBS } from './verbs.ts'

const entry = (label: string, words = ''): PaletteEntry => ({
  id: label,
  group: 'actions',
  label,
  hint: '',
  words,
  icon: IconPlus,
  run: () => {},
})
const VERB_ENTRIES = VERBS.map(({ key, words }) => entry(key, words))

test.each([
  ['purge', 'purge'],
  ['clear cache', 'purge'],
  ['invalidate', 'purge'],
  ['why', 'why'],
  ['simulate', 'simulate'],
  ['invite', 'invite'],
  ['break a cdn', 'breakCdn'],
  ['chaos', 'breakCdn'],
  ['set up certificate', 'certificate'],
  ['tls', 'certificate'],
  ['add record', 'addRecord'],
  ['import', 'importZone'],
  ['history', 'history'],
  ['failover', 'breakCdn'],
])('“%s” finds %s, whatever language the console speaks', (text, key) => {
  expect(matchingEntries(VERB_ENTRIES, text).map(({ label }) => label)).toContain(key)
})

test('what begins with the words comes first; every word must be found', () => {
  const entries = [entry('Multi-CDN traffic', 'records'), entry('Records'), entry('Add record')]
  expect(matchingEntries(entries, 'rec').map(({ label }) => label)).toEqual([
    'Records',
    'Multi-CDN traffic',
    'Add record',
  ])
  expect(matchingEntries(entries, 'record add').map(({ label }) => label)).toEqual(['Add record'])
  expect(matchingEntries(entries, 'rec(')).toEqual([])
})

test('arguments are told from words', () => {
  expect(argumentsOf('why 80.147.0.1')).toEqual({ address: '80.147.0.1', path: null })
  expect(argumentsOf('2001:db8::1')).toEqual({ address: '2001:db8::1', path: null })
  expect(argumentsOf('purge /img/')).toEqual({ address: null, path: '/img/' })
  expect(argumentsOf('add record')).toEqual({ address: null, path: null })
})
