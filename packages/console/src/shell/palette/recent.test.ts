import { beforeEach, expect, test } from 'vitest'
import type { PaletteEntry } from './palette-entry.ts'
import { addOnEntryId, domainEntryId, forgetRecent, recentEntries, rememberEntry, siteEntryId } from './recent.ts'

beforeEach(() => localStorage.clear())

const entry = (id: string): PaletteEntry => ({ id, group: 'pages', label: id, hint: '', run: () => {} })
const recent = (entries: PaletteEntry[] = []) =>
  recentEntries(entries, {
    domain: (site, domain) => (site === 'gone.example' ? undefined : entry(domainEntryId(site, domain))),
    site: (id, name) => entry(siteEntryId(id, name)),
    'add-on': (id, name) => entry(addOnEntryId(id, name)),
  }).map(({ id }) => id)

test('the last ten are kept, newest first, none twice', () => {
  for (let number = 1; number <= 12; number++) rememberEntry(domainEntryId('a.example', `d${number}.a.example`))
  rememberEntry(domainEntryId('a.example', 'd5.a.example'))
  expect(recent()).toEqual([5, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((number) => `domain:a.example/d${number}.a.example`))
})

test('domains and add-ons stand together, in the order in which they were opened', () => {
  rememberEntry(domainEntryId('a.example', 'www.a.example'))
  rememberEntry(addOnEntryId('china-dns', 'DNS in China'))
  expect(recent()).toEqual(['add-on:china-dns/DNS in China', 'domain:a.example/www.a.example'])
})

test('what does not exist any more is left out', () => {
  rememberEntry('page:gone')
  rememberEntry(domainEntryId('gone.example', 'www.gone.example'))
  rememberEntry('page:records')
  expect(recent([entry('page:records')])).toEqual(['page:records'])
})

test('signing out forgets it', () => {
  rememberEntry('page:records')
  forgetRecent()
  expect(recent([entry('page:records')])).toEqual([])
})
